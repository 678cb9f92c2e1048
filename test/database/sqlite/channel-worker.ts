// A process that reads a channel from where the store has it, answers each message over the channel, and kills itself
// after the n-th change of its store. The service is a list of updates; what was sent to it is a line in a file.
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { setTimeout } from "node:timers/promises"
import type { AgentStore } from "../../../src/database/contract/agent-store.ts"
import type { SessionKey } from "../../../src/database/contract/sessions.ts"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import { watched } from "../../agent/store/watched-store.ts"

export const UPDATES = ["one", "two", "three"]

const KEY: SessionKey = { agent: "main", who: "owner", situation: "dm", trust: "full", mode: "full" }
const LEASE_MS = 50
const WRITES = ["sessions.currentOrNew", "inbox.receive", "deliveries.add", "deliveries.take"]

function dying(store: AgentStore, last: number): AgentStore {
  let count = 0
  return watched(store, async (call, make) => {
    const result = await make()
    if (!WRITES.includes(call) && call !== "deliveries.delivered") return result
    count += 1
    if (count === last) process.kill(process.pid, "SIGKILL")
    return result
  })
}

async function readChannel(store: AgentStore, name: string): Promise<void> {
  const { session } = await store.sessions.currentOrNew(KEY, "s")
  const from = Number((await store.channels.offset("list")) ?? 0)
  for (const [at, text] of [...UPDATES.entries()].slice(from)) {
    // Every attempt proposes a turn of its own, so only the arrival tells that it is the same message.
    const turn = `${name} ${at}`
    await store.inbox.receive(
      { id: turn, turn, session: session.id, message: { text }, takenBy: name },
      { arrival: { channel: "list", id: `${at}`, offset: `${at + 1}` } },
    )
  }
}

async function answerAll(store: AgentStore, root: string): Promise<void> {
  const answers = (await store.inbox.open("main")).map(({ turn, message }) => ({
    ...{ id: `answer to ${turn}`, channel: "list", to: "chat", body: message.text },
  }))
  await store.deliveries.add(answers)
  for (;;) {
    const due = await store.deliveries.nextDueInMs("list")
    if (due === undefined) return
    await setTimeout(due)
    const delivery = await store.deliveries.take("list", LEASE_MS)
    if (delivery === undefined) continue
    appendFileSync(join(root, "sent"), `${delivery.body}\n`)
    await store.deliveries.delivered(delivery.id)
  }
}

if (import.meta.main) {
  const [, , root = "", last = "0"] = process.argv
  const store = dying(await openStore(join(root, "agent.db")), Number(last))
  await readChannel(store, `${process.pid}`)
  await answerAll(store, root)
  await store.close()
  process.stdout.write("completed")
}
