// Every command and every snippet in the documents is run.
import { spawnSync } from "node:child_process"
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { parse } from "yaml"
import packageJson from "../../package.json" with { type: "json" }
import { warmIncipit as incipit } from "../cli/run.ts"
import { writeNight } from "../record/night.ts"
import { whyNoBubblewrap } from "../sandbox/sandbox-world.ts"

const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  "AGENTS.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" }).map((name) => join("docs", name)),
  "examples/README.md",
  "examples/lighthouse/README.md",
  "examples/bill/README.md",
].filter((path) => path.endsWith(".md"))

interface Snippet {
  readonly page: string
  readonly text: string
}

function snippets(language: string): readonly Snippet[] {
  return PAGES.flatMap((page) => {
    const found = readFileSync(page, "utf8").matchAll(
      new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"),
    )
    return [...found].map((match) => ({ page, text: match[1] ?? "" }))
  })
}

/** Stories, which other tests run in their order. */
const STORIES = ["docs/guide/tutorial.md", "docs/guide/serve.md"]
const lines = snippets("sh")
  .filter(({ page }) => !STORIES.includes(page))
  .flatMap(({ page, text }) =>
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => [page, line.replace(/\s+#.*$/, "")] as const),
  )
/** Something may be piped into it. */
const OURS = /^(?:[^|]*\| )?(?:npx )?incipit /
const ours = lines.filter(([, line]) => OURS.test(line))
const npm = lines.filter(([, line]) => !OURS.test(line))

/** Words of a shell line, with double quotes; a pipe into a pager, or into a file, is left off. */
function words(line: string): readonly string[] {
  const bare = line.replace(OURS, "").replace(/\s*[|>].*$/, "")
  const found = [...bare.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "")
  // What comes after `wrap` is another program, with flags of its own.
  if (bare.startsWith("wrap ")) return ["wrap", "--help"]
  // Settings of clients in a home folder of the tests.
  if (/^mcp --(?:install|remove) /.test(bare)) return [...found, "--yes"]
  return NEEDS_SOMEBODY.test(bare) ? [...found, "--help"] : found
}

/** What keeps on until it is stopped, asks before it begins, or needs what somebody else did is only asked for help. */
const NEEDS_SOMEBODY = new RegExp(
  [
    /--(?:schedule|follow|watch|ratchet)\b/,
    /^(?:serve|proxy|inspect)\b|^token revoke\b|^queue (?:retry|drop)\b|^pair (?:confirm|deny|forget)\b|^session (?:fork|stop|undo)\b/,
    /^database (?:migrate|move)\b|^memory (?:export|import)\b/,
    /^tour --workspace|^state (?:move|adopt|forget)\b|^mcp (?:login|logout)\b/,
  ]
    .map(({ source }) => source)
    .join("|"),
)

test("there is something to run", () => {
  expect([ours.length > 5, npm.length > 3, snippets("ts").length > 0]).toEqual([true, true, true])
})

/** Examples of the reference use the reader's own workspace, and files that exist already. */
const own = mkdtempSync(join(tmpdir(), "incipit-docs-"))
const NO_SANDBOX = await whyNoBubblewrap()
const STATE = { INCIPIT_STATE_DIR: join(own, "state") }

beforeAll(async () => {
  // A copy: agents that run leave files behind.
  for (const name of ["examples", join("test", "fixtures", "coop")])
    cpSync(name, join(own, name), { recursive: true })
  mkdirSync(join(own, "node_modules"))
  symlinkSync(resolve("."), join(own, "node_modules", "incipit"))
  await writeNight(join(own, "state", "record.db"), ["turn-11", "turn-12", "turn-13"])
  for (const name of ["old-workspace", "workspace", "cloned"])
    cpSync("examples/lighthouse", join(own, name), { recursive: true })
  cpSync("examples/hooks", join(own, "workspace", "hooks"), { recursive: true })
  appendFileSync(join(own, "workspace", "incipit.yaml"), "\nhooks: [./hooks/tides.ts]\n")
  writeFileSync(join(own, "workspace", "trace.yaml"), "turns: 2\n")
  writeFileSync(join(own, "workspace", "search.json"), '[{ "name": "search", "description": "Search." }]')
  // As somebody does who has looked at what it brings.
  incipit(["folder", "approve", join(own, "workspace"), "--yes"])
  incipit(["export", "--calls", "calls.jsonl"], { cwd: join(own, "workspace"), env: STATE })
  for (const name of ["before.json", "after.json"]) {
    writeFileSync(
      join(own, "workspace", name),
      incipit(["build", "--json", "--workspace", "examples/lighthouse"]).stdout,
    )
  }
})

afterAll(() => rmSync(own, { recursive: true }))

/** Where the reader of a page is when typing a line. */
function folderFor(page: string, line: string): string {
  const isOwn =
    /^docs\/(reference|guide\/(record|hooks|answers|chat))/.test(page) || line.includes("calls.jsonl")
  return isOwn ? join(own, "workspace") : own
}

/** Pages repeat commands; each is run once in each folder, and those of the sandbox where one can be set up. */
const once = ours.filter(([page, line], at) => {
  if (line.startsWith("incipit sandbox") && NO_SANDBOX !== undefined) return false
  const same = ours.findIndex(
    ([other, again]) =>
      words(again).join("\0") === words(line).join("\0") && folderFor(other, again) === folderFor(page, line),
  )
  return same === at
})

test.each(once)("%s: %s", (page, line) => {
  // What a line pipes in.
  const input = line.startsWith("incipit sandbox shell") ? "exit\n" : "What is this?\n"
  const { stderr, status } = incipit(words(line), {
    cwd: folderFor(page, line),
    input,
    env: STATE,
  })
  expect({ status, crashed: /\n\s+at /.test(stderr) }).toEqual({ status: 0, crashed: false })
})

test.each(npm)("%s: %s", (_page, line) => {
  const scripts = line.split("&&").map((part) => part.trim())
  for (const script of scripts) {
    const name = /^npm (?:run )?(\S+)$/.exec(script)?.[1]
    expect(name === "ci" || Object.keys(packageJson.scripts).includes(name ?? "")).toBe(true)
  }
})

test("npm start shows around", () => {
  const command = packageJson.scripts.start.split("&&").at(-1)?.trim() ?? ""
  const { stdout, status } = incipit(command.replace(/^node bin\/incipit\.js /, "").split(" "))
  expect(status).toBe(0)
  expect(stdout.split("\n")[0]).toBe("A tour of Incipit")
})

test.each(snippets("ts"))("a snippet of $page runs", ({ text }) => {
  // Inside the repository, so that the package finds itself by name.
  const folder = mkdtempSync(join("test", "docs", "tmp-"))
  try {
    const path = join(folder, "snippet.ts")
    writeFileSync(path, text)
    const { stdout, stderr, status } = spawnSync("node", [path], {
      encoding: "utf8",
      // What a snippet makes there goes with the test.
      env: { ...process.env, TMPDIR: own },
    })
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 })
    // A snippet with tests prints how long they took.
    expect(stdout.replaceAll(/(?<=duration_ms )[\d.]+|(?<=\()[\d.]+(?=ms\))/g, "N")).toMatchSnapshot()
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test("the types of all snippets are right", () => {
  const folder = mkdtempSync(join("test", "docs", "tmp-"))
  try {
    const files = snippets("ts").map(({ page, text }, at) => {
      const path = join(folder, `${page.replaceAll("/", "-")}-${at}.ts`)
      writeFileSync(path, text)
      return path
    })
    const flags = [
      ...["--noEmit", "--ignoreConfig", "--strict", "--module", "nodenext", "--target", "es2024"],
      // Each is a program of its own, even without an import.
      ...["--types", "node", "--moduleDetection", "force"],
      // The AI SDK's types name a package that has none.
      "--skipLibCheck",
    ]
    const { stdout } = spawnSync("node_modules/.bin/tsc", [...flags, ...files], { encoding: "utf8" })
    expect(stdout).toBe("")
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each(snippets("yaml"))("a configuration of $page is accepted", ({ text }) => {
  const folder = mkdtempSync(join("test", "docs", "tmp-"))
  try {
    expect(parse(text)).toBeTypeOf("object")
    writeFileSync(join(folder, "incipit.yaml"), text)
    const who = text.includes("alice:") ? ["--as", "alice"] : []
    const { stderr, status } = incipit(["build", "--workspace", folder, ...who])
    const said = stderr.replace(/^hint: the workspace: .*\n/, "")
    const isSandbox = NO_SANDBOX !== undefined && text.includes("sandbox:")
    expect({ stderr: isSandbox ? said.replace(/^warning: .*\[no-sandbox\]\n/, "") : said, status }).toEqual({
      stderr: "",
      status: 0,
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each(snippets("yaml trace"))("a trace of $page can be simulated", ({ text }) => {
  const path = join(own, "trace.yaml")
  writeFileSync(path, text)
  const { stderr, status } = incipit(["simulate", path, "--workspace", "examples/lighthouse"])
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 })
})

test("every link in the documents leads to a file", () => {
  const broken = PAGES.flatMap((page) => {
    const links = [...readFileSync(page, "utf8").matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)].map(
      (match) => match[1] ?? "",
    )
    return links.filter((link) => !existsSync(join(dirname(page), link))).map((link) => `${page}: ${link}`)
  })
  expect(broken).toEqual([])
})

test("the agent loop of the examples runs, and reads the cache from its second step on", () => {
  const { stdout, stderr, status } = spawnSync("node", ["examples/programs/agent-loop.ts"], {
    encoding: "utf8",
  })
  expect({ stdout, stderr, status }).toMatchSnapshot()
})
