// Where an agent works that is named with --workspace, and what is read above it: the same for `build`, for a running
// agent and for a program that opens one.
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { openAgent } from "../../../src/agent/setup/open.ts"
import { agentOptions } from "../../../src/cli/command-line/agent-flags.ts"
import { incipitHere } from "../here.ts"

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-where-")))
  execFileSync("git", ["init", "-q", folder])
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (path: string) => join(folder, path)

function write(path: string, text = `Text of ${path}.\n`): void {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}

const SKILL = "---\nname: release\ndescription: Makes a release.\n---\nDo it.\n"

/** A repository with instructions of its own, and an agent in a folder of it. */
function writeAll(): void {
  write("AGENTS.md")
  write(".claude/rules/style.md")
  write(".claude/skills/release/SKILL.md", SKILL)
  write("agents/keeper/AGENTS.md")
  write("agents/keeper/notes/AGENTS.md")
  write("other/AGENTS.md")
}

interface Shown {
  readonly sections: readonly {
    readonly spans: readonly { readonly from?: { readonly path?: string } }[]
  }[]
  readonly blocks: readonly { readonly placement: string; readonly text: string }[]
}

async function build(...flags: readonly string[]): Promise<Shown> {
  const { stdout } = await incipitHere(["build", "--json", "--tools", "agent", ...flags], { cwd: folder })
  return JSON.parse(stdout)
}

function filesOf({ sections }: Shown): readonly string[] {
  const paths = sections.flatMap(({ spans }) => spans.flatMap(({ from }) => from?.path ?? []))
  return [...new Set(paths)].map((path) => path.replace(folder, "repository"))
}

const KEEPER = ["--workspace", "agents/keeper"]

test("an agent that is named works in its own folder, whatever the current one is", async () => {
  writeAll()
  write("agents/keeper/incipit.yaml", "users: {}\n")
  const shown = await build(...KEEPER)
  expect(filesOf(shown)).toEqual(["AGENTS.md"])
  expect(shown.blocks[1]?.text).toContain(`${folder}/agents/keeper\n`)
})

test("nothing above a folder with incipit.yaml is read, neither instructions, rules nor skills", async () => {
  writeAll()
  expect(filesOf(await build(...KEEPER))).toEqual([
    "AGENTS.md",
    "repository/AGENTS.md",
    "repository/.claude/rules/style.md",
    "repository/.claude/skills/release/SKILL.md",
  ])
  write("agents/keeper/incipit.yaml", "users: {}\n")
  expect(filesOf(await build(...KEEPER))).toEqual(["AGENTS.md"])
  const below = await build(...KEEPER, "--cwd", "agents/keeper/notes")
  expect(filesOf(below)).toEqual(["AGENTS.md", "repository/agents/keeper/notes/AGENTS.md"])
})

test("a directory that is named gets the context of all folders above it", async () => {
  writeAll()
  write("agents/keeper/incipit.yaml", "users: {}\n")
  const shown = await build(...KEEPER, "--cwd", "other")
  expect(filesOf(shown)).toContain("repository/other/AGENTS.md")
  expect(filesOf(shown)).toContain("repository/.claude/rules/style.md")
})

test("explain says why a file above is not read, and how to read it", async () => {
  writeAll()
  write("agents/keeper/incipit.yaml", "users: {}\n")
  const { stdout } = await incipitHere(["explain", at(".claude/rules/style.md"), ...KEEPER], { cwd: folder })
  expect(stdout).toContain("It is above the workspace.")
  write("agents/keeper/AGENTS.md", "@../../AGENTS.md\n")
  expect(filesOf(await build(...KEEPER))).toContain("repository/AGENTS.md")
})

test.each([
  ["its own folder", [], {}],
  ["another folder", ["--cwd", "other"], { directory: "other" }],
])(
  "the running agent's prompt is that of build: %s",
  async (_where, flags, given: { directory?: string }) => {
    writeAll()
    write("agents/keeper/incipit.yaml", "users: {}\n")
    const shown = await build(...KEEPER, ...flags, "--session", "new", "--model", "offline/x/y")
    const terminal = {
      cwd: folder,
      home: at("home"),
      env: {},
      timeZone: "UTC",
      now: () => Date.UTC(2026, 10, 18, 12),
    }
    // What `run`, `chat` and `serve` open with the same flags.
    const options = agentOptions(
      { workspace: "agents/keeper", cwd: given.directory, model: "offline/x/y" },
      // Only what is read of it.
      {
        ...terminal,
        out: () => {},
        exact: () => {},
        err: () => {},
        drained: async () => {},
        columns: 80,
        colour: false,
        stopped: async () => {},
      },
    )
    const agent = await openAgent({ ...options, state: at("state") })
    const prompt = await agent.preview("Hello.", { isNew: true })
    await agent.close()
    const heads = shown.blocks.filter(({ placement }) => placement === "head")
    expect(prompt.head.map(({ text }) => text)).toEqual(heads.map(({ text }) => text))
  },
)
