// Runs the tools that the model called, all at once, each within its time limit. A run is stored once it is approved and
// before it starts, and its result before the next step, so that after a crash no action is done twice.
import { defined } from "../../../base/defined.ts"
import { nearest } from "../../../base/nearest.ts"
import { resultText } from "../../../base/text/result-text.ts"
import { atLeast } from "../../../base/trust.ts"
import type { MessagePart } from "../../../core/model/message.ts"
import type { ToolResult } from "../../../database/contract/runs.ts"
import type { StoredWait } from "../../../database/contract/waits.ts"
import { durationText } from "../../../record/ask/log.ts"
import { spent } from "../../../record/write/scope.ts"
import type { RunnableTool } from "../../../tools/define-tool.ts"
import { ToolFailure } from "../../../tools/host.ts"
import { CUT_OFF } from "../../fallback/calls.ts"
import { fileParts, imageList } from "../../inbox/message/message-files.ts"
import type { Services } from "../../setup/services.ts"
import { ModelFailure } from "../provider/call.ts"
import { mayKnowWhy, withoutPlaces } from "../provider/failure-words.ts"
import type { Work } from "../work.ts"
import type { Ruling } from "./approval-rules.ts"
import { approveCall } from "./approve-call.ts"
import { type AskedCall, clientResult, clientWaits, isClientTool, WaitsForClient } from "./client-call.ts"
import { mayRun, PLAN_MODE_IS_ON } from "./plan-mode-guard.ts"
import { runStart } from "./run-start.ts"
import { type ResultServices, shortenResults, withinResult, withinStep } from "./step-results.ts"
import { timeLimit } from "./time-limit.ts"
import { CHANGED, type ContextServices, contextOf, type ToolRun } from "./tool-context.ts"

export type ToolCall = Extract<MessagePart, { kind: "tool-call" }>

export type ToolCallServices = ContextServices &
  ResultServices &
  Pick<Services, "toolbox" | "hooks" | "limits">

/** Runs tools. */
export interface ToolCalls {
  /**
   * One result for each call of the newest message, in the order of the calls. Throws `WaitsForClient` if the sender has
   * to run some of them first, and `ModelFailure` if the agent is closed before all were started.
   */
  run(work: Work, calls: readonly ToolCall[]): Promise<readonly MessagePart[]>
  /** Cuts the results in the newest message. Returns false if it has none. */
  shortenResults(work: Work): Promise<boolean>
}

export function createToolCalls(services: ToolCallServices): ToolCalls {
  return {
    run: (work, calls) => runCalls(services, work, calls),
    shortenResults: (work) => shortenResults(services, work),
  }
}

async function runCalls(
  services: ToolCallServices,
  work: Work,
  calls: readonly ToolCall[],
): Promise<readonly MessagePart[]> {
  // Not by call id, since a model may reuse one.
  const message = work.items.at(-1)?.seq
  const waits = await clientWaits(services.store, work)
  const made = await Promise.all(
    calls.map(async (call, at) => {
      const run = `${message}.${at}`
      return { ...(await runCall(services, work, { ...call, run, waits })), run }
    }),
  )
  // The next process runs these, and finds the results of the others in the store.
  if (made.some((one) => "isPutOff" in one)) throw new ModelFailure("stopped", "the agent was closed")
  const asked = made.filter((one) => "wait" in one)
  if (asked.length > 0) throw new WaitsForClient(asked)
  const cut = await withinStep(
    services,
    work,
    made.filter((one) => "text" in one),
  )
  const results = cut.map(
    ({ text, isError }, at): MessagePart => ({
      kind: "tool-result",
      id: calls[at]?.id ?? "",
      text,
      ...(isError && { isError: true }),
    }),
  )
  return [...results, ...made.flatMap((one) => ("text" in one ? fileParts(one.files) : []))]
}

interface NumberedCall extends ToolCall {
  /** The number under which it is stored. */
  readonly run: string
  /** What the turn has asked its sender for. */
  readonly waits: readonly StoredWait[]
}

async function runCall(
  services: ToolCallServices,
  work: Work,
  call: NumberedCall,
): Promise<ToolResult | AskedCall | PutOff> {
  const known = await knownResult(services, work, call)
  if (known !== undefined) return known
  const { id, name, input } = call
  const isOurs = !isClientTool(work, name)
  if (isOurs) work.tell({ kind: "tool-started", call: id, name, input })
  const start = services.clock.now()
  const isAsked = !isOurs && call.unread === undefined
  const ran = await (isAsked ? clientResult(services, work, call) : resultOf(services, work, call))
  return "wait" in ran || "isPutOff" in ran ? ran : keep(services, work, call, { startedAt: start, ...ran })
}

/** Before the turn was suspended, its other calls were run and reported. */
async function knownResult(
  { store }: Pick<ToolCallServices, "store">,
  { turn }: Work,
  { run, waits }: NumberedCall,
): Promise<ToolResult | undefined> {
  if (waits.length === 0) return undefined
  return (await store.runs.find({ turn: turn.id, call: run }))?.result
}

async function keep(
  services: ToolCallServices,
  work: Work,
  call: NumberedCall,
  {
    startedAt: start,
    askedMs = 0,
    detail,
    refused,
    rulings = [],
    ...given
  }: Ran & { readonly startedAt: number },
): Promise<ToolResult> {
  const { clock, secrets, store, workspace } = services
  const { turn, tell } = work
  // Redact before the model, the store, the record or a listener gets it.
  const text = secrets.redact(given.text)
  const { files } = given
  const cut = await withinResult(services, work, { ...given, text, run: call.run })
  const result = { ...cut, ...defined({ files }) }
  await store.runs.finish(work.lease, { turn: turn.id, call: call.run }, result)
  // The run may have taken long: check who may see the result now.
  await workspace.refresh()
  const { at, durationMs } = spent(start + askedMs, clock.now())
  const { isError } = result
  work.scope.event(isError ? "tool_error" : "tool_call", {
    at,
    durationMs,
    data: {
      ...{ tool: call.name, input: inputFacts(secrets.within(call.input)) },
      ...(refused && { refused }),
      ...(isClientTool(work, call.name) && { client: true }),
      ...(askedMs > 0 && { askedMs }),
      ...(rulings.length > 0 && { rules: rulings.map(({ decision, rule }) => `${decision}: ${rule}`) }),
    },
    exchange: { call: call.id, content: { arguments: call.input, result: result.text } },
    ...(isError && { error: detail ?? result.text }),
  })
  // The sender knows what became of their own calls.
  if (!isClientTool(work, call.name))
    tell({ kind: "tool-finished", call: call.id, name: call.name, text: result.text, isError, durationMs })
  return result
}

interface Ran extends ToolResult {
  /** The reason for the record, if it is more than the model sees. */
  readonly detail?: string
  /** How long the run waited for a person. */
  readonly askedMs?: number
  /** Rules of the configuration that decided about it. */
  readonly rulings?: readonly Ruling[]
  /** What kept it from running. */
  readonly refused?: "plan-mode"
}

/** The agent is being closed, and the tool has done nothing yet. */
interface PutOff {
  readonly isPutOff: true
}

const PUT_OFF: PutOff = { isPutOff: true }

async function resultOf(services: ToolCallServices, work: Work, call: NumberedCall): Promise<Ran | PutOff> {
  const { toolbox, store, hooks, people } = services
  const { turn, gathered } = work
  if (call.unread !== undefined) return failed(UNREAD[call.unread])
  const event = { session: gathered.seen.session, turn, id: call.id, name: call.name }
  const tool = toolbox.tool(call.name)
  const refusal = whyNot(work, call, tool)
  if (tool === undefined || refusal !== undefined) return failed(refusal ?? "")
  const before = await store.runs.find({ turn: turn.id, call: call.run })
  if (before?.result !== undefined) return before.result
  if (before !== undefined && tool.isRepeatable !== true) return failed(INTERRUPTED)
  if (!(await mayRun(store, work, tool))) return NOT_IN_PLAN_MODE
  const wanted = await hooks.toolCall({ ...event, input: call.input }, work.signal)
  if (wanted.block !== undefined) return failed(`Not run: ${wanted.block.why}`)
  if (work.closing?.aborted) return PUT_OFF
  if (work.signal.aborted) return failed("Not run: it was stopped.")
  // Hooks take time, and the mode may have changed.
  if (!(await mayRun(store, work, tool))) return NOT_IN_PLAN_MODE
  if (!people.isCurrent(work.session, work.waiting.message)) return failed(CHANGED)
  const input = wanted.input
  const ran = await run(services, work, { tool, call }, input)
  if ("isPutOff" in ran) return ran
  const { askedMs = 0, detail, rulings = [], files, ...result } = ran
  const { text, isError } = await hooks.toolResult({ ...event, input, ...result }, work.signal)
  return { text, isError, askedMs, rulings, ...defined({ detail, files }) }
}

/** The intent is unknown, so nothing is run. */
const UNREAD: Readonly<Record<NonNullable<ToolCall["unread"]>, string>> = {
  cut: `${CUT_OFF} Call again with less in one call: write a long text in several parts.`,
  malformed: "The input of your call is not a JSON object, so it was not run. Call again with valid JSON.",
}

const INTERRUPTED = "This was interrupted while it ran. It may have taken effect; check before you repeat it."

/** A tool that was not offered to the model looks like one that does not exist. */
function whyNot(work: Work, { name }: ToolCall, tool: RunnableTool | undefined): string | undefined {
  const names = work.gathered.seen.agent.tools.map((one) => one.name)
  if (tool === undefined || !names.includes(name)) {
    const [near] = nearest(name, names)
    return `There is no tool "${name}".${near === undefined ? "" : ` Did you mean ${near}?`}`
  }
  return atLeast(work.trust, tool.trust ?? "public") ? undefined : `${name} is not available to this sender.`
}

function failed(text: string): ToolResult {
  return { text, isError: true }
}

const NOT_IN_PLAN_MODE: Ran = { text: PLAN_MODE_IS_ON, isError: true, refused: "plan-mode" }

async function run(
  services: ToolCallServices,
  work: Work,
  { tool, call }: Pick<ToolRun, "tool"> & { readonly call: NumberedCall },
  input: unknown,
): Promise<Ran | PutOff> {
  const { toolMs } = services.limits
  const rulings: Ruling[] = []
  const { images, add: attach } = imageList()
  const limit = timeLimit(toolMs, services.clock.now)
  const signal = AbortSignal.any([work.signal, limit.signal])
  const begin = runStart(work, {
    ...{ runs: services.store.runs, signal, asksFirst: tool.asksFirst === true },
    run: { turn: work.turn.id, call: call.run },
  })
  const doubt = () => (tool.isRepeatable === true || !begin.isStarted ? "" : " It may have taken effect.")
  const late = limit.late.then(() =>
    failed(`It took longer than ${durationText(toolMs)} and was stopped.${doubt()}`),
  )
  const { promise: stopped, resolve } = Promise.withResolvers<ToolResult | PutOff>()
  const stop = () =>
    resolve(work.closing?.aborted && !begin.isStarted ? PUT_OFF : failed(`It was stopped.${doubt()}`))
  work.signal.addEventListener("abort", stop, { once: true })
  try {
    const result = await Promise.race([
      stopped,
      finished(services, work, { tool, call: call.id, signal, limit, begin, rulings, attach }, input),
      late,
    ])
    if ("isPutOff" in result) return result
    const files = result.isError || images.length === 0 ? {} : { files: images }
    return { ...result, ...files, askedMs: limit.pausedMs(), rulings }
  } finally {
    limit.end()
    work.signal.removeEventListener("abort", stop)
  }
}

async function finished(services: ContextServices, work: Work, run: ToolRun, input: unknown): Promise<Ran> {
  const { tool } = run
  try {
    const context = contextOf(services, work, run)
    await approveCall(context.host, {
      tool,
      input,
      canAsk: (request) => services.approvals.canAsk({ approve: work.approve, request }),
    })
    await run.begin.start()
    const { instead, ...result } = resultText(tool.name, await tool.run(input, context))
    if (instead !== undefined) tellBuilder(work, tool, instead)
    return result
  } catch (error) {
    const { plain, whole } = wordsOf(tool, error)
    if (mayKnowWhy(work.trust)) return failed(whole)
    const { current, directory } = services.workspace
    const { root, folder, home } = current()
    return { ...failed(withoutPlaces(plain, [root, folder, home, directory])), detail: whole }
  }
}

/** Once per turn and tool, however often it is called. */
function tellBuilder(
  { cache: { oddTools }, scope, tell }: Work,
  { name }: RunnableTool,
  instead: string,
): void {
  if (oddTools.has(name)) return
  oddTools.add(name)
  const text = `The tool ${name} returned ${instead}. Tools return a string; ${GIVEN[instead] ?? "the model was sent it as text"}.`
  scope.event("diagnostic", { data: { code: "tool-returned-no-text", tool: name, text } })
  tell({ kind: "diagnostic", level: "warning", text })
}

const GIVEN: Readonly<Record<string, string>> = {
  nothing: "the model was sent a note that it returned nothing",
  "an object": "the model was sent the object as JSON",
  "an array": "the model was sent the array as JSON",
  "an error": "to report a failure, throw the error",
}

/** A text for everybody, and one for those who may know the reason. A tool's own error ends the call, not the turn. */
function wordsOf({ name }: RunnableTool, error: unknown): { readonly plain: string; readonly whole: string } {
  if (!(error instanceof ToolFailure)) {
    const why = error instanceof Error ? error.message : String(error)
    return { plain: `${name} failed.`, whole: `${name} failed: ${why}` }
  }
  const { message, detail } = error
  return { plain: message, whole: detail === undefined ? message : `${message}\n${detail}` }
}

/** People read the record; the transcript has the long inputs. */
function inputFacts(input: unknown): string {
  const text = typeof input === "string" ? input : (JSON.stringify(input) ?? "")
  return text.length > 400 ? `${text.slice(0, 400)}...` : text
}
