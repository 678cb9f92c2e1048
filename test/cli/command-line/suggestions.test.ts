// Each command that the program suggests is written as it works where the program was started. Two walks: over the
// sources, so that a new suggestion takes the same road; and over what commands print under `npx`.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, sep } from "node:path"
import { parseAst } from "rolldown/parseAst"
import { afterAll, expect, test } from "vitest"
import { SUGGESTED } from "../../../src/cli/command-line/as-typed.ts"
import { COMMANDS } from "../../../src/cli/command-line/table/commands.ts"
import { incipitHere } from "../here.ts"
import { incipit } from "../run.ts"

const CLI = join(import.meta.dirname, "../../../src/cli")

/** The help prints these, and rewrites them; completions and files that `init` writes are read on any machine. */
const NOT_SAID =
  /^command-line\/(table\/|completions\.ts|as-typed\.ts|run-line\.ts)|\/command\.ts$|init-files\.ts$/

/** Texts that are made at one place and written to stderr, or thrown, or rewritten at another. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  "chat/chat.ts": ["incipit chat"],
  "commands/agent/run.ts": ["`incipit queue list` shows when and why", "To try at once: incipit queue retry"],
  "commands/capture/proxy.ts": [
    "Claude Code may send a different prompt behind a proxy",
    "Calls are kept in the record of captures",
  ],
  "commands/capture/wrap.ts": ["The calls are kept. To look at the last one"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as the source has it.
  "commands/inspect/sources.ts": ["${path} is a folder", "${path} was not written by"],
  "commands/prompt/channel-note.ts": ["Shown as you would get it over"],
  "commands/record/person-files.ts": ["memory; to find lines to delete"],
  "commands/record/record-file.ts": ["no calls are captured yet", " (${"],
  "commands/serve/approve-serving.ts": ["you have not approved it. To review it"],
  "commands/workspace/folder-question.ts": ["Approving the folder does not run"],
  "tour/steps.ts": ["Every call is recorded with its tokens and its price."],
  "tour/tour.ts": [
    "The conversation is kept in your state directory",
    "incipit init my-agent",
    "incipit chat",
    "incipit build",
    "incipit --help",
  ],
}

const plain = (text: string) => text.match(SUGGESTED) ?? []

test("every suggestion in the sources takes the road that rewrites it", () => {
  const found = readdirSync(CLI, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .map((path) => relative(CLI, join(CLI, path)).split(sep).join("/"))
    .filter((path) => !NOT_SAID.test(path))
    .flatMap((path) => {
      const known = ELSEWHERE[path] ?? []
      return suggestionsIn(readFileSync(join(CLI, path), "utf8"))
        .filter((text) => !known.some((start) => text.startsWith(start)))
        .map((text) => `${path}: ${text}`)
    })
  expect(found).toEqual([])
})

test("the list of texts that are rewritten elsewhere has no old entries", () => {
  const old = Object.entries(ELSEWHERE).flatMap(([path, starts]) => {
    const texts = suggestionsIn(readFileSync(join(CLI, path), "utf8"))
    return starts.filter((start) => !texts.some((text) => text.startsWith(start)))
  })
  expect(old).toEqual([])
})

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** Literals with a suggestion that are not within a call that rewrites them: `asTyped`, stderr, or an error. */
function suggestionsIn(source: string): readonly string[] {
  const found: string[] = []
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk)
    if (!isNode(value) || isRoad(source, value)) return
    const isText = value.type === "TemplateLiteral" || value.type === "Literal"
    const text = source.slice(value.start, value.end)
    if (isText && /^["'`]/.test(text)) {
      const inner = text.slice(1, -1).replaceAll("\\`", "`").replaceAll("\\n", "\n")
      if (plain(inner).length > 0) found.push(inner)
    }
    Object.values(value).forEach(walk)
  }
  walk(parseAst(source, { lang: "ts" }).body)
  return found
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value && "end" in value
}

function isRoad(source: string, node: Node): boolean {
  if (node.type !== "CallExpression" && node.type !== "NewExpression") return false
  return /^(asTyped|typed|(\w+\.)?terminal\.err|given\.err|new IncipitError)\(/.test(
    source.slice(node.start, node.end),
  )
}

const root = mkdtempSync(join(tmpdir(), "incipit-suggests-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const env = {
  ...{ npm_command: "exec", PATH: process.env.PATH ?? "" },
  // What other tests approve is theirs.
  ...{ HOME: join(root, "home"), XDG_STATE_HOME: join(root, "state") },
}

/** A folder that needs approvals, with state that came with it, and one that says nothing. */
function folders() {
  const [needy, empty] = [join(root, "needy"), join(root, "empty")]
  mkdirSync(join(needy, ".incipit"), { recursive: true })
  mkdirSync(join(needy, "memory"), { recursive: true })
  mkdirSync(empty, { recursive: true })
  writeFileSync(join(needy, ".incipit/agent.db"), "")
  writeFileSync(join(needy, "MEMORY.md"), "- The tern nests in May.\n")
  writeFileSync(join(needy, "tides.ts"), "export default {}\n")
  writeFileSync(
    join(needy, "incipit.yaml"),
    "model: shed/keeper\nhooks: [./tides.ts]\nproviders: { shed: { url: 'http://127.0.0.1:9/v1' } }\n",
  )
  return { needy, empty }
}

test("what commands print under npx can be typed as it is", async () => {
  const { needy, empty } = folders()
  const asked: readonly (readonly [string, readonly string[]])[] = [
    [needy, ["state", "show"]],
    [needy, ["models"]],
    [needy, ["hooks"]],
    [needy, ["status"]],
    [needy, ["check"]],
    [needy, ["explain", "memory"]],
    [needy, ["build", "--channel", "telegram"]],
    [needy, ["run", "hello"]],
    [empty, ["state", "list"]],
    [empty, ["status"]],
    [empty, ["logs"]],
    [empty, ["bill"]],
    [empty, ["bill", "--since", "30d", empty]],
    [empty, ["bill", "--session", "none"]],
    [empty, ["database", "status"]],
    [empty, ["models"]],
    [empty, ["build"]],
    [empty, ["queue", "list"]],
    [empty, ["token", "list"]],
    [empty, ["pair", "list"]],
    [empty, ["folder", "list"]],
    [empty, ["capture"]],
    [empty, ["tour", "--yes", "--model", "offline"]],
    [empty, ["init", "agent", "--yes"]],
  ]
  const suggested: string[] = []
  for (const [cwd, args] of asked) {
    const { stdout, stderr } = incipit(args, { cwd, env })
    const said = `${stdout}${stderr}`
    if (said.includes("npx incipit")) suggested.push(args.slice(0, 2).join(" "))
    expect(plain(said), args.join(" ")).toEqual([])
  }
  // Each of them does suggest something, so that there is something to compare.
  const silent = ["models", "queue list", "pair list", "capture"]
  expect(suggested).toEqual(
    asked
      .map(([, args]) => args.slice(0, 2).join(" "))
      .filter((name, at) => !(silent.includes(name) && at > 1)),
  )
})

test("every help under npx has examples that can be typed as they are, and fits 80 columns", async () => {
  for (const { name, examples } of COMMANDS) {
    const { stdout } = await incipitHere([...name.split(" "), "--help"], { cwd: root, env })
    const [own = "", shown = ""] = stdout.split("\nExamples:\n")
    expect(plain(stdout), name).toEqual([])
    expect(stdout, name).not.toMatch(/npx\s+npx/)
    expect(
      own.split("\n").filter((line) => line.length > 80 && !line.startsWith("Usage:")),
      name,
    ).toEqual([])
    expect(shown.match(/npx incipit/g)?.length ?? 0, name).toBeGreaterThanOrEqual(examples.length)
  }
})

test("data, JSON and what people wrote stay as they are", () => {
  const { needy } = folders()
  writeFileSync(join(needy, "SOUL.md"), "To see the prompt: incipit build\n\n`incipit chat` starts a talk.\n")
  const text = incipit(["build", "--text", "--tools", "none"], { cwd: needy, env }).stdout
  expect(text).toContain("To see the prompt: incipit build\n\n`incipit chat` starts a talk.\n")
  const json = incipit(["models", "--json"], { cwd: needy, env }).stdout
  expect(json).not.toContain("npx incipit")
})
