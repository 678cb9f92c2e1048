// How often the store is asked on the way of a message, from its arrival to its answer: nothing is done twice.
import { join } from "node:path"
import { expect, test } from "vitest"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import { watched } from "../store/watched-store.ts"
import { call, clock, open, say, server, tool, workspace } from "../world/agent-world.ts"

test("a session is claimed once and read once before and once after its turn", async () => {
  const root = workspace()
  const time = clock()
  const from = await server([say("One."), call(["look", {}]), say("Two.")])
  const calls: string[] = []
  const file = await openStore(join(root, ".incipit", "agent.db"), { now: time.now })
  const store = watched(file, async (name, make) => {
    calls.push(name)
    return make()
  })
  const look = tool("look", async () => "sea", { isReadOnly: true })
  const { agent } = await open(root, from, { store, now: time.now, tools: [look] })
  await agent.send("First.")
  calls.length = 0
  await agent.send("Look, please.")
  // Feeders, the queue's timer and the delivery of earlier answers ask the rest.
  const counts = Object.groupBy(calls, (name) => name)
  const once = ["currentOrNew", "claim", "release"].map((name) => counts[`sessions.${name}`]?.length)
  expect(once).toEqual([1, 1, 1])
  expect(["get", "facts"].map((name) => counts[`sessions.${name}`]?.length)).toEqual([1, 1])
  expect(counts["transcripts.read"]).toHaveLength(1)
  // The opening message with its tail, the call, and its result.
  expect(counts["transcripts.change"]).toHaveLength(3)
  expect(
    Object.keys(counts)
      .filter((name) => name.startsWith("inbox."))
      .sort(),
  ).toEqual(["begin", "finish", "message", "next", "openBeside", "receive"].map((name) => `inbox.${name}`))
})
