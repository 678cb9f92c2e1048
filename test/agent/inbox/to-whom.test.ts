// One program for several people: what comes without being waited for says whose it is.
import { expect, test } from "vitest"
import { byCodePoint } from "../../../src/base/order.ts"
import type { Sender } from "../../../src/database/contract/sender.ts"
import { call, clock, NIGHT, open, refuse, say, server, workspace } from "../world/agent-world.ts"

const CONFIG = `feeds: { communication: off, bulletin: off }
users:
  alice: { trust: full, match: ["signal:alice"] }
  bob: { trust: familiar, match: ["signal:bob"] }
rooms: { "signal:crew": { trust: familiar } }
`

test("an answer that comes late says who sent the message, also after a restart", async () => {
  const root = workspace({ "incipit.yaml": CONFIG })
  const time = clock()
  const busy = Array.from({ length: 12 }, () => refuse(529))
  const from = await server([...busy, say("Yes."), say("Yes."), say("Yes.")])
  const before = await open(root, from, { now: time.now, wait: time.wait })
  await before.agent.send("One?", { channel: "signal:bob" })
  await before.agent.send("Two?", { as: "alice", channel: "signal:crew" })
  await before.agent.send("Three?")
  await before.agent.close()
  time.set(NIGHT + 3_600_000)
  const given: Sender[] = []
  const deliver = (_reply: unknown, to: Sender) => void given.push(to)
  const after = await open(root, from, { now: time.now, wait: time.wait, deliver })
  await after.agent.resume()
  // Sessions do not wait for each other.
  const sorted = given.toSorted((a, b) => byCodePoint(a.channel ?? "", b.channel ?? ""))
  expect(sorted).toEqual([{}, { channel: "signal:bob" }, { as: "alice", channel: "signal:crew" }])
})

test("a notice says of whose message it came", async () => {
  const root = workspace({ "incipit.yaml": CONFIG })
  const from = await server([call(["notify_user", { text: "The boat is in." }]), say("Done.")])
  const given: (readonly [string, Sender])[] = []
  const { agent } = await open(root, from, { notify: (text, to) => void given.push([text, to]) })
  await agent.send("Tell me when the boat is in.", { channel: "signal:bob" })
  expect(given).toEqual([["The boat is in.", { channel: "signal:bob" }]])
})
