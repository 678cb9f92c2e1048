// Who a sender is: resolved once for each configuration, and again when it has changed.
import { rmSync } from "node:fs"
import { expect, onTestFinished, test } from "vitest"
import { createPeople } from "../../../src/agent/inbox/people.ts"
import { openWorkspace, reload, type Workspace } from "../../../src/sources/workspace.ts"
import { workspace as folder, write } from "../world/agent-world.ts"

const CONFIG = (trust: string) => `users:
  ada: { trust: ${trust}, match: ["telegram:1"] }
rooms:
  "telegram:-9": { trust: familiar, situation: group }
`

function live(): { readonly current: () => Workspace; configure(trust: string): void } {
  const root = folder({ "incipit.yaml": CONFIG("full") })
  let now = openWorkspace(root, {})
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return {
    current: () => now,
    configure(trust) {
      write(root, "incipit.yaml", CONFIG(trust))
      now = reload(now)
    },
  }
}

test("a sender is resolved once, whatever their message says", () => {
  const people = createPeople(live())
  const key = people.keyOf({ channel: "telegram:1" })
  expect(key).toMatchObject({ who: "person:ada", trust: "full", situation: "dm" })
  expect(people.keyOf({ channel: "telegram:1", planMode: true })).toBe(key)
  expect(people.keyOf({ channel: "telegram:2" })).not.toBe(key)
  expect(people.keyOf({ channel: "telegram:1", entry: "tides" })).toMatchObject({ entry: "tides" })
})

test("an object that names another sender than before counts as that sender", () => {
  const people = createPeople(live())
  const from: { as?: string; channel: string; situation?: string; entry?: string } = { channel: "telegram:1" }
  const own = people.keyOf(from)
  for (const change of [
    { entry: "tides" },
    { situation: "group" },
    { channel: "telegram:2" },
    { as: "bo" },
  ]) {
    Object.assign(from, change)
    expect(people.keyOf(from)).toEqual(people.keyOf({ ...from }))
    expect(people.isCurrent(own, from)).toBe(false)
  }
  expect([people.keyOf(from).who, people.mayRead(own, from)]).toEqual(["room:group:person:bo", false])
})

test("another configuration counts at once", () => {
  const workspace = live()
  const people = createPeople(workspace)
  const from = { channel: "telegram:1" }
  const before = people.keyOf(from)
  expect([people.isCurrent(before, from), people.mayRead(before, from)]).toEqual([true, true])
  workspace.configure("inner")
  expect(people.keyOf(from).trust).toBe("inner")
  expect([people.isCurrent(before, from), people.mayRead(before, from)]).toEqual([false, false])
  workspace.configure("full")
  expect(people.isCurrent(before, from)).toBe(true)
})

test("in a room, listeners have the lower of the room's and the sender's trust", () => {
  const people = createPeople(live())
  const room = { channel: "telegram:-9" }
  expect(people.listenersTrust({ ...room, sender: "telegram:1" })).toBe("familiar")
  expect(people.listenersTrust({ ...room, sender: "telegram:2" })).toBe("public")
  expect(people.trustFacts(room, { situation: "group", trust: "familiar" })).toEqual({
    ...{ user: "familiar", situation: "group", effective: "familiar", ceiling: "familiar" },
  })
})
