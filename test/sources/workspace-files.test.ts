import { execFileSync } from "node:child_process"
import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { sentence } from "../../src/base/diagnostic.ts"
import { view } from "../../src/core/view/view.ts"
import { MAX_BYTES } from "../../src/sources/read/file.ts"
import { gatherAgent } from "../../src/sources/systems/gather-agent.ts"
import { gatherSession } from "../../src/sources/systems/gather-session.ts"
import { openWorkspace } from "../../src/sources/workspace.ts"

let folder: string
let root: string
let home: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "incipit-sources-"))
  root = join(folder, "workspace")
  home = join(folder, "home")
  mkdirSync(root)
  mkdirSync(home)
})

afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string | Uint8Array): string {
  const full = join(folder, path)
  mkdirSync(dirname(full), { recursive: true })
  writeFileSync(full, text)
  return full
}

function gather() {
  const { value, diagnostics } = gatherAgent(openWorkspace(root, { home }))
  return { files: value.files, findings: diagnostics.map((item) => `${item.code}: ${sentence(item)}`) }
}

const facts = () => gather().files.map(({ role, path, trust }) => `${role} ${path} ${trust}`)

test("finds the files whose names have a meaning, each with its default trust, in a fixed order", () => {
  for (const name of ["USER.md", "TOOLS.md", "SOUL.md", "IDENTITY.md", "AGENTS.md", "OTHER.md"])
    write(`workspace/${name}`, name)
  write("workspace/rules/z.md", "z")
  write("workspace/rules/deep/a.md", "a")
  write("workspace/rules/B.md", "b")
  write("workspace/rules/notes.txt", "no")
  write("workspace/.incipit/APPEND_SYSTEM.md", "append")
  write("workspace/.incipit/SYSTEM.md", "own base")
  write("home/.incipit/SYSTEM.md", "home base")
  expect(facts()).toEqual([
    "base .incipit/SYSTEM.md public",
    "base ~/.incipit/SYSTEM.md public",
    "append .incipit/APPEND_SYSTEM.md public",
    "identity IDENTITY.md familiar",
    "soul SOUL.md familiar",
    "behaviour AGENTS.md familiar",
    "tool-notes TOOLS.md familiar",
    "user USER.md inner",
    "rules rules/B.md familiar",
    "rules rules/deep/a.md familiar",
    "rules rules/z.md familiar",
  ])
})

test("frontmatter is taken off, and the body knows the line it starts on", () => {
  write("workspace/IDENTITY.md", '---\nname: Fresnel\nemoji: "💡"\n---\n\nBody.\n')
  const [file] = gather().files
  expect(file).toMatchObject({ fields: { name: "Fresnel", emoji: "💡" }, text: "\nBody.\n", firstLine: 5 })
})

test("frontmatter may raise or lower the trust, and name situations and modes", () => {
  write("workspace/SOUL.md", "---\ntrust: full\nsituations: [dm, system]\naudience: subagent\n---\nx")
  expect(gather().files[0]).toMatchObject({
    trust: "full",
    situations: ["dm", "system"],
    modes: ["subagent"],
  })
})

test("a level that does not exist hides the file from all but the owner, and is a diagnostic", () => {
  write("workspace/SOUL.md", "---\ntrust: evryone\n---\nx")
  const { files, findings } = gather()
  expect(files[0]?.trust).toBe("full")
  expect(findings).toEqual(['unknown-trust: SOUL.md: unknown trust "evryone". To be safe, "full" is used.'])
})

test("bad frontmatter is a diagnostic with its line, and the body is kept", () => {
  write("workspace/SOUL.md", "---\nname: x\ntrust: [full\n---\nBody.")
  const { files, findings } = gather()
  expect(files[0]?.text).toBe("Body.")
  expect(findings).toHaveLength(1)
  expect(findings[0]).toMatch(/^bad-frontmatter: SOUL\.md:[34]: invalid frontmatter: /)
})

test("a bomb of YAML aliases is a diagnostic", () => {
  const bomb = [
    "a: &a [x,x,x,x,x,x,x,x,x]",
    ..."bcdefghi".split("").map((name, at) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[at]}`)}]`),
  ]
  write("workspace/SOUL.md", `---\n${bomb.join("\n")}\n---\nBody.`)
  expect(gather().findings[0]).toMatch(/^bad-frontmatter: /)
})

test("three dashes that are not frontmatter stay in the body", () => {
  write("workspace/SOUL.md", "Text\n\n---\n\nMore")
  expect(gather().files[0]).toMatchObject({ text: "Text\n\n---\n\nMore", firstLine: 1, fields: {} })
})

test("a byte order mark goes, CRLF becomes LF, and what is no UTF-8 is replaced and reported", () => {
  write("workspace/SOUL.md", Buffer.from("\ufeffone\r\ntwo", "utf8"))
  write("workspace/AGENTS.md", Buffer.from([0x61, 0xff, 0x62]))
  const { files, findings } = gather()
  expect(files.map(({ text }) => text)).toEqual(["one\ntwo", "a\ufffdb"])
  expect(findings).toEqual(["invalid-utf8: AGENTS.md: is not valid UTF-8. Invalid bytes are sent as U+FFFD."])
})

test("a link that leads outside is refused, one that stays inside is the same file", () => {
  write("secret.md", "secret")
  const soul = write("workspace/SOUL.md", "soul")
  symlinkSync(join(folder, "secret.md"), join(root, "AGENTS.md"))
  symlinkSync(soul, join(root, "TOOLS.md"))
  const { files, findings } = gather()
  expect(files.map(({ role }) => role)).toEqual(["soul", "tool-notes"])
  expect(files[0]?.identity).toBe(files[1]?.identity)
  expect(findings).toEqual([
    `outside-roots: AGENTS.md: leads outside the folders that may be read, to ${join(folder, "secret.md")}. It was left out.`,
  ])
})

test.each([["agents/helper"], ["agents"]])("a further agent is not a link: %s", (link) => {
  write("elsewhere/helper/notes.md", "Not of this workspace.")
  mkdirSync(dirname(join(root, link)), { recursive: true })
  symlinkSync(join(folder, link.replace("agents", "elsewhere")), join(root, link))
  expect(() => openWorkspace(root, { agent: "helper" })).toThrow(
    `the folder of the agent "helper" is a link that leads to ${join(folder, "elsewhere/helper")}`,
  )
})

test("what is kept of a workspace is not kept through a link", () => {
  const elsewhere = dirname(write("other/.incipit/agent.db", ""))
  symlinkSync(elsewhere, join(root, ".incipit"))
  expect(() => openWorkspace(root)).toThrow(
    `cannot keep state in ${join(root, ".incipit")}: it is a link that leads to ${elsewhere}`,
  )
  // One's own home may be arranged as one likes.
  expect(openWorkspace(root, { home: root }).root).toBe(root)
})

test("a device in place of the configuration is not read", () => {
  symlinkSync("/dev/zero", join(root, "incipit.yaml"))
  expect(() => openWorkspace(root)).toThrow(
    `cannot read ${join(root, "incipit.yaml")}: it is a link out of the folder`,
  )
})

test("a configuration that is a link to a file elsewhere is not read", () => {
  const key = write("other/id_rsa", "-----BEGIN OPENSSH PRIVATE KEY-----\n")
  symlinkSync(key, join(root, "incipit.yaml"))
  const reason = "it is a link out of the folder; copy the file it points to"
  expect(() => openWorkspace(root)).toThrow(`cannot read ${join(root, "incipit.yaml")}: ${reason}`)
})

test("a configuration may be a link to a file of the same folder", () => {
  write("workspace/configs/main.yaml", "profile: pi\n")
  symlinkSync(join("configs", "main.yaml"), join(root, "incipit.yaml"))
  expect(openWorkspace(root).config).toEqual({ profile: "pi" })
})

test("a hard link under a milder name is as hidden as the file it leads to", () => {
  const user = write("workspace/USER.md", "private")
  linkSync(user, join(root, "SOUL.md"))
  const agent = gatherAgent(openWorkspace(root)).value
  const session = gatherSession(openWorkspace(root), { channel: "telegram:1" }).value
  const familiar = { ...session, audience: { ...session.audience, trust: "familiar" as const } }
  expect(view(agent, familiar).agent.files).toEqual([])
})

test("what is no regular file is refused at once", () => {
  mkdirSync(join(root, "SOUL.md"))
  execFileSync("mkfifo", [join(root, "AGENTS.md")])
  expect(gather().findings).toEqual([
    "not-a-regular-file: SOUL.md: is not a regular file. It was left out.",
    "not-a-regular-file: AGENTS.md: is not a regular file. It was left out.",
  ])
})

test("a file that is far too large is refused unread", () => {
  truncateSync(write("workspace/SOUL.md", ""), MAX_BYTES + 1)
  expect(gather().findings[0]).toBe(
    `file-too-large: SOUL.md: has ${MAX_BYTES + 1} bytes; files of up to ${MAX_BYTES} bytes are read. It was left out.`,
  )
})

test("a file that was refused is spoken of to the owner alone, since it may have been for the owner alone", () => {
  truncateSync(write("workspace/SOUL.md", "---\ntrust: full\n---\n"), MAX_BYTES + 1)
  const { diagnostics } = gatherAgent(openWorkspace(root))
  expect(diagnostics.find(({ code }) => code === "file-too-large")?.needs).toBe("full")
})

test("links that go in circles are unavailable, not fatal", () => {
  symlinkSync(join(root, "AGENTS.md"), join(root, "SOUL.md"))
  symlinkSync(join(root, "SOUL.md"), join(root, "AGENTS.md"))
  expect(gather().files.map(({ role, unavailable }) => [role, unavailable])).toEqual([
    ["soul", "ELOOP"],
    ["behaviour", "ELOOP"],
  ])
})

test("a further agent lives in its own folder", () => {
  write("workspace/SOUL.md", "main")
  write("workspace/agents/scout/SOUL.md", "scout")
  const agent = gatherAgent(openWorkspace(root, { agent: "scout" })).value
  expect({ id: agent.id, files: agent.files.map(({ path, text }) => [path, text]) }).toEqual({
    id: "scout",
    files: [["agents/scout/SOUL.md", "scout"]],
  })
})

test("an agent that is not there is an error", () => {
  expect(() => openWorkspace(root, { agent: "nobody" })).toThrow('there is no agent "nobody"')
})
