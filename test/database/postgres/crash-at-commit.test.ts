// A server that crashes while a change is saved. After it, the server gives the ids of lost transactions to others.
import { describe, expect, onTestFinished, test } from "vitest"
import { openPostgresStore } from "../../../src/database/postgres/agent/open-store.ts"
import { claim, KEY, said } from "../contract/agent-store-contract.ts"
import { cuttingProxy } from "./cutting-proxy.ts"
import { NO_SERVER, testServer } from "./postgres-server.ts"

describe.skipIf(NO_SERVER !== undefined)(`a crash${NO_SERVER === undefined ? "" : `: ${NO_SERVER}`}`, () => {
  const server = testServer()

  /** The change that a crash interrupts, and what the transcript has after it. */
  async function crashing(afterwards: () => Promise<void>) {
    const proxy = await cuttingProxy(server.port())
    const store = await openPostgresStore(server.newUrl().replace(`:${server.port()}/`, `:${proxy.port}/`))
    onTestFinished(() => store.close())
    await store.sessions.create("s", KEY)
    const lease = await claim(store, "s", "a")
    proxy.holdNext(async () => {
      await server.crash()
      await server.start()
      await afterwards()
    })
    const change = store.transcripts.change(lease, { turn: "1", append: [said("one")] })
    const outcome = await change.then(
      () => "saved",
      ({ message }: Error) => message.replace(/postgres:\S+/, "URL"),
    )
    return { outcome, items: (await store.transcripts.read("s")).length }
  }

  test("what it has lost is saved again", async () => {
    expect(await crashing(async () => {})).toEqual({ outcome: "saved", items: 1 })
  })

  test("another transaction with the id of a lost one is not taken for it", async () => {
    const { outcome, items } = await crashing(async () => {
      for (let at = 0; at < 100; at += 1) await server.sql("SELECT pg_current_xact_id()")
    })
    const unknown =
      "the connection to URL was lost while a change was saved, and the server cannot say whether it was"
    // Its id may have reached the disk by chance. Then the server knows that it was not saved, and it is saved again.
    expect({ outcome, items }).toEqual(
      items === 1 ? { outcome: "saved", items } : { outcome: unknown, items: 0 },
    )
  })
})
