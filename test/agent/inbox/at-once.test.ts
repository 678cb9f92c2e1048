// Several things at once, with a store that takes its time: between a call and its result, others may act.
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import type { SentReply } from "../../../src/agent/turn/live-event.ts"
import type { AgentStore } from "../../../src/database/contract/agent-store.ts"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import { watched } from "../store/watched-store.ts"
import { call, collect, open, refuse, say, server, workspace } from "../world/agent-world.ts"

/** `between`: what happens after a call, named with its number from the second on, before its caller gets the result. */
async function storeIn(
  root: string,
  between: Readonly<Record<string, () => Promise<unknown>>>,
  now: () => number = Date.now,
) {
  const file = await openStore(join(root, ".incipit", "agent.db"), { now })
  onTestFinished(() => file.close())
  const counts = new Map<string, number>()
  const store: AgentStore = watched(file, async (name, make) => {
    const made = await make()
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    await between[count === 1 ? name : `${name} ${count}`]?.()
    return made
  })
  return { file, store }
}

test("a message that is being received is left to its sender, who hears its events and is asked", async () => {
  const root = workspace()
  const from = await server([call(["write", { path: "a.md", text: "b\n" }]), say("Done.")])
  const resumed: unknown[] = []
  const { store } = await storeIn(root, {
    "inbox.receive": async () => void resumed.push(await agent.resume()),
  })
  const { agent } = await open(root, from, { store, without: ["approve"] })
  const { tell, events } = collect()
  const reply = await agent.send("Write it.", { tell, approve: async () => "yes" })
  expect([reply.text, resumed]).toEqual(["Done.", [[]]])
  const kinds = new Set(events.map(({ kind }) => kind))
  expect(
    ["turn-started", "tool-finished", "turn-finished"].filter((kind) => !kinds.has(kind as "queued")),
  ).toEqual([])
  expect(events.filter((event) => event.kind === "tool-finished" && event.isError)).toEqual([])
})

/** An overloaded provider, until it answers. */
const OVERLOADED = Array.from({ length: 4 }, () => refuse(529))
const START = Date.UTC(2026, 5, 15)
const HOUR = 3_600_000

test("a message that is stopped behind one that is put off again is not answered later", async () => {
  const root = workspace()
  const from = await server([...OVERLOADED, ...OVERLOADED, say("Late.")])
  const stopper = new AbortController()
  let time = START
  const between = {
    "inbox.postpone 2": async () => {
      stopper.abort()
      await second
    },
  }
  const { store } = await storeIn(root, between, () => time)
  const { agent, late } = await open(root, from, { store, now: () => time, wait: async () => {} })
  const first = await agent.send("First.")
  time += HOUR
  const second = agent.send("Second.", { signal: stopper.signal })
  expect([first.state, (await second).state]).toEqual(["queued", "stopped"])
  time += HOUR
  await agent.resume()
  await agent.send("Third.")
  // One request for the first message, and one for the third.
  expect([late.map(({ text }) => text), from.bodies.length]).toEqual([["Late."], 2 * OVERLOADED.length + 2])
})

test("a conversation that is erased while a message waits in it ends the wait", async () => {
  const root = workspace()
  const from = await server([say("Hello.")])
  const { file, store } = await storeIn(root, {
    "inbox.receive": async () => void (await file.upkeep.erase(["owner"])),
  })
  const { agent } = await open(root, from, { store })
  const { state, text } = await agent.send("Hello?")
  expect([state, text]).toEqual([
    "failed",
    expect.stringMatching(/^This cannot be answered now: the session \w+ was deleted in the meantime\.$/),
  ])
})

test("a session that another process takes over ends the work on it, and no other work", async () => {
  const root = workspace()
  const from = await server([...OVERLOADED, ...OVERLOADED, say("Hello.")])
  let time = START
  const sent: SentReply[] = []
  const between = {
    // The third time, a turn is resumed.
    "inbox.begin 3": async () => {
      const { session = "" } = sent[0] ?? {}
      const held = await file.sessions.claim(session, { owner: "x", leaseMs: 1 })
      const deadOwners = held.kind === "held" ? [held.by] : []
      await file.sessions.claim(session, { owner: "elsewhere:1:1:x", leaseMs: 30_000, deadOwners })
    },
  }
  const { file, store } = await storeIn(root, between, () => time)
  const { agent, late } = await open(root, from, { store, now: () => time, wait: async () => {} })
  sent.push(await agent.send("First."), await agent.send("Second.", { isNew: true }))
  expect(sent.map(({ state }) => state)).toEqual(["queued", "queued"])
  time += HOUR
  await agent.resume()
  expect(late.map(({ turn, text }) => [turn === sent[1]?.turn, text])).toEqual([[true, "Hello."]])
})
