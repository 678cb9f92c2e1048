// Plays a scenario through the compiler, as an agent would, and returns the calls that it would make. Heads, tails,
// epochs and breakpoints are real; the conversation is filler.
import { digest } from "../../base/digest.ts"
import { IncipitError } from "../../base/error.ts"
import { createCompiler, type Head } from "../../core/compile/compiler.ts"
import type { GivenBudget } from "../../core/fit/budget.ts"
import { attach, detach, type Sent } from "../../core/layout/tail.ts"
import type { Counter } from "../../core/model/counter.ts"
import type { Agent, Session, Tool, Turn } from "../../core/model/inputs.ts"
import { type Message, userMessage } from "../../core/model/message.ts"
import type { Profile } from "../../core/model/profile.ts"
import type { SourceFile } from "../../core/model/source.ts"
import type { CacheLayout } from "./cache-layouts.ts"
import { type CacheRule, ttlOf } from "./cache-rule.ts"
import type { Call } from "./call.ts"
import { callOf, createMeasured, type Measured } from "./prompt-call.ts"
import { filler, type Scenario, type ScenarioTurn } from "./scenario.ts"

/** The prompt whose calls are made up, and the layout and rule to make them for. */
export interface RehearseOptions {
  readonly profile: Profile
  readonly layout: CacheLayout
  readonly rule: CacheRule
  readonly counter: Counter
  readonly agent: Agent
  readonly session: Session
  /** The first turn; its clock advances with the scenario. */
  readonly turn: Turn
  readonly budget?: GivenBudget
  readonly ttl?: string
  /** Begins a new epoch for every change, whatever its freshness. */
  readonly rebases?: boolean
  /** Other inputs that change from turn to turn. */
  readonly inputs?: (turn: number) => Partial<Turn>
}

/** The state of a conversation. */
interface State {
  readonly agent: Agent
  readonly session: Session
  readonly messages: readonly Message[]
  readonly at: number
  readonly sent: Sent | undefined
  readonly head: Head | undefined
}

/** Makes the calls of an invented conversation with a real prompt, for `simulate`. */
export function rehearse(scenario: Scenario, options: RehearseOptions): readonly Call[] {
  const { agent, session, counter, layout } = options
  const compiler = createCompiler({ profile: layout.arrange(options.profile), counter })
  let state: State = { agent, session, messages: [], at: 0, sent: undefined, head: undefined }
  const measured = createMeasured(counter)
  const calls: Call[] = []
  for (const [index, turn] of scenario.turns.entries()) {
    const changed = change(state, turn, options)
    const isChanged = changed.agent !== state.agent || changed.session !== state.session
    const { budget, ttl, rebases } = options
    const head = compiler.head(changed.agent, changed.session, {
      ...(budget !== undefined && { budget }),
      ...(ttl !== undefined && { ttl }),
      ...(changed.head && { baseline: changed.head.baseline }),
      ...rebaseOf(rebases === true && isChanged, turn, options),
    })
    // For tails, a new epoch is a new conversation.
    const messages = head.started ? detach(changed.messages) : changed.messages
    const simulated = simulateTurn(
      { state: { ...changed, head, messages }, head, turn, index, measured },
      options,
    )
    state = simulated.state
    calls.push(...simulated.calls)
  }
  return calls
}

/** A new epoch costs nothing while the cache is cold. */
function rebaseOf(isWanted: boolean, { gapMs }: ScenarioTurn, { rule, ttl }: RehearseOptions) {
  if (isWanted) return { rebase: "something changed" }
  // Without a cache, nothing gets cold.
  if (rule.lookup === "none") return {}
  return gapMs >= ttlOf(rule, ttl).seconds * 1000 ? { rebase: "the cache is cold" } : {}
}

interface TurnInput {
  readonly state: State
  readonly head: Head
  readonly turn: ScenarioTurn
  readonly index: number
  readonly measured: Measured
}

function simulateTurn(
  { state, head, turn, index, measured }: TurnInput,
  options: RehearseOptions,
): { readonly state: State; readonly calls: readonly Call[] } {
  const { counter, layout, rule } = options
  const text = filler(`Message ${index + 1}.`, turn.message, counter)
  const calls: Call[] = []
  let messages: readonly Message[] = [...state.messages, userMessage(text)]
  let { at, sent } = state
  for (const [step, { gapMs, answer, result }] of turn.steps.entries()) {
    at += step > 0 ? gapMs : index > 0 ? turn.gapMs : 0
    const now = {
      ...options.turn,
      ...options.inputs?.(index),
      id: `turn-${index + 1}`,
      now: options.turn.now + at,
    }
    const prompt = head.step({ ...now, message: text }, sent === undefined ? {} : { sent })
    messages = attach(messages, prompt.tail)
    sent = prompt.sent
    calls.push(
      callOf(prompt, messages, {
        ...{ counter, measured },
        breakpoints: layout.mark(prompt, messages, rule),
        rule,
        at,
        output: answer,
        settings: { model: state.session.model ?? "" },
        evicts: turn.evicts && step === 0,
      }),
    )
    const id = `${index + 1}-${step + 1}`
    messages = [
      ...messages,
      ...reply(id, { answer, result, isLast: step === turn.steps.length - 1 }, counter),
    ]
  }
  return { state: { ...state, messages, at, sent, head }, calls }
}

function reply(
  id: string,
  { answer, result, isLast }: { readonly answer: number; readonly result: number; readonly isLast: boolean },
  counter: Counter,
): readonly Message[] {
  const said = { kind: "text", text: filler(`Answer ${id}.`, answer, counter) } as const
  if (isLast) return [{ role: "assistant", parts: [said] }]
  const call = { kind: "tool-call", id, name: "read", input: {} } as const
  const text = filler(`Result ${id}.`, result, counter)
  return [
    { role: "assistant", parts: [said, call] },
    { role: "user", parts: [{ kind: "tool-result", id, text }] },
  ]
}

/** The workspace at the beginning of the turn. */
function change(
  state: State,
  { edits, tools, model, skills = [] }: ScenarioTurn,
  { counter }: RehearseOptions,
): State {
  checkNames(state, edits, tools.remove)
  const edited = (file: SourceFile): SourceFile => {
    const edit = edits.find(({ path }) => path === file.path)
    if (edit === undefined || edit.adds === 0) return file
    const text = `${file.text.replace(/\n*$/, "\n")}${filler("-", edit.adds, counter)}\n`
    return { ...file, text, digest: digest(text) }
  }
  const kept = state.agent.tools.filter(({ name }) => !tools.remove.includes(name))
  const isSame = [edits, tools.add, tools.remove, skills].every(({ length }) => length === 0)
  const added = tools.add.map((tool) =>
    "tokens" in tool ? fillerTool(tool.name, tool.tokens, counter) : tool,
  )
  return {
    ...state,
    agent: isSame
      ? state.agent
      : {
          ...state.agent,
          files: state.agent.files.map(edited),
          tools: [...kept, ...added],
          skills: [...(state.agent.skills ?? []), ...skills],
        },
    session:
      edits.length === 0 && model === undefined
        ? state.session
        : { ...state.session, files: state.session.files.map(edited), ...(model !== undefined && { model }) },
  }
}

/** A trace may only name files and tools that exist. */
function checkNames(
  { agent, session }: State,
  edits: ScenarioTurn["edits"],
  removed: readonly string[],
): void {
  const files = [...agent.files, ...session.files].map(({ path }) => path)
  const file = edits.find(({ path }) => !files.includes(path))
  if (file !== undefined) {
    const known = files.length === 0 ? "no files were read" : `files read: ${files.join(", ")}`
    throw new IncipitError("bad-trace", `the trace edits ${file.path}, which was not read (${known})`)
  }
  const names = agent.tools.map(({ name }) => name)
  const tool = removed.find((name) => !names.includes(name))
  if (tool !== undefined) {
    const known = names.length === 0 ? "there are no tools" : `known tools: ${names.join(", ")}`
    throw new IncipitError("bad-trace", `the trace removes the tool ${tool}, which does not exist (${known})`)
  }
}

/** A tool whose definition has about this many tokens. */
export function fillerTool(name: string, tokens: number, counter: Counter): Tool {
  const parameters = { type: "object", properties: { input: { type: "string" } }, required: ["input"] }
  const frame = counter.count(JSON.stringify({ name, description: "", parameters }))
  return { name, description: filler("Does it.", Math.max(0, tokens - frame), counter), parameters }
}
