// Which files What if may change, and every reason why one may not: real files, in a folder with state and a database.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import type { SourceFile } from "../../../src/core/model/source.ts"
import { editableFiles, unreadable } from "../../../src/serve/page/what-if/editable-file.ts"
import type { Workspace } from "../../../src/sources/workspace.ts"

const FILES: Readonly<Record<string, string | Buffer>> = {
  "root/plain.md": "One.\nTwo.\n",
  "root/settings.md": "---\ntrust: inner\n---\nOne.\n",
  "root/hidden.md": "One.\u202eTwo.\n",
  "root/mixed.md": "One.\r\nTwo.\nThree.\n",
  "root/bytes.md": Buffer.from([0xff, 0xfe, 0x00]),
  "root/.incipit/plans/light.md": "Light it.\n",
  "root/state/notes.md": "Noted.\n",
  "root/MEMORY.md": "Old.\n",
  "outside.md": "Outside.\n",
  "documents/MEMORY.md": "New.\n",
}

function workspaceWith(facts: Partial<Workspace> = {}): Workspace {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-editable-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const root = join(folder, "root")
  symlinkSync("plain.md", join(root, "link.md"))
  symlinkSync(folder, join(root, "up"))
  const documents = facts.documents === undefined ? undefined : join(folder, facts.documents)
  // It is a workspace as far as this looks into it.
  return { root, folder: root, state: [join(root, "state")], config: {}, ...facts, documents } as Workspace
}

function file(path: string, text: string, facts: Partial<SourceFile> = {}): SourceFile {
  return {
    ...{ role: "rule", path, identity: path, trust: "public", text, firstLine: 1, digest: "sha256:0" },
    ...{ fields: {}, ...facts },
  }
}

function whyNot(source: SourceFile | readonly SourceFile[], workspace = workspaceWith()) {
  const [found] = editableFiles([source].flat(), workspace)
  return found?.kind === "fixed" ? found.why : found?.before
}

test("a file that is sent as it is can be edited, with what is before its text left alone", () => {
  expect(whyNot(file("plain.md", "One.\nTwo.\n"))).toBe("")
  expect(whyNot(file("settings.md", "One.\n", { firstLine: 4 }))).toBe("---\ntrust: inner\n---\n")
  expect(whyNot([file("plain.md", "One.\nTwo.\n"), file("plain.md", "One.\nTwo.\n")])).toBe("")
})

test("every other file says why not", () => {
  const twice = [file("plain.md", "One.\n"), file("plain.md", "Two.\n")]
  expect(whyNot([file("plain.md", "One.\nTwo.\n"), ...twice])).toBe(
    "plain.md is in the prompt in several parts.",
  )
  expect(whyNot(file("plain.md", "One.\nTwo.\n", { unavailable: "EACCES" }))).toBe(
    "plain.md cannot be read right now.",
  )
  expect(whyNot(file("plain.md", "One.\nTwo.\n", { lines: { line: 1 } }))).toBe(
    "plain.md is data, and only its values are sent.",
  )
  const changed = "is not sent as it is: something in it is left out or replaced."
  expect(whyNot(file("hidden.md", "One.Two.\n"))).toBe(`hidden.md ${changed}`)
  expect(whyNot(file("settings.md", "One.\n", { firstLine: 2 }))).toBe(`settings.md ${changed}`)
  expect(whyNot(file("gone.md", ""))).toBe(`gone.md ${changed}`)
  expect(whyNot(file("mixed.md", "One.\nTwo.\nThree.\n"))).toBe("mixed.md has line ends of both kinds.")
  expect(whyNot(file("bytes.md", ""))).toBe("bytes.md is not a text file.")
})

test("nothing outside of the folder, of the agent's state, behind a link or of a database is written", () => {
  for (const path of ["../outside.md", "~/outside.md", "/outside.md", "."])
    expect(whyNot(file(path, "Outside.\n"))).toBe(`${path} is outside the workspace.`)
  for (const path of ["state/notes.md", ".incipit/plans/light.md"])
    expect(whyNot(file(path, "Noted.\n"))).toBe(`${path} belongs to the agent's state.`)
  for (const path of ["link.md", "up/outside.md"])
    expect(whyNot(file(path, "One.\nTwo.\n"))).toBe(`${path} is a link, or in a folder that is one.`)
  const kept = workspaceWith({ documents: "documents" })
  expect(whyNot(file("MEMORY.md", "Old.\n"), kept)).toBe("MEMORY.md is kept in the database.")
  expect(whyNot(file("plain.md", "One.\nTwo.\n"), kept)).toMatch(/^plain\.md cannot be written here: /)
})

test("a new text that would be read in another way is refused", () => {
  const { root } = workspaceWith()
  const own = { path: "plain.md", real: join(root, "plain.md"), bytes: undefined, before: "", text: "One.\n" }
  expect(unreadable(own, "Two.\n")).toBe(undefined)
  expect(unreadable(own, "Two\u0000.\n")).toMatch(/invisible or control characters/)
  expect(unreadable(own, "---\ntrust: public\n---\nTwo.\n")).toMatch(/begins with ---/)
  expect(unreadable(own, "<!-- For us. -->\nTwo.\n")).toMatch(/begins with a comment/)
})
