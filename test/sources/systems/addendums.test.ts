import { hostname, platform } from "node:os"
import { expect, onTestFinished, test } from "vitest"
import { createCompiler } from "../../../src/core/compile/compiler.ts"
import { incipit } from "../../../src/profiles/incipit/incipit.ts"
import { gatherAgent } from "../../../src/sources/systems/gather-agent.ts"
import { gatherSession, type SessionOptions } from "../../../src/sources/systems/gather-session.ts"
import { openWorkspace } from "../../../src/sources/workspace.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { makeFolder } from "../folder.ts"

const CONFIG = `environment: { host: Box.example.org, os: macos, arch: off, runtime: off }
users:
  ada: { trust: full, match: ["terminal:*"] }
  bob: { trust: familiar }
  eve: { trust: public }
`

function workspace(files: Readonly<Record<string, string>>, config = CONFIG) {
  const folder = makeFolder()
  onTestFinished(() => folder.remove())
  folder.write("workspace/incipit.yaml", config)
  for (const [name, text] of Object.entries(files)) folder.write(`workspace/addendums/${name}`, text)
  return openWorkspace(folder.root)
}

/** The section as it is told, or what became of it. */
function told(opened: ReturnType<typeof workspace>, options: SessionOptions = {}): string | undefined {
  const agent = gatherAgent(opened).value
  const session = gatherSession(opened, { env: {}, ...options }).value
  const { blocks, entries } = createCompiler({ profile: incipit, counter: o200k })
    .head(agent, session)
    .step({ id: "t", now: 0, timeZone: "UTC" }).plan
  const entry = entries.find(({ id }) => id === "addendums")
  const text = entry?.spans.map(({ block, start, end }) => blocks[block]?.text.slice(start, end)).join("")
  return text === "" ? entry?.outcome.kind : text
}

const FILES = {
  "os/darwin.md": "Use pbcopy.\n",
  "os/linux.md": "Use xclip.\n",
  "os/windows.md": "Use clip.\n",
  "machine/box.md": "The disk is full 💾.\n",
  "machine/box.example.org.md": "---\ntrust: full\n---\nThe backup key is in the drawer.\n",
  "machine/other.md": "Elsewhere.\n",
}
const SYSTEM = '<file path="addendums/os/darwin.md">\nUse pbcopy.\n</file>\n'
const MACHINE = '<file path="addendums/machine/box.md">\nThe disk is full 💾.\n</file>\n'
const WHOLE =
  '<file path="addendums/machine/box.example.org.md">\nThe backup key is in the drawer.\n</file>\n'

test("only what is about this machine is sent, to whom it may be sent", () => {
  const opened = workspace(FILES)
  expect([told(opened), told(opened, { as: "bob" }), told(opened, { as: "eve" })]).toEqual([
    `<addendums>\n${SYSTEM}${MACHINE}${WHOLE}</addendums>\n\n`,
    `<addendums>\n${SYSTEM}${MACHINE}</addendums>\n\n`,
    "withheld",
  ])
})

test("nothing is said where there is no machine, no file or no room for it", () => {
  const opened = workspace(FILES)
  const { env, ...elsewhere } = { env: undefined }
  const session = gatherSession(opened, elsewhere).value
  expect(session.files.filter(({ role }) => role === "addendum")).toEqual([])
  expect([told(workspace({})), told(opened, { mode: "minimal" })]).toEqual(["unused", "unused"])
})

test("without a word in the configuration it is the machine that it runs on", () => {
  const system = { darwin: "darwin", win32: "windows" }[platform() as string] ?? platform()
  const host = hostname().toLowerCase().split(".", 1)[0] ?? ""
  const opened = workspace(
    { [`os/${system}.md`]: "This system.\n", [`machine/${host}.md`]: "This one.\n" },
    "",
  )
  expect(told(opened)).toBe(
    `<addendums>\n<file path="addendums/os/${system}.md">\nThis system.\n</file>\n<file path="addendums/machine/${host}.md">\nThis one.\n</file>\n</addendums>\n\n`,
  )
})

test("a name that could lead elsewhere is no name", () => {
  const opened = workspace({ "secret.md": "Hidden.\n" }, 'environment: { host: "../secret", os: ".." }\n')
  expect(told(opened)).toBe("unused")
})
