// A known folder that is a link out of the workspace may lead to somebody's whole home: what stands there is not listed.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { placesOf } from "../../src/files/gate/places.ts"
import { markdownFiles } from "../../src/files/markdown-files.ts"

function folders() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "incipit-linked-")))
  onTestFinished(() => rmSync(base, { recursive: true }))
  const [home, workspace] = [join(base, "home"), join(base, "workspace")]
  mkdirSync(join(home, "diary"), { recursive: true })
  mkdirSync(join(workspace, "texts"), { recursive: true })
  writeFileSync(join(home, "diary", "secret.md"), "Secret.\n")
  // A link in it would be followed if the folder were listed.
  symlinkSync(join(home, "diary"), join(home, "ada"))
  writeFileSync(join(workspace, "texts", "one.md"), "One.\n")
  return { home, workspace, roots: [workspace] }
}

test("Markdown below a link that leads out is the link itself, which reading refuses with a reason", () => {
  const { home, workspace, roots } = folders()
  symlinkSync(home, join(workspace, "rules"))
  expect(markdownFiles(join(workspace, "rules"), { roots })).toEqual({ paths: [""], links: [], folders: [] })
})

test("a link to another folder of the workspace is followed", () => {
  const { workspace, roots } = folders()
  symlinkSync(join(workspace, "texts"), join(workspace, "rules"))
  expect(markdownFiles(join(workspace, "rules"), { roots })).toEqual({
    paths: ["one.md"],
    links: [],
    folders: [join(workspace, "texts")],
  })
})

test("people behind a link are one place, with no place for each", () => {
  const { home, workspace } = folders()
  const linked = () => placesOf({ folder: workspace, stores: [] }).linked.map(({ from }) => from)
  symlinkSync(home, join(workspace, "users"))
  expect(linked()).toEqual([join(workspace, "users")])
})

test("where the links among people's files lead, and nothing else there, is closed like their folders", () => {
  const { home, workspace } = folders()
  const users = join(workspace, "users")
  mkdirSync(join(users, "bea"), { recursive: true })
  writeFileSync(join(users, "bea", "USER.md"), "Bea.\n")
  symlinkSync(join(home, "diary", "secret.md"), join(users, "bea", "diary.md"))
  symlinkSync(join(workspace, "texts"), join(users, "cal"))
  symlinkSync(join(home, "gone.md"), join(users, "bea", "gone.md"))
  expect(placesOf({ folder: workspace, stores: [] }).linked).toEqual([
    { path: join(workspace, "texts"), trust: "full", kind: "own", from: join(users, "cal") },
    {
      ...{ path: join(home, "diary", "secret.md"), trust: "full", kind: "own" },
      from: join(users, "bea", "diary.md"),
    },
  ])
})
