// What a model's server can do to a message: it is tried again, kept and tried later, or refused with a clear sentence.
// The clock is the test's own, so nothing is waited for.
import { expect, onTestFinished, test, vi } from "vitest"
import type { AgentOptions } from "../../../../src/agent/setup/agent.ts"
import type { LiveEvent } from "../../../../src/agent/turn/live-event.ts"
import {
  call,
  clock,
  collect,
  eventTypes,
  inRecord,
  masked,
  NIGHT,
  open,
  refuse,
  say,
  server,
  transcript,
  workspace,
} from "../../world/agent-world.ts"
import type { Script } from "../../world/servers/script.ts"

const SIGNAL = `profile: incipit
feeds: { communication: off, bulletin: off }
environment: { host: off }
users: { alice: { trust: full, match: ["signal:alice"] } }
`
const FROM_ALICE = { channel: "signal:alice" }

test("limited at night: tried again after 1, 2 and 4 seconds, kept, delivered at the next attempt, and explained in the morning", async () => {
  const root = workspace({ "incipit.yaml": SIGNAL })
  const time = clock()
  const from = await server([refuse(429), refuse(429), refuse(429), refuse(429), say("It is half past two.")])
  const night = await open(root, from, { now: time.now, wait: time.wait })
  const first = collect()
  const reply = await night.agent.send("What time is it?", { ...FROM_ALICE, tell: first.tell })
  expect([reply.state, reply.text, time.waits, from.bodies.length]).toMatchInlineSnapshot(`
    [
      "queued",
      "The model cannot answer now (429: status 429). Your message is kept and will be retried: Monday, 15 June 2026, 02:48 (UTC).",
      [
        1000,
        2000,
        4000,
      ],
      4,
    ]
  `)
  expect(first.events.filter(({ kind }) => kind === "retrying" || kind === "queued")).toMatchInlineSnapshot(`
    [
      {
        "attempt": 1,
        "kind": "retrying",
        "waitMs": 1000,
        "why": "429: status 429",
      },
      {
        "attempt": 2,
        "kind": "retrying",
        "waitMs": 2000,
        "why": "429: status 429",
      },
      {
        "attempt": 3,
        "kind": "retrying",
        "waitMs": 4000,
        "why": "429: status 429",
      },
      {
        "kind": "queued",
        "notBefore": 1781491687000,
        "why": "429: status 429",
      },
    ]
  `)
  time.set(NIGHT + 60_000)
  expect(await night.agent.resume()).toEqual([])
  time.set(NIGHT + 67_000)
  await night.agent.resume()
  expect(night.late.map(({ state, text }) => [state, text])).toEqual([["answered", "It is half past two."]])
  expect(await night.agent.resume()).toEqual([])
  await night.agent.close()
  time.set(NIGHT + 5 * 3_600_000)
  const morning = await open(root, undefined, { now: time.now })
  const why = await morning.agent.send("Why did my message fail last night?", FROM_ALICE)
  await morning.agent.close()
  const asked = transcript(root, why.session).slice(2)
  await expect(masked(`${asked.join("\n")}\n`)).toMatchFileSnapshot(
    "../../../golden/agent/limited-at-night.txt",
  )
  expect(eventTypes(root, reply.turn)).toMatchInlineSnapshot(`
    [
      "message_received",
      "trust_resolved",
      "session_created",
      "turn_started",
      "epoch_started",
      "prompt_built",
      "api_error",
      "api_error",
      "api_error",
      "api_error",
      "turn_completed",
      "turn_started",
      "prompt_built",
      "api_call",
      "turn_completed",
      "message_sent",
    ]
  `)
})

test("a message that waits survives a restart, and what comes after it waits behind it", async () => {
  const root = workspace()
  const time = clock()
  const from = await server([...Array.from({ length: 8 }, () => refuse(529)), say("One."), say("Two.")])
  const before = await open(root, from, { now: time.now, wait: time.wait })
  const first = await before.agent.send("first")
  const second = await before.agent.send("second")
  await before.agent.close()
  expect([first.state, second.state, from.bodies.length]).toEqual(["queued", "queued", 8])
  time.set(NIGHT + 3_600_000)
  const after = await open(root, from, { now: time.now, wait: time.wait })
  await after.agent.resume()
  expect(after.late.map(({ text }) => text)).toEqual(["One.", "Two."])
  expect(transcript(root, first.session)).toEqual([
    "user: first",
    "assistant: One.",
    "user: second",
    "assistant: Two.",
  ])
})

test("a new message is a reason to try again; the earlier answer is handed over first", async () => {
  const root = workspace()
  const time = clock()
  const from = await server([...Array.from({ length: 4 }, () => refuse(500)), say("One."), say("Two.")])
  const { agent, late } = await open(root, from, { now: time.now, wait: time.wait })
  await agent.send("first")
  const order: string[] = []
  const reply = await agent.send("second", {
    deliver: ({ text }) => void order.push(...late.map((one) => one.text), text),
  })
  expect([order, reply.text]).toEqual([["One.", "Two."], "Two."])
  expect(await agent.resume()).toEqual([])
})

test("a new message does not ask a provider that said when to come back, and waits behind the other", async () => {
  const root = workspace()
  const time = clock()
  const from = await server([refuse(429, { "retry-after": "3600" }), say("One."), say("Two.")])
  const { agent, late } = await open(root, from, { now: time.now, wait: time.wait })
  const first = await agent.send("first", { id: "1" })
  const { events, tell } = collect()
  const second = await agent.send("second", { tell })
  const again = await agent.send("first", { id: "1" })
  expect([first, second, again].map(({ state, text }) => [state, text])).toMatchInlineSnapshot(`
    [
      [
        "queued",
        "The model cannot answer now (429: status 429). Your message is kept and will be retried: Monday, 15 June 2026, 03:47 (UTC).",
      ],
      [
        "queued",
        "The provider asked us to wait. Your message is kept and will be retried: Monday, 15 June 2026, 03:47 (UTC).",
      ],
      [
        "queued",
        "The provider asked us to wait. Your message is kept and will be retried: Monday, 15 June 2026, 03:47 (UTC).",
      ],
    ]
  `)
  expect(events.map(({ kind }) => kind)).toEqual(["queued", "turn-finished"])
  expect([again.turn === first.turn, from.bodies.length]).toEqual([true, 1])
  time.set(NIGHT + 3_600_000)
  await agent.resume()
  expect(late.map(({ text, turn }) => [text, turn])).toEqual([
    ["One.", first.turn],
    ["Two.", second.turn],
  ])
})

test("another provider is asked at once", async () => {
  const time = clock()
  const from = await server([refuse(429, { "retry-after": "3600" })])
  const { agent, late } = await open(workspace(), from, { now: time.now, wait: time.wait })
  const first = await agent.send("What time is it?")
  await agent.useModel("offline")
  expect((await agent.send("Who are you?")).state).toBe("answered")
  expect(late.map(({ state, turn }) => [state, turn])).toEqual([["answered", first.turn]])
})

test("given up after a day", async () => {
  const root = workspace()
  const time = clock()
  const from = await server([refuse(503)])
  const { agent, late } = await open(root, from, { now: time.now, wait: time.wait })
  const { turn } = await agent.send("first")
  time.set(NIGHT + 86_500_000)
  await agent.resume()
  expect(late.map(({ state, text, turn: of }) => [state, text, of === turn])).toMatchInlineSnapshot(`
    [
      [
        "failed",
        "This message cannot be answered: it could not be answered within a day (503: status 503).",
        true,
      ],
    ]
  `)
})

interface Case {
  readonly name: string
  readonly scripts: readonly Script[]
  readonly options?: Partial<AgentOptions>
}

const BEFORE: Script = say("Hello.")
const AT_LAST = say("At last.")

const CASES: readonly Case[] = [
  { name: "500 once", scripts: [refuse(500), AT_LAST] },
  { name: "529, overloaded, once", scripts: [refuse(529), AT_LAST] },
  { name: "429 that asks to wait ten seconds", scripts: [refuse(429, { "retry-after": "10" }), AT_LAST] },
  {
    name: "429 that asks to wait 2500 milliseconds",
    scripts: [refuse(429, { "retry-after-ms": "2500" }), AT_LAST],
  },
  {
    name: "429 that asks to wait until a moment, by the clock of the server",
    scripts: [
      refuse(429, { date: "Mon, 01 Jan 2024 00:00:00 GMT", "retry-after": "Mon, 01 Jan 2024 00:00:20 GMT" }),
      AT_LAST,
    ],
  },
  { name: "429 that asks to wait for an hour", scripts: [refuse(429, { "retry-after": "3600" })] },
  {
    name: "overloaded inside of the stream",
    scripts: [
      {
        kind: "reply",
        parts: [{ text: "I was about to" }, { error: { type: "overloaded_error", message: "Overloaded" } }],
      },
      AT_LAST,
    ],
  },
  {
    name: "cut in the middle of a text",
    scripts: [
      { kind: "cut", parts: [{ text: "I was about to say something long." }], afterParts: 0, midway: true },
      AT_LAST,
    ],
  },
  {
    name: "cut in the middle of a call",
    scripts: [
      {
        kind: "cut",
        parts: [
          { text: "Let me look." },
          { call: { name: "shell", input: { command: "echo a long command that is cut in the middle" } } },
        ],
        afterParts: 1,
        midway: true,
      },
      AT_LAST,
    ],
  },
  { name: "cut before anything came", scripts: [{ kind: "cut", parts: [], afterParts: 0 }, AT_LAST] },
  { name: "garbage", scripts: [{ kind: "garbage" }, AT_LAST] },
  { name: "no sign of life", scripts: [{ kind: "stall" }, AT_LAST], options: { limits: { idleMs: 60_000 } } },
  {
    name: "400",
    scripts: [
      {
        kind: "error",
        status: 400,
        body: { type: "error", error: { type: "invalid_request_error", message: "messages: at least one" } },
      },
    ],
  },
  { name: "401", scripts: [refuse(401)] },
  {
    name: "too long",
    scripts: [
      {
        kind: "error",
        status: 400,
        body: {
          type: "error",
          error: {
            type: "invalid_request_error",
            message: "prompt is too long: 210000 tokens > 200000 maximum",
          },
        },
      },
      say("They said hello."),
      AT_LAST,
    ],
  },
  {
    name: "too long, still",
    scripts: [{ kind: "error", status: 413 }, say("They said hello."), { kind: "error", status: 413 }],
  },
]

test.each(CASES)("$name", async ({ scripts, options = {} }) => {
  const root = workspace()
  const time = clock()
  const from = await server([BEFORE, ...scripts])
  const { agent } = await open(root, from, { now: time.now, wait: time.wait, ...options })
  await agent.send("Hi.")
  const { idleMs } = options.limits ?? {}
  if (idleMs !== undefined) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    onTestFinished(() => void vi.useRealTimers())
    void from.held().then(() => vi.advanceTimersByTime(idleMs))
  }
  const { tell, events } = collect()
  const { state, text, turn, session } = await agent.send("And now?", { tell })
  await agent.close()
  expect({
    state,
    text,
    waits: time.waits,
    requests: from.bodies.length - 1,
    told: events.flatMap(told),
    errors: errorsOf(root, turn),
    transcript: transcript(root, session),
  }).toMatchSnapshot()
})

function told(event: LiveEvent): readonly string[] {
  if (event.kind === "retrying") return [`retrying: ${event.why}`]
  if (event.kind === "text") return [`text: ${event.text}`]
  return ["step-discarded", "queued", "compacted"].includes(event.kind) ? [event.kind] : []
}

function errorsOf(root: string, turn: string): readonly unknown[] {
  return inRecord(root, (record) =>
    record
      .all("SELECT level, error, metadata FROM events WHERE turn_id = ? AND event_type = 'api_error'", turn)
      .map(({ level, error, metadata }) => [level, error, JSON.parse(String(metadata))]),
  )
}

test("stopped while it waits for another try", async () => {
  const root = workspace()
  const time = clock()
  const from = await server([
    { kind: "cut", parts: [{ text: "I was about to say something." }], afterParts: 0, midway: true },
    say("Yes?"),
  ])
  const stop = new AbortController()
  const { agent } = await open(root, from, {
    now: time.now,
    wait: async (_ms, signal) => {
      stop.abort()
      signal.throwIfAborted()
    },
  })
  const reply = await agent.send("Hi.", { signal: stop.signal })
  expect([reply.state, reply.text]).toEqual(["stopped", "Stopped: no answer was written yet."])
  const next = await agent.send("Still there?")
  // What came of the answer before it broke off was void.
  expect(transcript(root, next.session)).toEqual(["user: Hi.", "user: Still there?", "assistant: Yes?"])
  expect(from.bodies.length).toBe(2)
})

test("limited in the middle of a turn: what was done is not done again", async () => {
  const root = workspace()
  const time = clock()
  const look = call(["list", { path: "." }])
  const from = await server([look, ...Array.from({ length: 4 }, () => refuse(429)), say("Two files.")])
  const { agent, late } = await open(root, from, { now: time.now, wait: time.wait })
  const reply = await agent.send("What is here?")
  expect(reply.state).toBe("queued")
  time.set(NIGHT + 3_600_000)
  await agent.resume()
  expect(late.map(({ text, steps }) => [text, steps])).toEqual([["Two files.", 2]])
  await agent.close()
  expect(eventTypes(root, reply.turn).filter((type) => type === "tool_call")).toEqual(["tool_call"])
})
