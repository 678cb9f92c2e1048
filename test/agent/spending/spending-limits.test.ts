// Limits of spending: which call is not made, what is said about it and to whom, and that parallel turns keep them
// together.
import { describe, expect, test } from "vitest"
import { dayOf } from "../../../src/agent/spending/limits.ts"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import { amountOf } from "../../../src/sources/config/spending-schema.ts"
import {
  call,
  clock,
  collect,
  inRecord,
  open,
  refuse,
  say,
  server,
  tool,
  workspace,
} from "../world/agent-world.ts"

const CONFIG = `profile: incipit
tools: [delegate]
feeds: { communication: off, bulletin: off }
environment: { host: off }
users:
  alice: { trust: full, match: ["signal:alice"] }
  bob: { trust: familiar, match: ["signal:bob"] }
rooms: { "signal:hall": { trust: familiar } }
prices: [{ model: anthropic/claude-sonnet-5-5, input: 0, output: 10 }]
budget: { window: 40000, reserve: 2000 }
`
const [ALICE, BOB] = [{ channel: "signal:alice" }, { channel: "signal:bob" }]

/** An answer that costs a cent: 1,000 tokens at ten dollars a million. */
const CENT = { kind: "reply", parts: [{ text: "Yes." }], usage: { output: 1_000 } } as const

async function world(spending: string, answers: Parameters<typeof server>[0], options: object = {}) {
  const root = workspace({ "incipit.yaml": `${CONFIG}spending: ${spending}\n` })
  const time = clock()
  const from = await server(answers)
  const { agent } = await open(root, from, { now: time.now, wait: time.wait, ...options })
  return { root, agent, from, time }
}

test("a day's limit of one person stops them alone, and says what they used and when it resets", async () => {
  const { agent, from, time } = await world("{ person_day: $0.025 }", [CENT])
  for (const _ of [1, 2]) expect((await agent.send("One?", BOB)).state).toBe("answered")
  const reply = await agent.send("Another?", BOB)
  expect([reply.state, reply.text, reply.steps]).toMatchInlineSnapshot(`
    [
      "stopped",
      "Stopped: your spending limit for today is reached: $0.020 of $0.025 is used, and the next call needs at least $0.010; it resets on Tuesday, 16 June 2026, 00:00 (UTC).",
      1,
    ]
  `)
  expect((await agent.send("Mine?", ALICE)).state).toBe("answered")
  expect(from.sent.length).toBe(3)
  expect([...(await agent.spending(BOB)), ...(await agent.spending(ALICE))].map(({ text }) => text)).toEqual([
    "limit for today, bob: $0.020 of $0.025 used, resets at midnight (UTC)",
    "limit for today, alice: $0.010 of $0.025 used, resets at midnight (UTC)",
  ])
  time.set(Date.UTC(2026, 5, 16, 0, 0, 1))
  expect((await agent.send("A new day?", BOB)).state).toBe("answered")
})

test("in a room the speaker pays, also for what they say elsewhere, and nobody's figures are shown", async () => {
  const { agent } = await world("{ person_day: $0.015 }", [CENT])
  const room = (sender: string) => ({ channel: "signal:hall", sender })
  await agent.send("Mine alone?", BOB)
  const texts = [await agent.send("One?", room("signal:bob")), await agent.send("One?", room("signal:alice"))]
  expect(texts.map(({ text }) => text)).toEqual([
    "Stopped: your spending limit for today is reached; it resets on Tuesday, 16 June 2026, 00:00 (UTC).",
    "Yes.",
  ])
})

test("the sum of all people is shown to the operator alone", async () => {
  const { root, agent } = await world("{ day: $0.015 }", [CENT])
  await agent.send("One?", ALICE)
  const texts = [await agent.send("Two?", BOB), await agent.send("Two?", ALICE)].map(({ text }) => text)
  expect(texts).toMatchInlineSnapshot(`
    [
      "Stopped: the agent's spending limit for today is reached; it resets on Tuesday, 16 June 2026, 00:00 (UTC).",
      "Stopped: the agent's spending limit for today is reached: $0.010 of $0.015 is used, and the next call needs at least $0.010; it resets on Tuesday, 16 June 2026, 00:00 (UTC).",
    ]
  `)
  const recorded = inRecord(root, (record) =>
    record.all("SELECT trust, metadata FROM events WHERE event_type = 'diagnostic' ORDER BY id"),
  )
  expect(recorded.map(({ trust, metadata: data }) => [trust, JSON.parse(String(data)).code])).toEqual([
    ["full", "spending-limit"],
    ["full", "spending-limit"],
  ])
})

test("a turn with delegated work stays within its limit, and keeps what was done", async () => {
  const step = { ...call(["look", {}]), usage: { output: 1_000 } }
  const look = tool("look", async () => "It is calm.")
  const { agent, from } = await world("{ turn: [$0.025, 1M tokens] }", [step], { tools: [look] })
  const reply = await agent.send("Look again and again.", ALICE)
  expect([reply.state, reply.text, from.sent.length]).toMatchInlineSnapshot(`
    [
      "stopped",
      "Stopped: the spending limit for one turn is reached: $0.020 of $0.025 is used, and the next call needs at least $0.010; send another message to continue.",
      2,
    ]
  `)
  const delegated = await world("{ turn: $0.025 }", [call(["delegate", { task: "Look." }]), CENT, CENT, CENT])
  const whole = await delegated.agent.send("Have it looked at.", ALICE)
  expect([whole.state, delegated.from.sent.length]).toEqual(["answered", 3])
})

test("an agent's own limit is about its own calls", async () => {
  const root = workspace({
    "incipit.yaml": CONFIG,
    "agents/reader/SOUL.md": "You read.\n",
    "agents/reader/incipit.yaml": "spending: { day: $0.015 }\n",
  })
  const ask = call(["delegate", { agent: "reader", task: "Read." }])
  const from = await server([ask, CENT, ask, say("Done.")])
  const { now, wait } = clock()
  const { agent } = await open(root, from, { now, wait })
  const { events, tell } = collect()
  await agent.send("Have it read twice.", { ...ALICE, tell })
  const results = events.flatMap((event) => (event.kind === "tool-finished" ? [event.text] : []))
  expect(results).toMatchInlineSnapshot(`
    [
      "Yes.",
      "Stopped: the agent's spending limit for today is reached: $0.010 of $0.015 is used, and the next call needs at least $0.010; it resets on Tuesday, 16 June 2026, 00:00 (UTC).",
    ]
  `)
})

test("an answer is asked for as long as the limit has room for", async () => {
  const { agent, from } = await world("{ turn: 1500 tokens, day: $1 }", [CENT])
  const bare = await world("{ day: $1 }", [CENT])
  await bare.agent.send("How long?", ALICE)
  const usual = JSON.parse(bare.from.sent[0] ?? "").max_tokens
  expect((await agent.send("How long?", ALICE)).state).toBe("stopped")
  expect([usual > 1_000, from.sent]).toEqual([true, []])
  const some = await world("{ turn: $0.015 }", [CENT])
  await some.agent.send("How long?", ALICE)
  expect(JSON.parse(some.from.sent[0] ?? "").max_tokens).toBe(1_500)
})

test("without a known price, a limit in dollars lets nothing through, and one in tokens works", async () => {
  const model = "anthropic/claude-unheard-of"
  const { agent, from } = await world("{ day: $1 }", [CENT], { model })
  const texts = [await agent.send("One?", ALICE), await agent.send("One?", BOB)].map(({ text }) => text)
  expect([texts, from.sent]).toMatchInlineSnapshot(`
    [
      [
        "Stopped: the price of anthropic/claude-unheard-of is unknown, so the spending limit in dollars cannot be kept; set its price under prices in incipit.yaml, or a limit in tokens.",
        "Stopped: a spending limit cannot be checked for this model.",
      ],
      [],
    ]
  `)
  const counted = await world("{ day: 1M tokens }", [CENT], { model })
  expect((await counted.agent.send("One?", ALICE)).state).toBe("answered")
})

test("calls that failed cost nothing; those that broke off or were stopped, the most that was reserved", async () => {
  const cut = { kind: "cut", parts: [{ text: "Yes and" }], afterParts: 1 } as const
  const { root, agent, from } = await world("{ day: $1 }", [refuse(529), cut, CENT])
  expect((await agent.send("One?", ALICE)).state).toBe("answered")
  await agent.close()
  const { calls, costUsd, open: left } = await spentIn(root)
  const most = JSON.parse(from.sent[1] ?? "").max_tokens / 100_000
  expect([calls, left, costUsd.toFixed(4)]).toEqual([2, 0, (most + 0.01).toFixed(4)])
})

test("a call that is stopped while the model thinks unseen counts as the most that was reserved", async () => {
  const stop = new AbortController()
  const silent = { kind: "stall" } as const
  const { root, agent, from } = await world("{ day: $1 }", [silent])
  const reply = agent.send("One?", { ...ALICE, signal: stop.signal })
  await expect.poll(() => from.sent.length).toBe(1)
  stop.abort()
  expect((await reply).state).toBe("stopped")
  await agent.close()
  const most = JSON.parse(from.sent[0] ?? "").max_tokens / 100_000
  expect((await spentIn(root)).costUsd.toFixed(4)).toBe(most.toFixed(4))
})

test("a PDF is reserved by its pages, not like an image", async () => {
  const pdf = (pages: number, more = "") => ({
    mediaType: "application/pdf",
    data: Buffer.from(`%PDF-1.7\n<< /Type /Pages >>\n${"<< /Type /Page >>\n".repeat(pages)}${more}`),
  })
  const { agent, from } = await world("{ turn: 25k tokens }", [CENT])
  const send = (file: ReturnType<typeof pdf>) =>
    agent.send("What is in it?", { ...ALICE, isNew: true, files: [file] })
  expect((await send(pdf(1))).state).toBe("answered")
  const compressed = `<< /Type /ObjStm >>${" stream endstream".repeat(5)}`
  const others = [await send(pdf(5)), await send(pdf(0, compressed)), await send(pdf(0, "x".repeat(400_000)))]
  expect(others.map(({ state }) => state)).toEqual(["stopped", "stopped", "stopped"])
  expect(from.sent.length).toBe(1)
})

test("a limit in tokens says how many are used", async () => {
  const { agent } = await world("{ day: 300 tokens }", [CENT])
  const { text } = await agent.send("One?", ALICE)
  expect(text).toMatch(
    /^Stopped: the agent's spending limit for today is reached: 0 of 300 tokens are used, and the next call needs at least [\d,]+ tokens; it resets on/,
  )
})

test("twenty turns at once pass no limit together", async () => {
  const { root, agent, from } = await world("{ day: $0.055 }", [CENT])
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, at) => agent.send("One?", { ...ALICE, isNew: true, id: `m${at}` })),
  )
  await agent.close()
  const answered = replies.filter(({ state }) => state === "answered").length
  expect([answered > 0, from.sent.length]).toEqual([true, answered])
  expect(new Set(replies.map(({ state }) => state))).toEqual(new Set(["answered", "stopped"]))
  const { costUsd, open: left } = await spentIn(root)
  expect([left, costUsd <= 0.055, Math.round(costUsd * 100)]).toEqual([0, true, answered])
})

/** What the store has counted. */
async function spentIn(root: string) {
  const store = await openStore(`${root}/.incipit/agent.db`)
  const sum = await store.spending.sum({})
  await store.close()
  return sum
}

describe("amounts and days", () => {
  test.each([
    ["$0.50", { usd: 0.5 }],
    ["2", { usd: 2 }],
    [3.25, { usd: 3.25 }],
    ["200000 tokens", { tokens: 200_000 }],
    ["1.5M tokens", { tokens: 1_500_000 }],
    ["200k tokens", { tokens: 200_000 }],
    ["-1", undefined],
    ["1e9", undefined],
    ["5 euros", undefined],
    ["", undefined],
  ])("%s", (text, amount) => expect(amountOf(text)).toEqual(amount))

  test.each([
    ["UTC", "2026-06-15T02:47:00Z", "2026-06-15T00:00:00Z", "2026-06-16T00:00:00Z"],
    ["Asia/Kolkata", "2026-06-14T20:00:00Z", "2026-06-14T18:30:00Z", "2026-06-15T18:30:00Z"],
    // Clocks go forward and back on these days.
    ["Europe/Stockholm", "2026-03-29T12:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"],
    ["Europe/Stockholm", "2026-10-25T12:00:00Z", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"],
  ])("a day in %s at %s", (zone, at, since, until) =>
    expect(dayOf({ at: Date.parse(at), zone })).toEqual({
      since: Date.parse(since),
      until: Date.parse(until),
    }),
  )
})
