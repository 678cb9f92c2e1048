// Who may use which file through tools: the whole table, and that no other name of a file gets round it.
import { linkSync, mkdirSync, renameSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { TRUSTS, type Trust } from "../../src/base/trust.ts"
import { type Acting, makeActing } from "./acting.ts"
import { type AccessTo, accessTo } from "./open-access.ts"

let acting: Acting
beforeEach(() => {
  acting = makeActing()
})
afterEach(() => acting.remove())

const FILES = [
  "incipit.yaml",
  "SOUL.md",
  "USER.md",
  "MEMORY.md",
  "HEARTBEAT.md",
  "notes/tea.md",
  ".incipit/SYSTEM.md",
  ".incipit/record.db",
  "agents/butler/SOUL.md",
  "agents/butler/.incipit/memory.db-wal",
  "memory/private/diary.md",
  "memory/shared/people.md",
  "memory/social/tea.md",
  "memory/loose.md",
  "users/alice/USER.md",
  "users/bob/USER.md",
]

function open(trust: Trust, more: AccessTo = {}) {
  return accessTo(acting.root, {
    trust,
    stores: [
      { folder: join(acting.root, "memory/shared"), trust: "inner" },
      { folder: join(acting.root, "memory/social"), trust: "familiar" },
    ],
    ...more,
  })
}

/** The least trust that may read each file, and that may write it. */
function table(paths: readonly string[], more: AccessTo = {}) {
  const files = TRUSTS.map((trust) => [trust, open(trust, more)] as const)
  return Object.fromEntries(
    paths.map((path) => {
      const full = join(acting.root, path)
      const reads = files.find(([, access]) => access.mayRead(full))?.[0] ?? "nobody"
      const writes = files.find(([, access]) => access.mayWrite(full))?.[0] ?? "nobody"
      return [path, `${reads}, ${writes}`]
    }),
  )
}

test("the table", () => {
  for (const path of FILES) acting.write(path, path)
  const expected = {
    "incipit.yaml": "full, full",
    "SOUL.md": "familiar, full",
    "USER.md": "inner, full",
    "MEMORY.md": "full, full",
    "HEARTBEAT.md": "full, full",
    "notes/tea.md": "familiar, full",
    ".incipit/SYSTEM.md": "full, full",
    ".incipit/record.db": "nobody, nobody",
    "agents/butler/SOUL.md": "full, full",
    "agents/butler/.incipit/memory.db-wal": "nobody, nobody",
    "memory/private/diary.md": "full, full",
    "memory/shared/people.md": "inner, full",
    "memory/social/tea.md": "familiar, full",
    "memory/loose.md": "full, full",
    "users/alice/USER.md": "full, full",
    "users/bob/USER.md": "full, full",
  }
  expect(table(FILES)).toEqual(expected)
  expect(table(FILES, { person: "alice" })).toEqual({ ...expected, "users/alice/USER.md": "inner, full" })
  for (const person of ["", ".", "..", "../users", "ALICE"])
    expect(table(FILES, { person })).toEqual(expected)
})

test("of two places that are one, the stricter counts", () => {
  acting.write("users/bob/USER.md", "bob")
  const needs = (["familiar", "full"] as const).map((trust) => {
    const stores = [{ folder: join(acting.root, "users/bob"), trust }]
    return table(["users/bob/USER.md"], { person: "bob", stores })["users/bob/USER.md"]
  })
  expect(needs).toEqual(["inner, full", "full, full"])
})

test("what was gathered says itself who may see it, but opens no closed place", () => {
  for (const path of FILES) acting.write(path, path)
  const known: Readonly<Record<string, Trust>> = {
    [join(acting.root, "SOUL.md")]: "full",
    [join(acting.root, "notes/tea.md")]: "public",
    [join(acting.root, "USER.md")]: "public",
    [join(acting.root, "memory/social/tea.md")]: "inner",
    [join(acting.root, "users/alice/USER.md")]: "full",
  }
  const paths = ["SOUL.md", "notes/tea.md", "USER.md", "memory/social/tea.md", "users/alice/USER.md"]
  expect(table(paths, { trustOf: (path) => known[path], person: "alice" })).toEqual({
    "SOUL.md": "full, full",
    "notes/tea.md": "public, full",
    "USER.md": "inner, full",
    "memory/social/tea.md": "inner, full",
    "users/alice/USER.md": "full, full",
  })
})

test("another case of letters is no way in, nor a name that is not there yet", () => {
  const paths = ["user.MD", "Memory.md", "MEMORY/private/x.md", "Users/bob/x", ".INCIPIT/x.DB", "Agents/x"]
  expect(table(paths, { person: "bob" })).toEqual({
    "user.MD": "inner, full",
    "Memory.md": "full, full",
    "MEMORY/private/x.md": "full, full",
    "Users/bob/x": "full, full",
    ".INCIPIT/x.DB": "nobody, nobody",
    "Agents/x": "full, full",
  })
  acting.write("caf\u00e9/SOUL.md", "")
  expect(table(["cafe\u0301/MEMORY.md"], { workspace: join(acting.root, "caf\u00e9") })).toEqual({
    "cafe\u0301/MEMORY.md": "full, full",
  })
})

test("files that are there to hold keys need full trust, wherever they are", () => {
  const paths = [".env", "notes/.env.local", ".NPMRC", ".netrc", ".pgpass", ".envrc", "notes/my.env"]
  for (const path of paths) acting.write(path, "KEY=1")
  expect(table(paths, { trustOf: () => "public" })).toEqual({
    ".env": "full, full",
    "notes/.env.local": "full, full",
    ".NPMRC": "full, full",
    ".netrc": "full, full",
    ".pgpass": "full, full",
    ".envrc": "full, full",
    "notes/my.env": "full, full",
  })
})

test("a hard link needs what the file needs under each of its names", () => {
  for (const path of FILES) acting.write(path, path)
  mkdirSync(join(acting.root, "links"))
  const twins = FILES.map((path, at) => {
    linkSync(join(acting.root, path), join(acting.root, `links/${at}`))
    return `links/${at}`
  })
  const direct = Object.values(table(FILES))
  expect(Object.values(table(twins))).toEqual(direct)
})

test("where there are too many files to look for other names, what has several needs full trust", () => {
  acting.write("notes/tea.md", "tea")
  acting.write("notes/one.md", "one")
  acting.write(".incipit/record.db", "data")
  for (let at = 0; at < 20_000; at += 1) acting.write(`memory/private/${at}`, "")
  linkSync(join(acting.root, "notes/tea.md"), join(acting.root, "notes/twin.md"))
  linkSync(join(acting.root, ".incipit/record.db"), join(acting.root, ".incipit/twin.db"))
  expect(table(["notes/tea.md", "notes/twin.md", "notes/one.md", ".incipit/twin.db"])).toEqual({
    "notes/tea.md": "full, full",
    "notes/twin.md": "full, full",
    "notes/one.md": "familiar, full",
    ".incipit/twin.db": "nobody, nobody",
  })
})

test("where a special file is a link, what it leads to is just as closed", () => {
  acting.write("desk/me.md", "me")
  acting.write("desk/diary/a.md", "dear")
  acting.write("users/bob/USER.md", "bob")
  symlinkSync("desk/me.md", join(acting.root, "HEARTBEAT.md"))
  mkdirSync(join(acting.root, "memory"))
  symlinkSync("../desk/diary", join(acting.root, "memory/private"))
  symlinkSync("users/bob/USER.md", join(acting.root, "USER.md"))
  acting.write("desk/state/record.db", "data")
  symlinkSync("desk/state", join(acting.root, ".incipit"))
  linkSync(join(acting.root, "desk/diary/a.md"), join(acting.root, "desk/twin.md"))
  const stores = [{ folder: join(acting.root, "memory/private"), trust: "full" }] as const
  const paths = ["desk/me.md", "desk/diary/a.md", "desk/twin.md"]
  expect(table([...paths, "desk/state/record.db", "desk/state/x", "users/bob/USER.md"], { stores })).toEqual({
    "desk/me.md": "full, full",
    "desk/diary/a.md": "full, full",
    "desk/twin.md": "full, full",
    "desk/state/record.db": "nobody, nobody",
    "desk/state/x": "full, full",
    "users/bob/USER.md": "full, full",
  })
})

test("a store that is a link opens nothing that it leads to", () => {
  acting.write("users/bob/USER.md", "bob")
  mkdirSync(join(acting.root, "memory"))
  symlinkSync("../users/bob", join(acting.root, "memory/social"))
  expect(table(["users/bob/USER.md"])).toEqual({ "users/bob/USER.md": "full, full" })
})

test("outside of the workspace inner trust reads, in folders that are named", () => {
  acting.write("../project/src/a.ts", "")
  acting.write("../extra/b.md", "")
  acting.write("../extra-evil/c.md", "")
  acting.write("../home/.incipit/SYSTEM.md", "")
  acting.write("../home/.incipit/agent.db", "")
  acting.write("../home/.incipit/skills/tea/SKILL.md", "")
  acting.write("../home/.agents/skills/tea/SKILL.md", "")
  acting.write("../home/diary.md", "")
  const folder = join(acting.root, "..")
  const paths = [
    "../project/src/a.ts",
    "../extra/b.md",
    "../extra-evil/c.md",
    "../outside",
    "../home/.incipit/SYSTEM.md",
    "../home/.incipit/agent.db",
    "../home/.incipit/skills/tea/SKILL.md",
    "../home/.agents/skills/tea/SKILL.md",
    "../home/diary.md",
  ]
  const more = {
    directory: join(folder, "project"),
    home: join(folder, "home"),
    extra: ["../extra", "~/none"],
  }
  expect(table(paths, more)).toEqual({
    "../project/src/a.ts": "inner, full",
    "../extra/b.md": "inner, full",
    "../extra-evil/c.md": "nobody, nobody",
    "../outside": "nobody, nobody",
    "../home/.incipit/SYSTEM.md": "full, full",
    "../home/.incipit/agent.db": "nobody, nobody",
    "../home/.incipit/skills/tea/SKILL.md": "inner, full",
    "../home/.agents/skills/tea/SKILL.md": "inner, full",
    "../home/diary.md": "nobody, nobody",
  })
  expect(open("full", more).roots.map((root) => root.slice(folder.length))).toEqual([
    "/project",
    "/workspace",
    "/home/.incipit",
    "/home/.agents/skills",
    "/extra",
  ])
})

test("a further agent sees its own folder, and of the workspace what anybody sees", () => {
  for (const path of FILES) acting.write(path, path)
  acting.write("agents/butler/USER.md", "")
  acting.write("agents/cook/SOUL.md", "")
  const workspace = join(acting.root, "agents/butler")
  expect(
    table(["agents/butler/SOUL.md", "agents/butler/USER.md", "agents/cook/SOUL.md", "MEMORY.md", "SOUL.md"], {
      workspace,
    }),
  ).toEqual({
    "agents/butler/SOUL.md": "familiar, full",
    "agents/butler/USER.md": "inner, full",
    "agents/cook/SOUL.md": "full, full",
    "MEMORY.md": "full, full",
    "SOUL.md": "familiar, full",
  })
})

test("a workspace that is reached by a link is the same workspace", () => {
  acting.write("USER.md", "")
  acting.write("memory/social/a.md", "")
  const link = join(acting.root, "..", "link")
  symlinkSync(acting.root, link)
  const stores = [{ folder: join(link, "memory/social"), trust: "familiar" }] as const
  const more = { directory: link, workspace: link, stores }
  expect(open("full", more).roots).toEqual([acting.root])
  expect(table(["USER.md", "memory/social/a.md"], more)).toEqual({
    "USER.md": "inner, full",
    "memory/social/a.md": "familiar, full",
  })
})

test("a folder that is not there", () => {
  renameSync(acting.root, `${acting.root}.gone`)
  expect(() => open("full")).toThrow(`cannot open the folder ${acting.root}`)
  renameSync(`${acting.root}.gone`, acting.root)
})
