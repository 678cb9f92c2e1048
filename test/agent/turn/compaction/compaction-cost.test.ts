// What it costs to sum up a conversation that the provider has in its cache, in units of one fresh token: the summary is
// asked for as a continuation of what was sent last, and nothing of that one request is written to the cache.
import { expect, onTestFinished, test } from "vitest"
import { summaryRequest, summaryTokens } from "../../../../src/agent/turn/compaction/summary-request.ts"
import { ruleFor } from "../../../../src/render/cache/cache-rules.ts"
import { inputOf } from "../../../../src/render/cache/price.ts"
import { unitsOf } from "../../../../src/render/cache/simulate.ts"
import {
  call,
  clock,
  collect,
  inRecord,
  NIGHT,
  open,
  type StartedAgent,
  say,
  server,
  startAgent,
  transcript,
  workspace,
} from "../../world/agent-world.ts"
import { MODELS, PROTOCOL_NAMES } from "../../world/ask-model.ts"
import { asksForSummary } from "../../world/asks-for-summary.ts"
import type { Asked, Exchange } from "../../world/reporting-server.ts"
import { call as part } from "../../world/scripted-model.ts"
import type { Json } from "../../world/servers/refusals.ts"
import type { Part, Script } from "../../world/servers/script.ts"
import type { ProtocolName } from "../../world/servers/server.ts"
import { movedAt } from "../../world/wire.ts"

const LINES = Array.from({ length: 400 }, (_item, at) => `${at}: the lamp was lit and the oil was filled`)
const FILES = {
  "incipit.yaml":
    "profile: incipit\nfeeds: { communication: off, bulletin: off }\nbudget: { window: 60000 }\n",
  "log.txt": LINES.join("\n"),
}

/** Reads the log, then answers; sums up when it is asked to. */
function keeper({ body, calls }: Asked): readonly Part[] {
  if (asksForSummary(body)) return [{ text: "Goal: the lamp." }]
  return calls % 2 === 1 ? [part("read", { path: "log.txt" })] : [{ text: "It was lit." }]
}

async function started(protocol: ProtocolName): Promise<StartedAgent> {
  const local = await startAgent({ protocol, files: FILES, answer: keeper })
  onTestFinished(() => local.close())
  return local
}

/** The request for the summary, and the one before it. */
function summaryIn({ exchanges }: StartedAgent): readonly [before: Exchange, summary: Exchange] {
  const at = exchanges.findIndex(({ body }) => asksForSummary(body))
  const [before, summary] = exchanges.slice(Math.max(0, at - 1), at + 1)
  if (before === undefined || summary === undefined) throw new Error("no summary was asked for")
  return [before, summary]
}

test("a summary reads what is cached and writes nothing", async () => {
  const local = await started("anthropic")
  for (let turn = 1; !local.events.some(({ kind }) => kind === "compacted"); turn += 1) {
    local.pass(20_000)
    expect((await local.send(`Was the lamp lit on day ${turn}?`)).state).toBe("answered")
  }
  const [before, { usage }] = summaryIn(local)
  expect([usage.read, usage.write]).toEqual([inputOf(before.usage), {}])
  // A tenth of what is cached, and what was said since. Half of the text, written to the cache, took half of it.
  const units = unitsOf(usage, ruleFor(MODELS.anthropic))
  expect(units / inputOf(usage)).toBeLessThan(0.3)
})

/** Of protocols whose marks are not part of the conversation. */
const COMPARED: readonly ProtocolName[] = ["anthropic", "openai-responses", "openai-chat"]

test.each(PROTOCOL_NAMES)("%s: a summary continues from the bytes that were sent last", async (protocol) => {
  const local = await started(protocol)
  const { session } = await local.send("Was the lamp lit?")
  await local.agent.compact(session)
  expect((await local.send("And then?")).state).toBe("answered")
  expect(local.server.refusals).toEqual([])
  const moved = movedAt(summaryIn(local)).filter((field) => !field.endsWith("_tokens"))
  if (COMPARED.includes(protocol)) expect(moved).toEqual([])
})

interface Told {
  readonly summaries: readonly Script[]
  readonly wait?: number
}

/** A conversation of one turn that is compacted, with what was asked for it. */
async function compacted({ summaries, wait = 0 }: Told) {
  const root = workspace({ "note.txt": "The lamp needs oil." })
  const time = clock()
  let asked = 0
  const from = await server(({ body, calls }) => {
    if (!asksForSummary(body))
      return calls === 1 ? call(["read", { path: "note.txt" }]) : say("It needs oil.")
    asked += 1
    return summaries[asked - 1] ?? say("Too many.")
  })
  const { agent } = await open(root, from, { now: time.now, wait: time.wait })
  const { session } = await agent.send("Read the note.")
  time.set(NIGHT + wait)
  const { tell, events } = collect()
  await agent.compact(session, tell)
  await agent.close()
  const requests: readonly Json[] = from.bodies.slice(2).map((body) => JSON.parse(body))
  return {
    requests,
    questions: requests.map(({ messages }) => messages.at(-1).content.at(-1).text.split("\n\n")[0]),
    findings: events.flatMap((event) => (event.kind === "diagnostic" ? [event.text] : [])),
    summary: transcript(root, session)[0],
    codes: inRecord(root, (record) =>
      record.all(
        "SELECT json_extract(metadata, '$.code') AS code FROM events WHERE event_type = 'diagnostic'",
      ),
    ).map(({ code }) => code),
  }
}

const CUT: Script = { kind: "reply", parts: [{ text: "Goal: the la" }], stop: "length" }

test("what the provider has forgotten is summed up from its text, in a small prompt that is not written to the cache", async () => {
  const { requests } = await compacted({ summaries: [say("Goal: oil.")], wait: 3_600_000 })
  expect(requests).toHaveLength(1)
  expect([requests[0].tools, requests[0].messages.length]).toEqual([undefined, 1])
  expect(JSON.stringify(requests[0].messages)).not.toContain("cache_control")
})

test("a summary that was cut off is asked for once more, half as long", async () => {
  const { questions, summary, findings } = await compacted({ summaries: [CUT, say("Goal: oil.")] })
  expect(questions.map((text) => /at most (\d+) words/.exec(text)?.[1])).toEqual(["500", "200"])
  expect(questions[1]).toContain("Your last summary was too long and was cut off.")
  expect([summary, findings]).toEqual([expect.stringContaining(">\nGoal: oil."), []])
})

test("one that is cut off again is kept as far as it goes, with the first words of what was said", async () => {
  const { requests, summary, findings, codes } = await compacted({ summaries: [CUT, CUT] })
  expect(requests).toHaveLength(2)
  expect(summary).toContain("Goal: the la\n\n- user: Read the note.\n- assistant: It needs oil.")
  expect(findings).toEqual([expect.stringContaining("was cut off by the output limit twice")])
  expect(codes).toEqual(["summary-cut"])
})

test.each([
  ["calls a tool", call(["read", { path: "note.txt" }])],
  ["says nothing", say(" ")],
  ["is refused as too long", { kind: "error", status: 413 }],
] as const)("a continuation that %s is followed by a request with its text", async (_what, first) => {
  const { requests, summary } = await compacted({ summaries: [first, say("Goal: oil.")] })
  expect(requests.map(({ tools }) => tools === undefined)).toEqual([false, true])
  expect(summary).toContain("Goal: oil.")
})

test.each([
  ["little", 2_000, 40_000, 1_500],
  ["much", 120_000, 40_000, 12_000],
  ["more than may be kept", 120_000, 3_000, 3_000],
])("the room for a summary of %s", (_what, replaced, most, tokens) => {
  expect(summaryTokens(replaced, most)).toBe(tokens)
  const words = Number(/at most (\d+) words/.exec(summaryRequest({ tokens, factor: 1.53 }))?.[1])
  expect(words).toBeLessThanOrEqual((tokens / 1.53) * 0.6)
})
