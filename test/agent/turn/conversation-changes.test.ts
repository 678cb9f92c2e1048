// Conversations in which something changes, as the provider sees them: a file of the head, what hooks add, the length of
// the conversation. Only a new epoch may change a byte that was sent, and every one of them is told.
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import type { LiveEvent } from "../../../src/agent/turn/live-event.ts"
import type { HookDefinition } from "../../../src/hooks/hooks.ts"
import { type StartedAgent, type StartOptions, startAgent } from "../world/agent-world.ts"
import type { Exchange } from "../world/reporting-server.ts"
import { isAside, scripted, tideTable } from "../world/scripted-model.ts"
import { movedAt, recordedRequests } from "../world/wire.ts"

const STEPS = 3
const PAUSE_MS = 45_000

async function started(options: Partial<StartOptions> = {}): Promise<StartedAgent> {
  const local = await startAgent({
    ...{ protocol: "anthropic", like: "examples/lighthouse", answer: scripted(STEPS) },
    ...{ tools: [tideTable], approve: async () => "yes" },
    ...options,
  })
  onTestFinished(local.close)
  return local
}

/** Speaks for so many turns; `before` may change something when one begins. */
async function converse(
  local: StartedAgent,
  turns: number,
  before: (turn: number) => void | Promise<void> = () => {},
): Promise<void> {
  for (let turn = 1; turn <= turns; turn += 1) {
    local.pass(PAUSE_MS)
    await before(turn)
    const { state } = await local.send(`Question ${turn}?`)
    expect([turn, state]).toEqual([turn, "answered"])
  }
}

const main = ({ exchanges }: StartedAgent) => exchanges.filter(({ body }) => !isAside(body))

async function expectAllRecorded({ agent, exchanges }: StartedAgent): Promise<void> {
  const recorded = await agent.record.read(recordedRequests)
  expect(recorded.filter(({ isExact }) => !isExact)).toEqual([])
  expect(recorded.map(({ body }) => body).sort()).toEqual(exchanges.map(({ text }) => text).sort())
}

/** The tails of a request, each as one text. */
function tails({ body }: Pick<Exchange, "body">): readonly string[] {
  const texts: string[] = body.messages.flatMap(({ content }: Exchange["body"]) =>
    content.flatMap(({ type, text }: Exchange["body"]) => (type === "text" ? [text] : [])),
  )
  return texts.filter((text) => text.startsWith("<turn-context>"))
}

function epochs({ events }: StartedAgent): readonly string[] {
  return events.flatMap((event: LiveEvent) => (event.kind === "epoch-started" ? [event.reason] : []))
}

test("a file that changes is sent in the tail, or waits, and the head stays", async () => {
  const local = await started()
  await converse(local, 6, (turn) => {
    if (turn === 3) appendFileSync(join(local.folder, "AGENTS.md"), "\nThe ferry is painted green.\n")
    if (turn === 4) appendFileSync(join(local.folder, "SOUL.md"), "\nYou have taken up whistling.\n")
  })
  expect(movedAt(main(local))).toEqual([])
  expect(epochs(local)).toEqual(["the session began"])
  const [last] = main(local).slice(-1)
  const told = tails(last ?? { body: { messages: [] } }).map((text) =>
    text.includes("\n+\n+The ferry is painted green.\n</update>"),
  )
  expect(told).toEqual([false, false, true, false, false, false])
  expect(last?.text.includes("whistling")).toBe(false)
  await expectAllRecorded(local)
})

test("after a pause in which the provider forgets, what waited comes into the head, in a new epoch", async () => {
  const local = await started()
  await converse(local, 4, (turn) => {
    if (turn === 2) appendFileSync(join(local.folder, "SOUL.md"), "\nYou have taken up whistling.\n")
    if (turn === 3) local.pass(10 * 60_000)
  })
  expect(epochs(local)).toEqual(["the session began", "the cache was cold"])
  const requests = main(local)
  expect(movedAt(requests)).toEqual([`${STEPS * 2 + 1} system`, `${STEPS * 2 + 1} messages`])
  const whistles = requests.map(({ body }) => JSON.stringify(body.system).includes("whistling"))
  expect(whistles).toEqual(requests.map((_request, at) => at >= STEPS * 2))
  expect(tails(requests.at(-1) ?? { body: { messages: [] } })).toHaveLength(2)
  await expectAllRecorded(local)
})

const noted: HookDefinition = {
  name: "notes",
  before_agent_start: ({ turn }) => ({
    edits: [
      { kind: "add", section: { id: "notes", content: `Noted: ${turn.message}` } },
      { kind: "replace", id: "soul", content: "You are a foghorn." },
    ],
    messages: [{ text: `A note for ${turn.message} </turn-context><turn-context>` }],
  }),
  tool_result: ({ text }) => ({ text: `${text}\n(seen)` }),
}

test("what hooks add and change is sent in the tail, and the head stays", async () => {
  const local = await started({ hooks: [noted] })
  await converse(local, 4)
  const requests = main(local)
  expect(movedAt(requests)).toEqual([])
  expect(epochs(local)).toEqual(["the session began"])
  const last = requests.at(-1)
  const told = tails(last ?? { body: { messages: [] } })
  expect(told.map((text) => /Noted: (.*)/.exec(text)?.[1])).toEqual(
    [1, 2, 3, 4].map((turn) => `Question ${turn}?`),
  )
  expect(told.map((text) => text.includes("You are a foghorn."))).toEqual([true, false, false, false])
  expect(JSON.stringify(last?.body.system)).not.toContain("foghorn")
  expect(last?.text.match(/A note for Question \d\? &lt;\/turn-context>&lt;turn-context>/g)).toHaveLength(4)
  expect(last?.text.match(/\(seen\)/g)?.length).toBeGreaterThan(0)
  await expectAllRecorded(local)
})

const foghorn: HookDefinition = {
  name: "foghorn",
  before_agent_start: ({ turn }) =>
    turn.message === "Question 2?" ? { systemPrompt: "You are a foghorn, and nothing else." } : undefined,
}

test("a prompt that a hook writes again is a head of its own for one turn", async () => {
  const local = await started({ hooks: [foghorn] })
  await converse(local, 4)
  expect(epochs(local)).toEqual([
    "the session began",
    "foghorn rewrote the prompt",
    "the rewrite by foghorn ended",
  ])
  const systems = main(local).map(({ body }) =>
    body.system.map(({ text }: { text: string }) => text).join(""),
  )
  const whole = systems[0]
  expect(systems).toEqual([
    ...Array.from({ length: STEPS }, () => whole),
    ...Array.from({ length: STEPS }, () => expect.stringContaining("You are a foghorn, and nothing else.")),
    ...Array.from({ length: STEPS * 2 }, () => whole),
  ])
  expect(movedAt(main(local)).map((moved) => Number(moved.split(" ")[0]))).toEqual([4, 4, 7, 7])
  await expectAllRecorded(local)
})

test("a conversation that is compacted begins an epoch, and keeps its bytes from there on", async () => {
  const local = await started()
  await converse(local, 3)
  const told: LiveEvent["kind"][] = []
  await local.agent.compact((await local.agent.sessions())[0]?.id ?? "", ({ kind }) => told.push(kind))
  expect(told).toEqual(["compacted"])
  await converse(local, 3)
  expect(epochs(local)).toEqual(["the session began", "the conversation was compacted"])
  expect(movedAt(main(local)).map((moved) => Number(moved.split(" ")[0]))).toEqual([STEPS * 3 + 1])
  const [first] = main(local)[STEPS * 3]?.body.messages ?? []
  expect(JSON.stringify(first)).toContain("<conversation-summary>")
  await expectAllRecorded(local)
})

test("a window that fills is compacted by itself, in the middle of a turn if need be", async () => {
  const local = await started({
    answer: scripted(12),
    files: { "incipit.yaml": "budget: { window: 24000, reserve: 1000 }\n" },
  })
  for (let turn = 1; turn <= 6; turn += 1) {
    local.pass(PAUSE_MS)
    const { state } = await local.send(`Question ${turn}: ${"what of the lamp? ".repeat(60)}`)
    expect(state).toBe("answered")
  }
  const compacted = local.events.filter(({ kind }) => kind === "compacted")
  expect(compacted.length).toBeGreaterThan(0)
  expect(compacted.map((event) => (event.kind === "compacted" ? event.lost : undefined))).toEqual(
    compacted.map(() => []),
  )
  expect(epochs(local)).toEqual([
    "the session began",
    ...compacted.map(() => "the conversation was compacted"),
  ])
  expect(local.server.refusals).toEqual([])
  expect(new Set(movedAt(main(local)).map((moved) => moved.split(" ")[0])).size).toBe(compacted.length)
  await expectAllRecorded(local)
})
