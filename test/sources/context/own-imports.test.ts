// What the workspace's own AGENTS.md imports: the file is in the prompt as behaviour, and what it imports as context,
// wherever the working directory is and whoever else imports it.
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { sentence } from "../../../src/base/diagnostic.ts"
import { whyUnread } from "../../../src/sources/context/why-unread.ts"
import { gatherAgent } from "../../../src/sources/systems/gather-agent.ts"
import { gatherSession, type SessionOptions } from "../../../src/sources/systems/gather-session.ts"
import { openWorkspace } from "../../../src/sources/workspace.ts"
import { type Folder, makeFolder } from "../folder.ts"

let folder: Folder
beforeEach(() => {
  folder = makeFolder()
  execFileSync("git", ["init", "-q", folder.root], { stdio: "pipe" })
})
afterEach(() => folder.remove())

function gathered(options: SessionOptions = { directory: folder.root }) {
  const workspace = openWorkspace(folder.root, { home: folder.home })
  const agent = gatherAgent(workspace)
  const session = gatherSession(workspace, { ...options, known: agent.value.files })
  const diagnostics = [...agent.diagnostics, ...session.diagnostics]
  const isHere = (path: string) => path.startsWith(folder.path) || path.startsWith("~")
  return {
    behaviour: agent.value.files.filter(({ role }) => role === "behaviour").map(({ text }) => text),
    context: session.value.files
      .filter(({ role, path }) => role === "context" && isHere(path))
      .map(({ text }) => text.trim()),
    findings: diagnostics
      .filter((finding) => "path" in finding && isHere(finding.path))
      .map((finding) => `${finding.code} ${sentence(finding)}`.replaceAll(folder.path, "")),
    fate: (name: string) =>
      whyUnread(join(folder.root, name), {
        ...{ workspace, agent: agent.value, session: session.value, diagnostics },
        ...{ directory: options.directory ?? folder.root, profile: "incipit", isOwnSystem: true },
      }),
  }
}

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) folder.write(name, text)
}

test("the workspace's AGENTS.md brings in what it imports, and hides no CLAUDE.md that it imports", () => {
  write({
    "home/.incipit/AGENTS.md": "Home.",
    "workspace/AGENTS.md": "Own.\n@CLAUDE.md\n@docs/other.md\n",
    "workspace/CLAUDE.md": "Claude.\n@docs/deep.md\n",
    "workspace/docs/other.md": "Other.",
    "workspace/docs/deep.md": "Deep.",
  })
  const { behaviour, context, findings } = gathered()
  expect(behaviour).toEqual(["Own.\n@CLAUDE.md\n@docs/other.md\n"])
  expect(context).toEqual(["Home.", "Claude.\n@docs/deep.md", "Deep.", "Other."])
  expect(findings).toEqual([])
})

test.each<readonly [string, (root: string, path: string) => SessionOptions]>([
  ["below the workspace", (root) => ({ directory: join(root, "src") })],
  ["elsewhere", (_, path) => ({ directory: join(path, "project") })],
  ["above the workspace", (_, path) => ({ directory: path })],
  ["not given", () => ({})],
])("with a working directory that is %s, they are there too, once", (_, options) => {
  write({
    "workspace/AGENTS.md": "Own.\n@docs/other.md\n@absent.md\n",
    "workspace/docs/other.md": "Other.",
    "workspace/src/AGENTS.md": "Source.\n@../docs/other.md",
    "project/AGENTS.md": "Project.",
  })
  const { context, findings } = gathered(options(folder.root, folder.path))
  expect(context.filter((text) => text === "Other.")).toHaveLength(1)
  expect(findings).toEqual([
    "import-missing /workspace/AGENTS.md:3: imports absent.md, which does not exist. The line is sent as written.",
  ])
})

test("a file that the configuration lists brings in what it imports, if AGENTS.md imports it", () => {
  write({
    "workspace/incipit.yaml": "prompt:\n  files:\n    - { path: extra.md }\n",
    "workspace/AGENTS.md": "@extra.md",
    "workspace/extra.md": "Extra.\n@docs/deep.md",
    "workspace/docs/deep.md": "Deep.",
  })
  expect(gathered().context).toEqual(["Deep."])
})

test("nothing that AGENTS.md does not tell is followed, nor is a place of its own", () => {
  write({
    "workspace/AGENTS.md": "<!-- @docs/note.md -->\n@SOUL.md\n@memory/shared/a.md\n",
    "workspace/docs/note.md": "Note.",
    "workspace/SOUL.md": "Soul.",
    "workspace/memory/shared/a.md": "Memory.",
  })
  expect(gathered().context).toEqual([])
})

test("an AGENTS.md that the audience may not see changes nothing by what it imports", () => {
  const options = { directory: folder.root, situation: "group" }
  write({ "workspace/AGENTS.md": "---\ntrust: full\n---\n", "workspace/docs/other.md": "Other." })
  const without = gathered(options)
  write({ "workspace/AGENTS.md": "---\ntrust: full\n---\n@docs/other.md\n@absent.md\n" })
  const { context, findings } = gathered(options)
  expect({ context, findings }).toEqual({ context: without.context, findings: without.findings })
})

test("an import that was refused is explained as one", () => {
  write({ "workspace/AGENTS.md": "@memory/a.txt\n@docs/1.md\n", "workspace/memory/a.txt": "Memory." })
  for (const at of [1, 2, 3, 4, 5]) folder.write(`workspace/docs/${at}.md`, `@${at + 1}.md`)
  write({ "workspace/docs/6.md": "Six.", "workspace/docs/loose.md": "Loose." })
  const { fate } = gathered()
  expect(fate("docs/loose.md")).toEqual({ kind: "unread", why: { kind: "not-read", profile: "incipit" } })
  expect(fate("docs/5.md")).toMatchObject({
    why: {
      kind: "refused",
      reason: expect.stringContaining("docs/4.md:1: imports 5.md, which is more than 4 imports deep"),
    },
  })
})

test("an AGENTS.md that is a link checked out as a plain file brings in what it leads to", () => {
  write({ "workspace/AGENTS.md": "CLAUDE.md", "workspace/CLAUDE.md": "Claude." })
  const { context, findings } = gathered()
  expect({ context, findings }).toEqual({ context: ["Claude."], findings: [] })
})
