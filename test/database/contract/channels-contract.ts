// What every agent store promises to channels: what arrives is taken once, and what is to be sent is sent at least once
// and in order.
import fc from "fast-check"
import { expect, test } from "vitest"
import type { Arrival } from "../../../src/database/contract/arrival.ts"
import { held, KEY, type OpenEmpty, said } from "./agent-store-contract.ts"

const message = (turn: string, session = "s") => ({
  ...{ id: turn, turn, session, message: { text: turn }, takenBy: "a" },
})

export function channelsContract(open: OpenEmpty): void {
  const arrival = (id: string, offset?: string): Arrival => ({ channel: "telegram", id, offset })

  test("an arrival is taken once with its message and moves the offset, and a known one moves it too", async () => {
    const { store, at } = await held(open)
    const { inbox, channels } = store
    expect(await channels.offset("telegram")).toBe(undefined)
    at(3)
    const first = await inbox.receive(message("1"), { arrival: { ...arrival("u1", "11"), replyTo: "7" } })
    expect(first).toMatchObject({ turn: "1", order: 1 })
    expect(await inbox.receive(message("2"), { arrival: arrival("u1", "12") })).toEqual(first)
    expect([await inbox.message("2"), await channels.offset("telegram")]).toEqual([undefined, "12"])
    expect(await inbox.receive(message("3"), { arrival: { channel: "signal", id: "u1" } })).toMatchObject({
      ...{ turn: "3", order: 2 },
    })
    const stored = { channel: "telegram", id: "u1", at: 3, turn: "1", replyTo: "7" }
    expect(await channels.arrival("telegram", "u1")).toEqual(stored)
    expect(await channels.arrivalOf("1")).toEqual(stored)
    expect([await channels.offset("telegram"), await channels.offset("signal")]).toEqual(["12", undefined])
  })

  test("what is no message is settled once, and is no message later", async () => {
    const { store } = await held(open)
    expect(await store.channels.settle(arrival("u1", "5"))).toBe(true)
    expect(await store.channels.settle(arrival("u1", "6"))).toBe(false)
    expect(await store.channels.offset("telegram")).toBe("6")
    expect(await store.inbox.receive(message("1"), { arrival: arrival("u1") })).toBe("taken")
    expect(await store.inbox.message("1")).toBe(undefined)
  })

  test("an arrival whose message cannot be stored is not taken, and the offset stays", async () => {
    const { store } = await held(open)
    await store.channels.settle(arrival("u0", "5"))
    const lost = store.inbox.receive(message("1", "none"), { arrival: arrival("u1", "6") })
    await expect(lost).rejects.toMatchObject({ code: "unusable-database" })
    expect(await store.channels.offset("telegram")).toBe("5")
    expect(await store.inbox.receive(message("1"), { arrival: arrival("u1", "6") })).toMatchObject({
      turn: "1",
    })
  })

  test("an arrival that steers a turn is taken once, and edited until the turn takes it", async () => {
    const { store, lease } = await held(open, "1")
    await store.inbox.begin(lease, "1")
    const send = (turn: string) =>
      store.inbox.receive(message(turn), { arrival: arrival("u1", "5"), steers: true })
    expect([await send("2"), await send("3")]).toMatchObject(Array(2).fill({ turn: "2", steers: true }))
    expect(await store.channels.edit(arrival("e1"), { of: "u1", message: { text: "better" } })).toBe("edited")
    const taken = await store.steering.take(lease, "1")
    expect(taken.map((one) => one.message.text)).toEqual(["better"])
    expect(await store.channels.edit(arrival("e2"), { of: "u1", message: { text: "x" } })).toBe("too-late")
    await store.transcripts.change(lease, { turn: "1", append: [said("better")], joined: ["2"] })
    expect(await send("4")).toMatchObject({ turn: "2", state: "joined", into: "1" })
  })

  test("a message is edited until work on it begins; a late edit can still be received", async () => {
    const { store, lease } = await held(open)
    const { inbox, channels } = store
    const sent = { ...message("1"), message: { text: "1", as: "bo" } }
    await inbox.receive(sent, { arrival: arrival("u1") })
    const edit = (id: string, of: string, text: string) =>
      channels.edit(arrival(id, id), { of, message: { text } })
    expect([await edit("e1", "u1", "one"), await edit("e1", "u1", "two")]).toEqual(["edited", "known"])
    expect((await inbox.message("1"))?.message).toEqual({ text: "one", as: "bo" })
    expect(await inbox.receive(message("3"), { arrival: arrival("e1") })).toBe("taken")
    expect(await edit("e2", "u9", "x")).toBe("unknown")
    await inbox.begin(lease, "1")
    await store.transcripts.change(lease, { turn: "1", append: [said("one")] })
    expect([await edit("e3", "u1", "three"), await channels.offset("telegram")]).toEqual(["too-late", "e1"])
    expect(await inbox.receive(message("2"), { arrival: arrival("e3") })).toMatchObject({ turn: "2" })
    expect((await channels.arrivalOf("1"))?.id).toBe("u1")
  })
}

export function deliveriesContract(open: OpenEmpty): void {
  const part = (id: string, to = "7") => ({ id, channel: "telegram", to, body: `"${id}"` })

  test("one that was taken is due again after its time, unless it was delivered", async () => {
    const { store, at } = await held(open)
    const { deliveries } = store
    await deliveries.add([{ ...part("a"), turn: "1" }, part("b"), part("c", "8")])
    await deliveries.add([part("a")])
    const taken = async () => (await deliveries.take("telegram", 10))?.id
    // The second one for a place waits for the first.
    expect([await taken(), await taken(), await taken()]).toEqual(["a", "c", undefined])
    expect(await deliveries.nextDueInMs("telegram")).toBe(10)
    at(10)
    expect(await deliveries.nextDueInMs("telegram")).toBe(0)
    expect([await deliveries.delivered("c", "m9"), await deliveries.delivered("c")]).toEqual([true, false])
    expect(await deliveries.take("telegram", 10)).toEqual({ ...part("a"), at: 0, turn: "1", attempts: 2 })
    await deliveries.failed("a", { error: "429", retryInMs: 30 })
    expect([await taken(), await deliveries.nextDueInMs("telegram")]).toEqual([undefined, 30])
    await deliveries.failed("a", { error: "blocked" })
    expect(await deliveries.get("a")).toMatchObject({ state: "given-up", error: "blocked", attempts: 2 })
    expect([await taken(), await deliveries.delivered("b")]).toEqual(["b", true])
    expect(await deliveries.sentAs("telegram", "m9")).toMatchObject({ id: "c", state: "delivered" })
    expect([await deliveries.sentAs("signal", "m9"), await deliveries.nextDueInMs("telegram")]).toEqual([
      ...[undefined, undefined],
    ])
  })

  test("whatever fails and whoever crashes, each place gets everything, in order", async () => {
    const outcomes = fc.array(fc.constantFrom("delivered", "crashed", "failed"), { maxLength: 40 })
    const places = fc.array(fc.constantFrom("7", "8", "9"), { minLength: 1, maxLength: 8 })
    const property = fc.asyncProperty(places, outcomes, async (tos, happens) => {
      let time = 0
      const store = await open(() => time)
      await store.sessions.create("s", KEY)
      const all = tos.map((to, at) => part(`${at}`, to))
      await store.deliveries.add(all)
      const got: string[] = []
      const step = async (outcome: string) => {
        time += 7
        const one = await store.deliveries.take("telegram", 10)
        if (one === undefined) return
        if (outcome === "failed") return store.deliveries.failed(one.id, { error: "x", retryInMs: 5 })
        got.push(`${one.to} ${one.id}`)
        if (outcome === "delivered") await store.deliveries.delivered(one.id)
      }
      for (const outcome of happens) await step(outcome)
      while ((await store.deliveries.nextDueInMs("telegram")) !== undefined) await step("delivered")
      for (const to of new Set(tos)) {
        const seen = got.filter((one) => one.startsWith(to))
        const inOrder = seen.filter((one, at) => one !== seen[at - 1])
        expect(inOrder).toEqual(all.filter((one) => one.to === to).map(({ id }) => `${to} ${id}`))
      }
      await store.close()
    })
    await fc.assert(property, { numRuns: 10 })
  })
}
