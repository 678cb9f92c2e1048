// Wake-ups: what one process changes, another hears of at once; after a time without a connection, everything is woken.
import { describe, expect, onTestFinished, test } from "vitest"
import type { AgentStore } from "../../../src/database/contract/agent-store.ts"
import type { Wake } from "../../../src/database/contract/wake.ts"
import { openPostgresStore } from "../../../src/database/postgres/agent/open-store.ts"
import { claim, KEY, reply } from "../contract/agent-store-contract.ts"
import { NO_SERVER, testServer } from "./postgres-server.ts"

describe.skipIf(NO_SERVER)(NO_SERVER ?? "on PostgreSQL", () => {
  const server = testServer()
  const opened = async (url: string): Promise<AgentStore> => {
    const store = await openPostgresStore(url)
    onTestFinished(() => store.close())
    return store
  }

  /** Two stores on one schema; the second listens. `heard` resolves with the first wake-ups that follow a change. */
  const pair = async () => {
    const url = server.newUrl()
    const [one, other] = [await opened(url), await opened(url)]
    const wakes: Wake[] = []
    let ring = () => {}
    onTestFinished(
      other.wakeUps.listen((wake) => {
        wakes.push(wake)
        ring()
      }),
    )
    const until = async (isThere: (wake: Wake) => boolean) => {
      while (!wakes.some(isThere)) await new Promise<void>((resolve) => (ring = resolve))
      return wakes.splice(0).filter(isThere)
    }
    // A new connection wakes everything once.
    await until(({ kind, session }) => kind === "configuration" && session === undefined)
    return { one, other, until }
  }

  test("another process hears of a message, an answer, a free session, a stop, a question and a changed schedule", async () => {
    const { one, until } = await pair()
    const woken = async (change: Promise<unknown>, wake: Wake) => {
      await change
      const heard = await until(({ kind, session }) => kind === wake.kind && session === wake.session)
      expect(heard.length).toBeGreaterThan(0)
    }
    const about = { kind: "message", session: "s" } as const
    await one.sessions.create("s", KEY)
    const message = { id: "1", turn: "1", session: "s", message: { text: "1" }, takenBy: "a" }
    await woken(one.inbox.receive(message), about)
    const lease = await claim(one, "s", "a")
    await woken(one.sessions.release(lease), about)
    await woken(one.inbox.stop("1"), { kind: "stop", session: "s" })
    const again = await claim(one, "s", "a")
    const question = { id: "q", agent: "main", session: "s", from: "bo", request: "{}", expiresInMs: 60_000 }
    await woken(one.questions.ask(question), { kind: "approval", session: "s" })
    await woken(one.questions.answer("q", "yes"), { kind: "approval", session: "s" })
    const wait = { id: "w", kind: "client-tools", request: "{}", expiresInMs: 60_000 } as const
    await woken(one.waits.suspend(again, { turn: "1", on: [wait] }), { kind: "approval", session: "s" })
    await woken(one.waits.resolve("w", "1"), about)
    await woken(one.inbox.finish(await claim(one, "s", "b"), { turn: "1" }, reply("1")), about)
    await woken(one.schedule.add("main", { cron: "@daily", run: "x" }), { kind: "configuration" })
    const part = { id: "d", channel: "telegram", to: "7", body: "{}" }
    await woken(one.deliveries.add([part]), { kind: "delivery" })
  })

  test("what is rolled back wakes nobody", async () => {
    const { one, until } = await pair()
    const lost = { id: "1", turn: "1", session: "none", message: { text: "1" }, takenBy: "a" }
    await expect(one.inbox.receive(lost)).rejects.toMatchObject({ code: "unusable-database" })
    await one.schedule.add("main", { cron: "@daily", run: "x" })
    const heard = await until(({ kind }) => kind === "configuration" || kind === "message")
    expect(heard).toEqual([{ kind: "configuration", session: undefined }])
  })

  test("after its connection was lost, a listener is woken for everything, and then hears again", async () => {
    const { one, until } = await pair()
    await server.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND query LIKE 'LISTEN%'",
    )
    await until(({ kind, session }) => kind === "message" && session === undefined)
    await one.sessions.create("s", KEY)
    await one.inbox.receive({ id: "1", turn: "1", session: "s", message: { text: "1" }, takenBy: "a" })
    expect(await until(({ session }) => session === "s")).toEqual([{ kind: "message", session: "s" }])
  })

  test("without listening, nothing is heard, and the store says so", async () => {
    const store = await opened(`${server.newUrl()}&listen=off`)
    const wakes: Wake[] = []
    store.wakeUps.listen((wake) => void wakes.push(wake))
    await store.schedule.add("main", { cron: "@daily", run: "x" })
    expect([store.wakeUps.areSent, wakes]).toEqual([false, []])
  })
})
