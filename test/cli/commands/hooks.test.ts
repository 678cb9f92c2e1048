// The commands of hooks, on a copy of the sample workspace that names some.
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { spawn } from "@lydell/node-pty"
import { afterAll, expect, test } from "vitest"
import { incipit, transcript } from "../run.ts"

/** As somebody does who has looked at what it brings. */
function approveFolder(workspace: string, env: Record<string, string> = {}): void {
  expect(incipit(["folder", "approve", workspace, "--yes"], { env }).status).toBe(0)
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-hooks-cli-")))
afterAll(() => rmSync(folder, { recursive: true }))

function copy(name: string, hooks: string): string {
  const workspace = join(folder, name)
  cpSync("examples/lighthouse", workspace, { recursive: true, filter: (path) => !path.endsWith(".incipit") })
  mkdirSync(join(workspace, "hooks"))
  writeFileSync(
    join(workspace, "hooks", "guard.ts"),
    `import { word } from "./word.ts"\nexport const tool_call = () => ({ block: word })\nexport const turn_end = () => {}\nexport const guard = true\n`,
  )
  writeFileSync(join(workspace, "hooks", "word.ts"), `export const word: string = "no"\n`)
  writeFileSync(join(workspace, "hooks", "broken.mjs"), `throw new Error("not today")\n`)
  const config = readFileSync(join(workspace, "incipit.yaml"), "utf8")
  // What the sample schedules would wait as well.
  writeFileSync(
    join(workspace, "incipit.yaml"),
    `${config.slice(0, config.indexOf("schedule:"))}\nhooks: ${hooks}\n`,
  )
  return workspace
}

test("a module waits, is approved, changes, waits again, and is taken back", async () => {
  const workspace = copy("whole", "[./hooks/guard.ts, ./hooks/broken.mjs, ./hooks/gone.ts]")
  const run = (...args: string[]) =>
    transcript(args, incipit([...args, "--workspace", workspace])).replaceAll(folder, "DIR")
  const steps = [run("hooks"), run("hooks", "approve"), run("hooks", "approve", "--yes")]
  expect(existsSync(join(workspace, ".incipit"))).toBe(false)
  approveFolder(workspace)
  steps.push(run("hooks", "approve"))
  steps.push(run("hooks", "approve", "guard", "--yes"), run("hooks"))
  steps.push(
    run("hooks", "approve", "--yes", "--json"),
    run("hooks", "--json"),
    run("hooks", "approve", "--yes"),
  )
  appendFileSync(join(workspace, "hooks", "word.ts"), "// changed\n")
  steps.push(
    run("hooks"),
    run("hooks", "approve", "./hooks/guard.ts", "--yes"),
    run("hooks", "approve", "guard"),
  )
  steps.push(run("hooks", "revoke", "./hooks/guard.ts"), run("hooks", "revoke", "guard"), run("hooks"))
  const text = steps.join("\n").replaceAll(/sha256:\w+/g, "sha256:…")
  await expect(text).toMatchFileSnapshot("../../golden/cli/hooks.txt")
})

test("who talks with the agent is told what waits, and what fails", () => {
  const workspace = copy("talk", "[./hooks/guard.ts, ./hooks/fails.ts]")
  writeFileSync(
    join(workspace, "hooks", "fails.ts"),
    'export const before_agent_start = () => Promise.reject(new Error("not today"))\n',
  )
  const where = ["--workspace", workspace]
  approveFolder(workspace)
  const waits = ["guard", "fails"].map((name) => `${name} runs once you approve it: incipit hooks approve`)
  const findings = (stderr: string) => stderr.split("\n").filter((line) => line.startsWith("warning: "))
  const run = () => findings(incipit(["run", "Who are you?", ...where]).stderr)
  expect(run()).toEqual(waits.map((text) => `warning: ${text}`))
  const chat = incipit(["chat", ...where], { input: "Who are you?\n" })
  expect(chat.stderr).toBe(waits.map((text) => `${text}\n`).join(""))
  incipit(["hooks", "approve", "fails", "--yes", ...where])
  expect(run()).toEqual([
    `warning: ${waits[0]}`,
    "warning: the hook before_agent_start of fails failed: not today",
  ])
})

test("a workspace without hooks has none to list or to approve", () => {
  const workspace = copy("none", "[]")
  const run = (...args: string[]) => incipit([...args, "--workspace", workspace])
  expect(run("hooks")).toEqual({
    stdout: "",
    stderr: "incipit.yaml names nothing that needs approval.\n",
    status: 0,
  })
  expect(run("hooks", "approve", "--yes")).toEqual({
    stdout: "",
    stderr:
      "incipit: nothing needs approval. `incipit hooks` lists the modules, profile, MCP servers, addresses, folders and rules that incipit.yaml names, and which of them need approval.\n",
    status: 2,
  })
  expect(existsSync(join(workspace, ".incipit"))).toBe(false)
})

test("servers and addresses wait for the same yes", async () => {
  const workspace = copy("others", "[./hooks/guard.ts]")
  appendFileSync(
    join(workspace, "incipit.yaml"),
    `mcp: { tides: { command: node, args: [tides.js] } }
providers: { lab: { url: "https://lab.example/v1", key: LAB_KEY }, shed: { url: "http://127.0.0.1:8080/v1" } }
record: { otlp: { endpoint: "https://spans.example", content: true } }
schedule: [{ cron: "@daily", run: HEARTBEAT.md }]
`,
  )
  const run = (...args: string[]) =>
    transcript(args, incipit([...args, "--workspace", workspace])).replaceAll(folder, "DIR")
  const steps = [run("hooks")]
  approveFolder(workspace)
  steps.push(run("hooks", "approve", "lab", "--yes"), run("hooks", "approve", "--yes"))
  steps.push(run("hooks"), run("hooks", "revoke", "record.otlp"), run("hooks", "--json"))
  await expect(steps.join("\n").replaceAll(/sha256:\w+/g, "sha256:…")).toMatchFileSnapshot(
    "../../golden/cli/hooks-others.txt",
  )
})

test("folders outside of the workspace wait for the same yes, and are told to nobody before", () => {
  const workspace = copy("folders", "[]")
  mkdirSync(join(folder, "logbooks"))
  appendFileSync(join(workspace, "incipit.yaml"), "directories: [charts, ../logbooks]\n")
  const run = (...args: string[]) => incipit([...args, "--workspace", workspace])
  const told = () => run("build", "--text", "--cwd", workspace).stdout.match(/^- \/.*/gm)
  expect(told()).toEqual([`- ${join(workspace, "charts")}`])
  const known = { kind: "directory", name: "../logbooks", path: join(folder, "logbooks") }
  const list = JSON.parse(run("hooks", "--json").stdout)
  expect(list).toEqual([{ ...known, digest: list[0].digest, status: "waiting" }])
  approveFolder(workspace)
  expect(run("hooks", "approve", known.path, "--yes")).toEqual({
    stdout: "Approved ../logbooks.\n",
    stderr: `../logbooks: folder, ${list[0].digest}\n  {"path":"${known.path}"}\n`,
    status: 0,
  })
  expect(told()).toEqual([`- ${join(workspace, "charts")}`, `- ${known.path}`])
})

test("a profile of the workspace is code as well; one that is asked for by name runs", async () => {
  const workspace = copy("profile", "[]")
  const yaml = join(workspace, "incipit.yaml")
  writeFileSync(yaml, readFileSync(yaml, "utf8").replace(/^profile:.*$/m, "profile: profiles/brief.mjs"))
  mkdirSync(join(workspace, "profiles"))
  const module = join(workspace, "profiles", "brief.mjs")
  const sections = `[{ id: "who", pace: "stable", priority: "required", trust: "public", cut: "whole", build: () => ({ parts: [{ text: "Keep the light." }] }) }]`
  writeFileSync(
    module,
    `import { writeFileSync } from "node:fs"
writeFileSync(new URL("../ran", import.meta.url), "")
const markup = { name: "plain", envelope: () => ({ open: "", close: "" }), escapes: () => [] }
export default { name: "brief", markup, order: "paced", sections: ${sections} }
`,
  )
  const ran = join(workspace, "ran")
  const run = (...args: string[]) =>
    transcript(args, incipit([...args, "--workspace", workspace])).replaceAll(folder, "DIR")
  const steps = [run("build", "--text"), run("run", "hello"), run("hooks")]
  approveFolder(workspace)
  steps.push(run("run", "hello"))
  expect(existsSync(ran)).toBe(false)
  steps.push(run("hooks", "approve", "brief", "--yes"), run("build", "--text"))
  expect(existsSync(ran)).toBe(true)
  appendFileSync(module, "// changed\n")
  steps.push(run("build", "--text"), run("build", "--text", "--profile", module))
  const text = steps.join("\n").replaceAll(/sha256:\w+/g, "sha256:…")
  await expect(text).toMatchFileSnapshot("../../golden/cli/hooks-profile.txt")
})

/** Answers the one question that is asked, in a real terminal. */
function answering(
  workspace: string,
  answer: string,
  name = "guard",
): Promise<{ readonly screen: string; readonly status: number }> {
  approveFolder(workspace, { INCIPIT_HOME: `${workspace}-home` })
  const args = ["bin/incipit.js", "hooks", "approve", name, "--workspace", workspace]
  const terminal = spawn("node", args, {
    cols: 200,
    env: { ...process.env, NO_COLOR: "1", INCIPIT_HOME: `${workspace}-home` },
  })
  let screen = ""
  return new Promise((resolve) => {
    const listening = terminal.onData((text) => {
      screen += text
      if (!screen.includes("[y/N] ")) return
      listening.dispose()
      terminal.onData((rest) => {
        screen += rest
      })
      terminal.write(`${answer}\r`)
    })
    terminal.onExit(({ exitCode }) => resolve({ screen: stripVTControlCharacters(screen), status: exitCode }))
  })
}

test.each([
  ["n", "Nothing was approved.", "waiting"],
  ["", "Nothing was approved.", "waiting"],
  ["yes", "Approved guard.", "approved"],
])("asked before code may run, the owner says %j", async (answer, said, state) => {
  const workspace = copy(`asked-${answer}`, "[./hooks/guard.ts]")
  const { screen, status } = await answering(workspace, answer)
  const question = screen.split("\r\n").find((line) => line.includes("[y/N]"))
  expect(question?.startsWith("Let this code run with your rights? [y/N] ")).toBe(true)
  expect([screen.trimEnd().split("\r\n").at(-1), status]).toEqual([said, 0])
  const env = { INCIPIT_HOME: `${workspace}-home` }
  const [listed] = JSON.parse(incipit(["hooks", "--json", "--workspace", workspace], { env }).stdout)
  expect(listed.status).toBe(state)
})

test("asked before a folder may be used, the owner says no", async () => {
  const workspace = copy("asked-folder", "[]")
  appendFileSync(join(workspace, "incipit.yaml"), "directories: [../logbooks]\n")
  const { screen } = await answering(workspace, "n", "../logbooks")
  const [question, end] = screen.trimEnd().split("\r\n").slice(-2)
  expect([question?.startsWith("Let the agent use this folder? [y/N] "), end]).toEqual([
    true,
    "Nothing was approved.",
  ])
})

test("what is approved is shown with nothing in it that hides, moves the cursor or begins a line", () => {
  const workspace = join(folder, "hostile")
  mkdirSync(workspace)
  const name = String.raw`"notes\e[1A\e[2K\nall: MCP server, fine"`
  writeFileSync(
    join(workspace, "incipit.yaml"),
    String.raw`mcp: { ${name}: { command: sh, args: ["\u202e\u009b2J"] } }`,
  )
  const digest = /sha256:\w+/g
  approveFolder(workspace)
  const { stderr } = incipit(["hooks", "approve", "--yes", "--workspace", workspace])
  expect(stderr.replaceAll(digest, "DIGEST")).toBe(
    String.raw`warning: incipit.yaml:1: a value contains escaped control characters or hidden text. They were removed. [escaped-characters]
notes\u001b[1A\u001b[2K\nall: MCP server, fine: MCP server, DIGEST
  {"args":["\u202e2J"],"command":"sh"}
`,
  )
  const { stdout } = incipit(["hooks", "--workspace", workspace])
  expect(stdout.replaceAll(digest, "DIGEST")).toBe(
    String.raw`notes\u001b[1A\u001b[2K\nall: M…  sh \u202e2J  DIGEST  approved
0 modules, 1 MCP server
`,
  )
})
