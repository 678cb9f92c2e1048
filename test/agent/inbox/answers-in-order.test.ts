// Which answers are delivered, and in which order, when another process has received one of the messages, or the store
// fails meanwhile.
import { join } from "node:path"
import { expect, test } from "vitest"
import { agentStoreIn } from "../../../src/database/sqlite/agent/agent-store.ts"
import { STORE_MIGRATIONS } from "../../../src/database/sqlite/agent/file/schema.ts"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import { openDatabase } from "../../../src/database/sqlite/open-database.ts"
import { call, clock, NIGHT, open, say, server, tool, workspace } from "../world/agent-world.ts"

const PLACE = { channel: "chat:1" } as const
const KEY = { agent: "main", who: "person:ada", situation: "dm", trust: "full", mode: "full" } as const

/** A conversation whose first message was received on another machine, which has not been silent for long. */
async function receivedElsewhere({ isFromChannel }: { readonly isFromChannel: boolean }) {
  const root = workspace({ "incipit.yaml": "users: { ada: { trust: full, match: [chat:1] } }\n" })
  const time = clock()
  const store = await openStore(join(root, ".incipit", "agent.db"), { now: time.now })
  await store.sessions.create("s", KEY)
  await store.inbox.receive(
    {
      ...{ id: "m", turn: "elsewhere", session: "s", takenBy: "another-machine:1:1:x" },
      message: { ...PLACE, text: "First?" },
    },
    isFromChannel ? { arrival: { channel: "chat", id: "1" } } : {},
  )
  const opened = await open(root, await server([say("First."), say("Second.")]), {
    ...{ store, now: time.now, wait: time.wait },
  })
  return { ...opened, store, time }
}

test("an answer does not overtake the one before it, whoever received that message on a channel", async () => {
  const { agent, late, store } = await receivedElsewhere({ isFromChannel: true })
  const given: string[] = []
  const deliver = ({ text }: { readonly text: string }) => {
    given.push(...late.splice(0).map((reply) => reply.text), text)
  }
  expect((await agent.send("Second?", { ...PLACE, deliver })).session).toBe("s")
  expect(given).toEqual(["First.", "Second."])
  expect(await store.outbox.unsent("main")).toEqual([])
  await agent.close()
  await store.close()
})

test("an answer for a caller in another process waits for that process until it is gone", async () => {
  const { agent, late, store, time } = await receivedElsewhere({ isFromChannel: false })
  await agent.send("Second?", PLACE)
  expect(late).toEqual([])
  time.set(NIGHT + 60_000)
  await agent.resume()
  expect(late.map(({ text }) => text)).toEqual(["First."])
  await agent.close()
  await store.close()
})

test("a channel gets the answer, not what is said while there is none", async () => {
  const root = workspace()
  const path = join(root, ".incipit", "agent.db")
  const database = openDatabase(path, { migrations: STORE_MIGRATIONS })
  const lock = tool("lock", async () => {
    database.run("PRAGMA query_only = 1")
    return "locked"
  })
  const store = agentStoreIn(database, () => Date.now())
  const { agent, late } = await open(root, await server([call(["lock", {}]), say("Locked.")]), {
    ...{ store, tools: [lock] },
  })
  const given: string[] = []
  const { state } = await agent.send("Lock it.", {
    arrival: { channel: "chat", id: "1" },
    deliver: ({ text }) => void given.push(text),
  })
  database.run("PRAGMA query_only = 0")
  await agent.resume()
  expect([state, given, late.map(({ text }) => text)]).toEqual(["failed", [], ["Locked."]])
  await agent.close()
  await store.close()
})

test("an answer on a channel waits for the one before it that could not be delivered", async () => {
  const given: string[] = []
  let isDown = true
  const deliver = ({ text }: { readonly text: string }) => {
    if (isDown) throw new Error("the store is down")
    given.push(text)
  }
  const { agent } = await open(workspace(), await server([say("First."), say("Second.")]), { deliver })
  await agent.send("First?", { arrival: { channel: "chat", id: "1" } })
  await agent.send("Second?", { arrival: { channel: "chat", id: "2" } })
  isDown = false
  await agent.resume()
  expect(given).toEqual(["First.", "Second."])
  await agent.close()
})

test("an answer on a channel waits for the one before it that is being delivered", async () => {
  const given: string[] = []
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const deliver = async ({ text }: { readonly text: string }) => {
    begun.resolve()
    if (text === "First.") await goOn.promise
    given.push(text)
  }
  const { agent } = await open(workspace(), await server([say("First."), say("Second.")]), { deliver })
  const first = agent.send("First?", { arrival: { channel: "chat", id: "1" } })
  await begun.promise
  await agent.send("Second?", { arrival: { channel: "chat", id: "2" } })
  goOn.resolve()
  await first
  expect(given).toEqual(["First.", "Second."])
  await agent.close()
})
