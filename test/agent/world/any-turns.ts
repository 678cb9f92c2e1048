// Conversations in which anything may happen, with any provider: odd texts and ids, parallel calls, failures, stops,
// crashes between any two writes, compaction, and another model for every turn. Returned is what the providers refused.
import { join } from "node:path"
import fc from "fast-check"
import type { AgentStore } from "../../../src/database/contract/agent-store.ts"
import { openStore } from "../../../src/database/sqlite/agent/open-store.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import type { RunnableTool } from "../../../src/tools/define-tool.ts"
import { watched } from "../store/watched-store.ts"
import { type Clock, clock, type Opened, open, tool, workspace } from "./agent-world.ts"
import { type AllServers, type AskedOf, allServers } from "./all-providers.ts"
import { MODELS } from "./ask-model.ts"
import type { Part, Script } from "./servers/script.ts"

const WINDOW = 30_000
const CONFIG = `profile: incipit
feeds: { communication: off, noise: off, bulletin: off }
environment: { host: off }
budget: { window: ${WINDOW}, reserve: 1000 }
`
const ALL_MODELS = [...Object.values(MODELS), "ollama/gemma3:4b"]

const TEXTS = [
  "",
  " ",
  "Yes.",
  "half \ud83c",
  "<turn-context>",
  "```tool_call\n{\n```",
  "\u0000\u200b",
  "tide ".repeat(4_000),
]
const text = fc.constantFrom(...TEXTS)
const call = fc.record({
  name: fc.constantFrom("say", "odd", "breaks", "long", "functions.say", "no such tool", ""),
  input: fc.constantFrom<unknown>({}, { text: "half \udf0a" }, [1], "x", { deep: { er: [null] } }),
  id: fc.constantFrom("call_0", "call_0", "functions.say:0", "a b", "toolu_1"),
})
const part: fc.Arbitrary<Part> = fc.oneof(
  text.map((one) => ({ text: one })),
  { weight: 2, arbitrary: call.map((one) => ({ call: one })) },
)
const FAILURES: readonly Script[] = [
  { kind: "reply", parts: [] },
  { kind: "reply", parts: [{ reasoning: "Hm." }, { text: "Thought." }] },
  { kind: "reply", parts: [{ text: "cut sho" }], stop: "length" },
  { kind: "reply", parts: [{ call: { name: "say", input: {} } }], stop: "length" },
  { kind: "error", status: 400 },
  { kind: "error", status: 529 },
  { kind: "cut", parts: [{ text: "One." }, { text: "Two." }], afterParts: 1 },
]
const answer: fc.Arbitrary<Script> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .array(part, { minLength: 1, maxLength: 4 })
      .map((parts): Script => ({ kind: "reply", parts })),
  },
  fc.constantFrom(...FAILURES),
)
const turn = fc.record({
  model: fc.constantFrom(...ALL_MODELS),
  message: fc.constantFrom("Go.", "half \ud83c", "<x>", "tide ".repeat(2_000)),
  answers: fc.array(answer, { minLength: 2, maxLength: 3 }),
  /** What happens besides. */
  event: fc.constantFrom("none", "none", "stop", "crash", "compact", "told"),
  /** How many writes come before the crash. */
  writes: fc.integer({ min: 0, max: 6 }),
})
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never

const TOOLS: readonly RunnableTool[] = [
  tool("say", async () => "half \ud83c"),
  // As a program without types may write it.
  tool("odd", (async () => undefined) as unknown as RunnableTool["run"]),
  tool("breaks", async () => {
    throw new Error("It broke.")
  }),
  tool("long", async () => "low tide\n".repeat(20_000)),
]

const WRITES = ["transcripts.change", "runs.finish", "inbox.finish", "inbox.postpone"]

/** After so many writes of a turn the process is as good as gone. */
function dying(store: AgentStore, writes: { left: number }): AgentStore {
  return watched(store, async (call, make) => {
    if (WRITES.includes(call)) {
      if (writes.left <= 0) throw new Error("the process is gone")
      writes.left -= 1
    }
    return make()
  })
}

interface World {
  readonly root: string
  readonly servers: AllServers
  readonly time: Clock
  /** For the requests to come; whatever comes after is answered. */
  answers: Script[]
  readonly tooLong: number[]
  readonly states: string[]
}

async function world(): Promise<World> {
  const made = { answers: [] as Script[], tooLong: [] as number[], states: [] as string[] }
  const servers = await allServers(({ body }: AskedOf): Script => {
    const { tools, system, messages, input, contents, systemInstruction } = body
    const size = o200k.count(JSON.stringify([tools, system, messages, input, contents, systemInstruction]))
    if (size > WINDOW) made.tooLong.push(size)
    return made.answers.shift() ?? { kind: "reply", parts: [{ text: "Done." }] }
  })
  return Object.assign(made, { root: workspace({ "incipit.yaml": CONFIG }), servers, time: clock() })
}

interface Running {
  readonly agent: Opened["agent"]
  /** How many more writes the process makes before it is gone. */
  readonly writes: { left: number }
}

async function start({ root, servers, time }: World, model: string): Promise<Running> {
  const writes = { left: Number.POSITIVE_INFINITY }
  const store = dying(await openStore(join(root, ".incipit", "agent.db"), { now: time.now }), writes)
  const { agent } = await open(root, servers, {
    ...{ model, store, tools: TOOLS, now: time.now, wait: time.wait, limits: { steps: 4 } },
  })
  return { agent, writes }
}

/** The agent for the next turn: another one after a crash. */
async function take(at: World, running: Running, wanted: Turn): Promise<Running> {
  const { agent, writes } = running
  const { model, message, answers, event } = wanted
  await agent.useModel(model)
  if (event === "crash") writes.left = wanted.writes
  at.answers = [...answers]
  const stop = new AbortController()
  const observe = event === "stop" ? () => stop.abort() : () => {}
  const sent = await agent.send(message, { signal: stop.signal, observe }).catch(() => undefined)
  at.states.push(sent?.state ?? "broken off")
  at.answers = []
  writes.left = Number.POSITIVE_INFINITY
  const [session] = await agent.sessions()
  if (event === "compact" && session !== undefined) await agent.compact(session.id)
  if (event === "told" && session !== undefined) await agent.shell("echo hi", { isSent: true })
  // What was cut short is due again.
  at.time.set(at.time.now() + 3_600_000)
  if (event !== "crash") return running
  await agent.close()
  return start(at, model)
}

const PLAIN_TURN: Turn = { model: "", message: "Still there?", answers: [], event: "none", writes: 0 }

export interface Outcome {
  readonly refusals: readonly string[]
  /** Sizes of requests that no window of this size holds. */
  readonly tooLong: readonly number[]
  /** What became of a plain message to each model in the end. */
  readonly last: readonly string[]
}

/** Has the conversation, then says a word to every model. */
export async function outcomeOf(turns: readonly Turn[]): Promise<Outcome> {
  const at = await world()
  let running = await start(at, ALL_MODELS[0] ?? "")
  for (const one of turns) running = await take(at, running, one)
  for (const model of ALL_MODELS) running = await take(at, running, { ...PLAIN_TURN, model })
  await running.agent.close()
  await at.servers.close()
  return { refusals: at.servers.refusals(), tooLong: at.tooLong, last: at.states.slice(-ALL_MODELS.length) }
}

export const NOTHING_REFUSED: Outcome = { refusals: [], tooLong: [], last: ALL_MODELS.map(() => "answered") }

export const anyTurns = fc.array(turn, { minLength: 1, maxLength: 5 })
