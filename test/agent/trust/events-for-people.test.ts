// What is handed out for a person, passed on to them as JSON: nothing that is withheld from them, nothing of the prompt
// or of how their answer came about.
import fc from "fast-check"
import { expect, test } from "vitest"
import { eventFor } from "../../../src/agent/turn/event-for-person.ts"
import type { LiveEvent, PartEvent, Reply } from "../../../src/agent/turn/live-event.ts"
import { atLeast, TRUSTS, type Trust } from "../../../src/base/trust.ts"
import { samplePrompt } from "../../render/sample.ts"
import { call, open, say, server, workspace } from "../world/agent-world.ts"

/** Stands in every file of its trust, in its name too. */
const mark = (trust: Trust) => `zq${trust}zq`
const PROVIDER = "provider-internal-detail"

const CONFIG = `profile: incipit
environment: { host: off }
users:
  public1: { trust: public, match: ["chat:1"] }
  familiar1: { trust: familiar, match: ["chat:2"] }
  inner1: { trust: inner, match: ["chat:3"] }
  full1: { trust: full, match: ["chat:4"] }
situations: { dm: { ceiling: full }, group: { ceiling: full } }
rooms:
${TRUSTS.map((trust, at) => `  "room:${at}": { trust: ${trust} }`).join("\n")}
`

const files = Object.fromEntries(
  TRUSTS.flatMap((trust) => [
    [`rules/${mark(trust)}.md`, `---\ntrust: ${trust}\n---\nRule ${mark(trust)}.\n`],
    [
      `prompts/${mark(trust)}.md`,
      `---\ntrust: ${trust}\n---\nText ${mark(trust)}. {{ nothing_of_the_kind }}\n`,
    ],
    [
      `skills/${mark(trust)}/SKILL.md`,
      `---\nname: ${mark(trust)}\ntrust: ${trust}\ndescription: Skill ${mark(trust)}\n---\nDo.\n`,
    ],
  ]),
)

const SENDERS = TRUSTS.flatMap((trust, at) => [
  { trust, from: { as: `${trust}1`, channel: `chat:${at + 1}` } },
  { trust, from: { as: "full1", channel: `room:${at}` } },
])

test("no event, answer or notice for a person has a mark of what is withheld from them", async () => {
  const root = workspace({ "incipit.yaml": CONFIG, ...files })
  let calls = 0
  const from = await server(({ body }) => {
    calls += 1
    if (calls % 3 === 2)
      return {
        kind: "error",
        status: 529,
        body: { type: "error", error: { type: "overloaded_error", message: PROVIDER } },
      }
    if (JSON.stringify(body.messages.at(-1)).includes("tool_result")) return say("Done.")
    return call(["read", { path: `rules/${mark("full")}.md` }], ["notify_user", { text: "Look." }])
  })
  const notified: unknown[] = []
  const { agent } = await open(root, from, {
    wait: async () => {},
    notify: (...given) => notified.push(given),
  })
  for (const { trust, from: sender } of SENDERS) {
    const handed: unknown[] = []
    const observed: LiveEvent[] = []
    notified.length = 0
    const reply = await agent.send("Look.", {
      ...sender,
      tell: (event) => handed.push(event),
      observe: (event) => observed.push(event),
      deliver: (answer) => void handed.push(answer),
    })
    handed.push(...notified, await agent.notices(sender))
    const json = JSON.stringify(handed)
    for (const other of TRUSTS) if (!atLeast(trust, other)) expect(json).not.toContain(mark(other))
    expect(json).not.toContain('"prompt"')
    expect(JSON.stringify(observed)).not.toContain('"prompt"')
    expect(reply.prompt).toBeDefined()
    if (trust === "full") continue
    for (const word of [PROVIDER, root, 'costUsd":0', "claude", "section"]) expect(json).not.toContain(word)
    expect(JSON.stringify(observed)).toContain("claude")
  }
})

const word = fc.string({ minLength: 3, maxLength: 12 }).map((text) => `SECRET${text}`)
const cost = fc.record({
  usage: fc.constant({ uncached: 71, read: 72, write: {}, output: 73 }),
  costUsd: fc.constant(0.123456),
  isSimulated: fc.boolean(),
})
const reply: fc.Arbitrary<Reply> = fc.record({
  state: fc.constantFrom("answered", "silent", "queued", "stopped", "failed"),
  text: fc.constant("An answer."),
  turn: fc.constant("t"),
  session: fc.constant("s"),
  steps: fc.nat(),
  cost,
  durationMs: fc.nat(),
})

/** One of each kind; a field that is not for people holds a secret. A kind that is missing does not compile. */
const EVENTS: { readonly [K in LiveEvent["kind"]]: fc.Arbitrary<Extract<LiveEvent, { kind: K }>> } = {
  "turn-started": fc.constant({ kind: "turn-started", turn: "t", session: "s", isResumed: false }),
  "step-started": word.map((model) => ({ kind: "step-started", step: 1, model })),
  "message-joined": fc.constant({ kind: "message-joined", turn: "u", text: "And this." }),
  text: fc.constant({ kind: "text", text: "An answer." }),
  reasoning: word.map((text) => ({ kind: "reasoning", text })),
  "step-discarded": fc.constant({ kind: "step-discarded", step: 1 }),
  "tool-started": fc
    .json()
    .map((input) => ({ kind: "tool-started", call: "1", name: "read", input: { SECRET: input } })),
  "tool-progress": word.map((text) => ({ kind: "tool-progress", call: "1", name: "read", text })),
  "tool-finished": word.map((text) => ({
    ...{ kind: "tool-finished" as const, call: "1", name: "read", text, isError: true, durationMs: 1 },
  })),
  "approval-requested": word.map((command) => ({
    ...{ kind: "approval-requested" as const, id: "q", call: "1" },
    request: { kind: "shell" as const, command, directory: command },
  })),
  "approval-finished": fc.constant({ kind: "approval-finished", id: "q", answer: "yes" }),
  delegated: fc
    .oneof(
      word.map((text): PartEvent => ({ kind: "text", text })),
      word.map((input): PartEvent => ({ kind: "tool-started", call: "2", name: "read", input })),
      word.map(
        (text): PartEvent => ({
          ...{ kind: "tool-finished" as const, call: "2", name: "read", text, isError: false, durationMs: 1 },
        }),
      ),
      fc.tuple(reply, word).map(
        ([one, text]): PartEvent => ({
          ...{ kind: "turn-finished" as const, reply: { ...one, text } },
        }),
      ),
    )
    .map((event) => ({ kind: "delegated" as const, call: "1", agent: "scout", turn: "u", event })),
  "step-finished": cost.map((one) => ({ kind: "step-finished", step: 1, calls: 1, cost: one })),
  retrying: word.map((why) => ({ kind: "retrying", attempt: 1, waitMs: 1, why })),
  queued: word.map((why) => ({ kind: "queued", why, notBefore: 1 })),
  "epoch-started": word.map((reason) => ({ kind: "epoch-started", epoch: 1, reason, rewrites: 1 })),
  "section-updated": word.map((id) => ({ kind: "section-updated", id, why: "changed", how: "append" })),
  "cache-missed": word.map((reason) => ({ kind: "cache-missed", reason, tokens: 1 })),
  compacted: word.map((id) => ({ kind: "compacted", from: 1, to: 1, lost: [id] })),
  notice: fc.constant({ kind: "notice", text: "Look." }),
  "plan-suggested": fc.constant({ kind: "plan-suggested" }),
  "plan-saved": fc.constant({ kind: "plan-saved", name: "plan", goal: "A goal." }),
  diagnostic: word.map((text) => ({ kind: "diagnostic", level: "warning", text })),
  // As untyped code may hand it over.
  "turn-finished": reply.map((one) => ({
    kind: "turn-finished",
    reply: { ...one, prompt: { SECRET: samplePrompt() } },
  })),
}

test("of every kind of event, somebody without full trust gets nothing of how an answer came about", () => {
  fc.assert(
    fc.property(
      fc.oneof(...Object.values(EVENTS)),
      fc.constantFrom("public", "familiar", "inner"),
      (event, trust) => {
        const json = JSON.stringify(eventFor(trust, event)) ?? ""
        expect(json).not.toMatch(/SECRET|0\.123456|"fresh":71/)
      },
    ),
    { seed: 1, numRuns: 400 },
  )
})

test("with full trust every event comes as it is", () => {
  fc.assert(
    fc.property(fc.oneof(...Object.values(EVENTS)), (event) => {
      expect(eventFor("full", event)).toBe(event)
    }),
    { seed: 1, numRuns: 100 },
  )
})
