// The configuration is read again when its file changes, and nobody goes on with the old one meanwhile.
import { expect, test } from "vitest"
import { watchWorkspace } from "../../../src/agent/setup/watch-workspace.ts"
import { workspace, write } from "../world/agent-world.ts"

test("whoever asks while the file is read again gets what it says now", async () => {
  const root = workspace({ "incipit.yaml": "profile: incipit\nusers: { bob: { trust: full } }\n" })
  const watching = await watchWorkspace({ root, directory: root, hasMemory: true })
  // Another profile is a module of its own, which takes a while to load.
  write(root, "incipit.yaml", "profile: moltis\nusers: { bob: { trust: public } }\n")
  const asked = Array.from({ length: 3 }, async () => {
    const { kind } = await watching.refresh()
    const { workspace: now, profile } = watching.now()
    return [kind, profile.name, now.config.users?.bob?.trust]
  })
  expect(await Promise.all(asked)).toEqual([
    ["changed", "moltis", "public"],
    ["same", "moltis", "public"],
    ["same", "moltis", "public"],
  ])
})

test("a file that was broken is reported once, and read again when it is whole", async () => {
  const root = workspace({ "incipit.yaml": "users: { bob: { trust: full } }\n" })
  const watching = await watchWorkspace({ root, directory: root, hasMemory: true })
  write(root, "incipit.yaml", "users: [\n")
  const kinds = async () =>
    (await Promise.all([watching.refresh(), watching.refresh()])).map(({ kind }) => kind)
  expect([await kinds(), watching.now().workspace.config.users?.bob?.trust]).toEqual([
    ["failed", "same"],
    "full",
  ])
  write(root, "incipit.yaml", "users: { bob: { trust: inner } }\n")
  expect([await kinds(), watching.now().workspace.config.users?.bob?.trust]).toEqual([
    ["changed", "same"],
    "inner",
  ])
})
