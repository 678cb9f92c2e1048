// `--tools agent`: what `build` shows is what a running agent sends. Both ask `promptInput`.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { openAgent } from "../../../src/agent/setup/open.ts"
import type { Report } from "../../../src/core/read/report.ts"
import { warmIncipit as incipit } from "../run.ts"

const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-as-agent-")))
afterAll(() => rmSync(folder, { recursive: true }))

test("the head of the stable text and the tools are those of the running agent", async () => {
  const workspace = join(folder, "lighthouse")
  cpSync("examples/lighthouse", workspace, { recursive: true, filter: (path) => !path.endsWith(".incipit") })
  const args = ["build", "--json", "--tools", "agent", "--workspace", workspace, "--cwd", workspace]
  // A folder of that name is not a list of tools.
  mkdirSync(join(workspace, "agent"))
  const built = JSON.parse(incipit(args, { cwd: workspace }).stdout)
  const agent = await openAgent({
    workspace,
    env: {},
    home: join(folder, "home"),
    state: join(folder, "state"),
    timeZone: "UTC",
  })
  const prompt = await agent.preview("Is the lamp lit?")
  await agent.close()
  expect(built.tools.map(({ name }: { name: string }) => name)).toEqual(prompt.tools.map(({ name }) => name))
  expect(built.blocks[0].text).toBe(prompt.head[0]?.text)
})

const MODEL = "offline/anthropic/claude-sonnet-5-5"
const TZ = "UTC"

/** Everything that may be in a head: overlays, rules, context of the directory, skills, memory, outside folders. */
function fullWorkspace(): string {
  const workspace = join(folder, "full")
  cpSync("examples/lighthouse", workspace, { recursive: true, filter: (path) => !path.endsWith(".incipit") })
  const project = join(workspace, "project")
  mkdirSync(join(folder, "outside"), { recursive: true })
  mkdirSync(join(project, "deep"), { recursive: true })
  writeFileSync(join(project, "AGENTS.md"), "In the project, keep to its style.\n")
  writeFileSync(join(project, "deep/AGENTS.md"), "Deep down, be brief.\n")
  symlinkSync("project/deep", join(workspace, "shortcut"))
  return workspace
}

test.each([
  ["the owner", [], {}, "."],
  ["the owner, in a directory below", [], {}, "project/deep"],
  ["the owner, in a directory behind a link", [], {}, "shortcut"],
  ["inner trust", ["--as", "jonas"], { as: "jonas" }, "."],
  ["a group", ["--as", "mirela", "--in", "group"], { as: "mirela", situation: "group" }, "project"],
  ["a stranger", ["--channel", "telegram:99"], { channel: "telegram:99" }, "."],
  ["the owner, over Telegram", ["--channel", "telegram"], { channel: "telegram", isLocal: true }, "."],
] as const)(
  "the same folder, audience and moment give the same head: %s",
  async (_who, flags, from, below) => {
    const workspace = fullWorkspace()
    const [home, directory] = [join(folder, "home"), join(workspace, below)]
    const places = ["--workspace", workspace, "--cwd", directory, "--home", home]
    const built = incipit(
      ["build", "--json", "--tools", "agent", "--session", "new", "--model", MODEL, ...places, ...flags],
      { env: { TZ } },
    )
    const agent = await openAgent({
      ...{ workspace, directory, home, model: MODEL, timeZone: TZ, state: join(folder, "state-of-full") },
      env: { PATH: process.env.PATH, HOME: home, TZ },
    })
    const prompt = await agent.preview("Is the lamp lit?", { ...from, isNew: true })
    await agent.close()
    rmSync(workspace, { recursive: true })
    const shown: Pick<Report, "blocks" | "tools"> = JSON.parse(built.stdout)
    const head = shown.blocks.filter(({ placement }) => placement === "head")
    expect(head.map(({ text }) => text)).toEqual(prompt.head.map(({ text }) => text))
    const sent = shown.tools.filter(({ outcome }) => outcome.kind === "included")
    expect(sent.map(({ name }) => name)).toEqual(prompt.tools.map(({ name }) => name))
  },
)
