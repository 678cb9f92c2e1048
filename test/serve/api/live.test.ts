// Live events: whose events a caller gets, coming back after a break, and the end of a stream.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import fc from "fast-check"
import { expect, onTestFinished, test } from "vitest"
import type { OfflineScript } from "../../../src/agent/offline/scripted.ts"
import type { WatchedEvent } from "../../../src/agent/turn/live-event.ts"
import { isRecord } from "../../../src/base/is-record.ts"
import { createLiveFeed, type FedEvent } from "../../../src/serve/api/live/live-feed.ts"
import { serve } from "../served.ts"
import { apiToken, clientOf, OPERATOR, OWNER, openApi } from "./api-client.ts"

interface Sent {
  readonly id: string
  readonly kind: string
  readonly data: Record<string, unknown>
}

/** Reads events until one is of this kind; then leaves. */
async function follow(url: string, headers: Record<string, string>, last: string) {
  const leave = new AbortController()
  const response = await fetch(`${url}/api/events`, { headers, signal: leave.signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const first = await reader?.read()
  const rest = async () => {
    let text = first?.value ?? ""
    for (;;) {
      const events = eventsIn(text)
      if (events.some(({ kind }) => kind === last)) {
        leave.abort()
        return events
      }
      const next = await reader?.read()
      if (next === undefined || next.done) return events
      text += next.value
    }
  }
  return { status: response.status, until: rest() }
}

function eventsIn(text: string): readonly Sent[] {
  return text
    .split("\n\n")
    .slice(0, -1)
    .flatMap((block) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1] ?? ""
      return field("event") === ""
        ? []
        : [{ id: field("id"), kind: field("event"), data: JSON.parse(field("data")) }]
    })
}

test("a person follows their own turns, an operator all of them, and nobody another person's", async () => {
  const gateway = await openApi()
  const [bo, ada, all] = await Promise.all([
    apiToken(gateway),
    apiToken(gateway, { user: "ada" }),
    apiToken(gateway, OPERATOR),
  ])
  const [own, others, every] = await Promise.all(
    [bo, ada, all].map((token) => follow(gateway.url, token, "turn-finished")),
  )
  const client = await clientOf(gateway)
  const { json: reply } = await client.post("/api/sessions", { text: "what time is it?" })
  const seen = (await own?.until) ?? []
  expect(seen.map(({ kind }) => kind).filter((kind) => kind !== "text")).toEqual([
    "turn-started",
    "turn-finished",
  ])
  for (const { data } of seen)
    expect(data).toMatchObject({ agent: "main", session: reply.session, turn: reply.turn })
  expect(((await every?.until) ?? []).map(({ kind }) => kind)).toContain("step-started")
  // The first that Ada hears is her own.
  const { json: hers } = await (await clientOf(gateway, { user: "ada" })).post("/api/sessions", {
    text: "hi, what time is it?",
  })
  expect(((await others?.until) ?? [])[0]?.data).toMatchObject({ session: hers.session })
})

test("a client that comes back gets what it missed", async () => {
  const gateway = await openApi()
  const token = await apiToken(gateway)
  const client = await clientOf(gateway)
  const first = await follow(gateway.url, token, "turn-started")
  const { json: reply } = await client.post("/api/sessions", { text: "what time is it?" })
  const [started] = await first.until
  const again = await follow(gateway.url, { ...token, "last-event-id": started?.id ?? "" }, "turn-finished")
  const events = await again.until
  const text = events
    .filter(({ kind }) => kind === "text")
    .map(({ data }) => (data.event as { text: string }).text)
  expect(text.join("")).toBe(reply.text)
  const unknown = await follow(gateway.url, { ...token, "last-event-id": "of-an-earlier-process" }, "missed")
  expect(await unknown.until).toEqual([{ id: "", kind: "missed", data: {} }])
})

test("a client that comes while a turn runs gets the turn from its beginning, and nothing that is over", async () => {
  const question = { name: "shell", input: { command: "echo lit" } }
  const gateway = await openApi({
    script: ({ message, results: [result] }) =>
      message.includes("lamp") && result === undefined ? [question] : "It is lit.",
  })
  const token = await apiToken(gateway, OPERATOR)
  const client = await clientOf(gateway, OPERATOR)
  await client.post("/api/sessions", { text: "and the glass?" })
  const reply = client.post("/api/sessions", { text: "light the lamp please" })
  await expect.poll(async () => (await client.get("/api/approvals")).json.approvals.length).toBe(1)
  const [asked] = (await client.get("/api/approvals")).json.approvals
  // The second one comes back to where the first one was.
  const first = await (await follow(gateway.url, token, "approval-requested")).until
  const again = { ...token, "last-event-id": first.at(-1)?.id ?? "" }
  const rest = await follow(gateway.url, again, "turn-finished")
  await client.post(`/api/approvals/${asked.id}`, { answer: "no" })
  expect(new Set(first.map(({ data }) => data.session))).toEqual(new Set([asked.session]))
  expect(first.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(["turn-started", "step-started", "tool-started"]),
  )
  expect(first[0]?.kind).toBe("turn-started")
  expect((await rest.until).map(({ kind }) => kind)).not.toContain("turn-started")
  await reply
})

test("the server stops at once although somebody follows", async () => {
  const gateway = await openApi({ limits: { drainMs: 60_000 } })
  const stream = await follow(gateway.url, await apiToken(gateway), "never")
  await gateway.close()
  expect(await stream.until).toEqual([])
})

test("a turn that asks for approval goes on with the answer, and can be stopped instead", async () => {
  const script: OfflineScript = ({ results: [result] }) =>
    result === undefined
      ? [{ name: "shell", input: { command: "echo lit" } }]
      : `It said: ${result.text.trim()}`
  const gateway = await openApi({ script })
  const token = await apiToken(gateway, OPERATOR)
  const client = await clientOf(gateway, OPERATOR)
  const ask = async () => {
    const events = await follow(gateway.url, token, "approval-requested")
    const reply = client.post("/api/sessions", { text: "light the lamp please" })
    const asked = (await events.until).at(-1)?.data
    return { reply, session: String(asked?.session) }
  }
  const first = await ask()
  const [question] = (await client.get("/api/approvals")).json.approvals
  expect(question).toMatchObject({ agent: "main", session: first.session, request: { command: "echo lit" } })
  await client.post(`/api/approvals/${question.id}`, { answer: "yes" })
  expect((await first.reply).json).toMatchObject({ state: "answered", text: expect.stringContaining("lit") })

  const second = await ask()
  expect((await client.post(`/api/sessions/${second.session}/stop`, {})).json).toEqual({ stopped: 1 })
  expect((await second.reply).json.state).toBe("stopped")
  expect((await client.get("/api/approvals")).json).toEqual({ approvals: [] })
})

test("delegated work is part of the turn that delegated it", async () => {
  const script: OfflineScript = ({ message, results: [result] }) => {
    if (message.includes("count the boats")) return "Three boats."
    return result === undefined ? [{ name: "delegate", input: { task: "count the boats" } }] : result.text
  }
  const gateway = await openApi({ script })
  const events = await follow(gateway.url, await apiToken(gateway, OWNER), "tool-finished")
  const { json: reply } = await (await clientOf(gateway, OWNER)).post("/api/sessions", {
    text: "boats please?",
  })
  const started = (await events.until).filter(({ kind }) => kind === "turn-started").map(({ data }) => data)
  expect(started).toHaveLength(2)
  expect(started.map(({ trace }) => trace)).toEqual([reply.turn, reply.turn])
  expect(started[1]?.session).not.toBe(reply.session)
})

test("a stream ends once its token is revoked", async () => {
  let now = Date.UTC(2026, 10, 16)
  const gateway = await openApi({ now: () => now })
  const { secret, id } = await gateway.token({ scopes: ["talk"] })
  const stream = await follow(gateway.url, { authorization: `Bearer ${secret}` }, "turn-finished")
  await gateway.store.tokens.revoke(id)
  now += 2_000
  await (await clientOf(gateway)).post("/api/sessions", { text: "what time is it?" })
  expect(await stream.until).toEqual([])
})

test("a stream ends when its token expires by the store's clock, however wrong that of the process is", async () => {
  const start = Date.UTC(2026, 10, 16)
  let [process, stored] = [start + 90_000, start]
  const gateway = await openApi({ now: () => process, storeNow: () => stored })
  const { secret } = await gateway.token({ scopes: ["talk"], expiresInMs: 60_000 })
  const token = { authorization: `Bearer ${secret}` }
  const client = await clientOf(gateway)
  const ask = () => client.post("/api/sessions", { text: "what time is it?" })
  const stream = await follow(gateway.url, token, "turn-finished")
  process += 2_000
  await ask()
  expect((await stream.until).map(({ kind }) => kind)).toContain("turn-finished")
  const later = await follow(gateway.url, token, "turn-finished")
  // The process has set its clock, and is late now.
  process = start - 90_000
  stored += 60_001
  await ask()
  expect(await later.until).toEqual([])
})

test("an operator whose trust is lowered gets no more than their own, and a user who is removed nothing", async () => {
  let now = Date.UTC(2026, 10, 16)
  const gateway = await openApi({ now: () => now })
  const path = join(gateway.workspace, "incipit.yaml")
  const config = readFileSync(path, "utf8")
  const cleo = await apiToken(gateway, { ...OPERATOR, user: "cleo" })
  const change = (text: string) => {
    writeFileSync(path, text)
    now += 2_000
  }
  const stream = await follow(gateway.url, cleo, "turn-finished")
  change(config.replace("cleo: { trust: full", "cleo: { trust: familiar"))
  const bo = await clientOf(gateway)
  await bo.post("/api/sessions", { text: "what time is it?" })
  const { json: hers } = await (await clientOf(gateway, { user: "cleo" })).post("/api/sessions", {
    text: "and what time is it here?",
  })
  const seen = (await stream.until).map(({ data }) => data.session)
  expect(new Set(seen)).toEqual(new Set([hers.session]))
  const last = await follow(gateway.url, cleo, "turn-finished")
  change(config.replace(/ {2}cleo: .*\n/, ""))
  await bo.post("/api/sessions", { text: "what time is it?" })
  expect(await last.until).toEqual([])
})

test("an event counts with all its text, such as inputs of tools, replies and delegated work", async () => {
  const script: OfflineScript = ({ message, results: [result] }) => {
    if (message.includes("count")) return "b".repeat(3_000)
    return result === undefined
      ? [{ name: "delegate", input: { task: `count ${"a".repeat(2_000)}` } }]
      : "c".repeat(4_000)
  }
  const least = new Map<string, number>()
  const { agent } = await serve(script, {
    watch: ({ event: { kind }, length }) => least.set(kind, Math.min(length, least.get(kind) ?? length)),
  })
  await agent.send("boats please?")
  for (const [kind, most] of [
    ["tool-started", 2_000],
    ["turn-finished", 3_000],
  ] as const)
    expect(least.get(kind)).toBeGreaterThan(most)
})

test("a feed keeps a limited number of events, and says that it forgot some", async () => {
  const feed = createLiveFeed({ events: 2, characters: 1_000_000 })
  const stop = new AbortController()
  const events = feed.follow(undefined, stop.signal)
  const first = events.next()
  for (const turn of ["1", "2", "3", "4"]) feed.watch(watched(turn, 0))
  const got = [await first, await events.next(), await events.next()].map(({ value }) => turnOf(value))
  expect(got).toEqual(["missed", "3", "4"])
  feed.watch(watched("5", 1_000_000))
  // Larger than everything that may be kept.
  expect(turnOf((await feed.follow("gone", stop.signal).next()).value)).toBe("missed")
  stop.abort()
  expect((await events.next()).done).toBe(true)
})

test("a feed holds no event that it forgot, also while few were forgotten", async () => {
  setFlagsFromString("--expose-gc")
  const collect: () => void = runInNewContext("gc")
  const feed = createLiveFeed({ events: 1_000, characters: 10_000 })
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const first = feed.follow(undefined, stop.signal).next()
  const events = Array.from({ length: 50 }, (_, at) => {
    const event = watched(String(at), 4_500)
    feed.watch(event)
    return new WeakRef(event)
  })
  await first
  // A reference that was just made holds its event until the current task ends.
  await setImmediate()
  collect()
  expect(events.flatMap((one) => one.deref()?.turn ?? [])).toEqual(["48", "49"])
})

test("a client that comes while a session's turn runs gets nothing of the session's turn before it", async () => {
  const feed = createLiveFeed()
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  // The oldest that runs, so that what came after it is looked through.
  feed.watch(watched("other", 0, "turn-started"))
  const [before, now] = ["before", "now"].map((turn) => (kind: Parameters<typeof watched>[2]) => {
    feed.watch({ ...watched(turn, 0, kind), session: "one" })
  })
  for (const kind of ["turn-started", "text", "turn-finished"] as const) before?.(kind)
  for (const kind of ["turn-started", "text"] as const) now?.(kind)
  const events = feed.follow(undefined, stop.signal)
  const got = [await events.next(), await events.next(), await events.next()].map(({ value }) =>
    turnOf(value),
  )
  expect(got).toEqual(["other", "now", "now"])
})

test("a feed has a running turn whole or not at all, and holds nothing older for those who come later", async () => {
  const feed = createLiveFeed({ events: 4, characters: 1_000_000 })
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const newcomer = async () => {
    const events = feed.follow(undefined, stop.signal)
    const got: string[] = []
    const first = events.next()
    feed.watch(watched("last", 0))
    for (let { value } = await first; value !== undefined; { value } = await events.next()) {
      if (value === "missed") throw new Error("nothing was missed")
      got.push(`${value.event.turn} ${value.event.event.kind}`)
      if (value.event.turn === "last") break
    }
    await events.return()
    return got
  }
  feed.watch(watched("over", 0, "turn-started"))
  feed.watch(watched("runs", 0, "turn-started"))
  feed.watch(watched("over", 0, "turn-finished"))
  feed.watch(watched("runs", 0))
  expect(await newcomer()).toEqual(["runs turn-started", "runs text", "last text"])
  for (let more = 0; more < 4; more += 1) feed.watch(watched("runs", 0))
  expect(await newcomer()).toEqual(["last text"])
})

test("a feed that nobody follows holds no more than what running turns have done", async () => {
  setFlagsFromString("--expose-gc")
  const collect: () => void = runInNewContext("gc")
  const feed = createLiveFeed()
  const kinds = [
    ["over", "turn-started"],
    ["runs", "turn-started"],
    ["over", "turn-finished"],
    ["runs"],
  ] as const
  const events = kinds.map(([turn, kind]) => {
    const event = watched(turn, 0, kind)
    feed.watch(event)
    return new WeakRef(event)
  })
  await setImmediate()
  collect()
  expect(events.map((one) => one.deref()?.event.kind)).toEqual([
    ...[undefined, "turn-started"],
    ...["turn-finished", "text"],
  ])
  feed.watch(watched("runs", 0, "turn-finished"))
  await setImmediate()
  collect()
  expect(events.flatMap((one) => one.deref()?.turn ?? [])).toEqual([])
})

test("whoever comes back within the limit gets all that came meanwhile, whether or not others follow", async () => {
  const LIMIT = 5
  const breaks = fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(breaks, fc.boolean(), async (counts, hasOthers) => {
      const feed = createLiveFeed({ events: LIMIT, characters: 1_000_000 })
      const stop = new AbortController()
      if (hasOthers) void feed.follow(undefined, stop.signal).next()
      let sent = 0
      const send = () => {
        sent += 1
        feed.watch(watched(String(sent), 0))
      }
      /** What a client gets before and with one more event, and the id of the last. */
      const visit = async (after?: string) => {
        const events = feed.follow(after, stop.signal)
        const first = events.next()
        send()
        const got: unknown[] = []
        for (let { value } = await first; value !== undefined; { value } = await events.next()) {
          got.push(turnOf(value))
          if (value !== "missed" && turnOf(value) !== String(sent)) continue
          await events.return()
          return { got, id: value === "missed" ? undefined : value.id }
        }
        throw new Error("the feed has ended")
      }
      let { id } = await visit()
      for (const count of counts) {
        const seen = sent
        for (let at = 0; at < count; at += 1) send()
        const isNew = id === undefined
        const again = await visit(id)
        id = again.id
        const missed = Array.from({ length: count + 1 }, (_, at) => String(seen + at + 1))
        const whole = isNew ? [String(sent)] : missed
        // The last event that it saw must still be known when it comes back.
        expect(again.got).toEqual(isNew || count < LIMIT ? whole : ["missed"])
      }
      stop.abort()
    }),
    { numRuns: 40 },
  )
})

function watched(
  turn: string,
  length: number,
  kind: "text" | "turn-started" | "turn-finished" = "text",
): WatchedEvent {
  // The feed reads no more than the kind.
  const event = { kind, text: "" } as WatchedEvent["event"]
  return {
    agent: "main",
    session: `of ${turn}`,
    turn,
    trace: turn,
    trust: "familiar",
    length,
    event,
    for: () => event,
  }
}

function turnOf(value: unknown): unknown {
  return isRecord(value) ? (value as unknown as FedEvent).event.turn : value
}
