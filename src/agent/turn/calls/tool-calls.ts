// Runs the tools that the model called, all at once, each within its time limit. A run is stored before it starts and
// its result before the next step, so that after a crash no action is done twice.
import { given } from "../../../base/defined.ts"
import { nearest } from "../../../base/nearest.ts"
import { resultText } from "../../../base/text/result-text.ts"
import { atLeast } from "../../../base/trust.ts"
import type { MessagePart } from "../../../core/model/message.ts"
import type { ToolResult } from "../../../database/contract/runs.ts"
import { identityAt } from "../../../files/identity.ts"
import { durationText } from "../../../record/ask/log.ts"
import { spent } from "../../../record/write/scope.ts"
import { workspaceGate } from "../../../sources/workspace-gate.ts"
import { o200k } from "../../../tokens/o200k.ts"
import type { RunnableTool } from "../../../tools/define-tool.ts"
import { openFileAccess } from "../../../tools/files/file-access.ts"
import { type Approval, type ApprovalRequest, ToolFailure, type ToolHost } from "../../../tools/host.ts"
import type { ToolContext } from "../../../tools/self/asker.ts"
import { explainer } from "../../../tools/self/explain.ts"
import { CUT_OFF } from "../../fallback/calls.ts"
import { isCurrent } from "../../inbox/present-audience.ts"
import { authorOf, isRoom, speakerLabel, speakerOf } from "../../inbox/speaker.ts"
import { mayKnowWhy, withoutPlaces } from "../provider/failure-words.ts"
import { type TimeLimit, timeLimit } from "../time-limit.ts"
import { senderOf, type Work } from "../work.ts"
import { delegated } from "./delegated.ts"
import { roomForTool, withinResult, withinStep } from "./step-results.ts"

export type ToolCall = Extract<MessagePart, { kind: "tool-call" }>

/** One result for each call of the newest message, in the order of the calls. */
export async function runCalls(work: Work, calls: readonly ToolCall[]): Promise<readonly MessagePart[]> {
  // Not by call id, since a model may reuse one.
  const message = work.items.at(-1)?.seq
  const results = await Promise.all(
    calls.map((call, at) => runCall(work, { ...call, run: `${message}.${at}` })),
  )
  const told = await withinStep(
    work,
    results.map((result, at) => ({ ...result, run: `${message}.${at}` })),
  )
  return told.map(({ text, isError }, at) => ({
    kind: "tool-result",
    id: calls[at]?.id ?? "",
    text,
    ...(isError && { isError: true }),
  }))
}

/** `run`: the number under which it is stored. */
type NumberedCall = ToolCall & { readonly run: string }

async function runCall(work: Work, call: NumberedCall): Promise<ToolResult> {
  const { runtime, turn, tell } = work
  tell({ kind: "tool-started", call: call.id, name: call.name, input: call.input })
  const start = runtime.now()
  const { askedMs = 0, detail, refused, ...given } = await resultOf(work, call)
  // Redact before the model, the store, the record or a listener gets it.
  const text = runtime.secrets.redact(given.text)
  const result = await withinResult(work, { ...given, text, run: call.run })
  await runtime.store.runs.finish(work.lease, { turn: turn.id, call: call.run }, result)
  // The run may have taken long: check who may see the result now.
  await runtime.refresh()
  const { at, durationMs } = spent(start + askedMs, runtime.now())
  const { isError } = result
  work.scope.event(isError ? "tool_error" : "tool_call", {
    at,
    durationMs,
    data: {
      ...{ tool: call.name, input: inputFacts(runtime.secrets.within(call.input)) },
      ...(refused && { refused }),
      ...(askedMs > 0 && { askedMs }),
    },
    exchange: { call: call.id, content: { arguments: call.input, result: result.text } },
    ...(isError && { error: detail ?? result.text }),
  })
  tell({ kind: "tool-finished", call: call.id, name: call.name, text: result.text, isError, durationMs })
  return result
}

interface Ran extends ToolResult {
  /** The reason for the record, if it is more than the model sees. */
  readonly detail?: string
  /** How long the run waited for a person. */
  readonly askedMs?: number
  /** What kept it from running. */
  readonly refused?: "plan-mode"
}

async function resultOf(work: Work, call: NumberedCall): Promise<Ran> {
  const { runtime, turn, gathered } = work
  if (call.unread !== undefined) return failed(UNREAD[call.unread])
  const event = { session: gathered.seen.session, turn, id: call.id, name: call.name }
  const tool = runtime.toolbox.tool(call.name)
  const refusal = whyNot(work, call, tool)
  if (tool === undefined || refusal !== undefined) return failed(refusal ?? "")
  const before = await runtime.store.runs.start(work.lease, { turn: turn.id, call: call.run })
  if (before !== "new" && before.result !== undefined) return before.result
  if (before !== "new" && tool.isRepeatable !== true) return failed(INTERRUPTED)
  if (!(await mayRun(work, tool))) return NOT_IN_PLAN_MODE
  const wanted = await runtime.hooks.toolCall({ ...event, input: call.input }, work.signal)
  if (wanted.block !== undefined) return failed(`Not run: ${wanted.block.why}`)
  if (work.signal.aborted) return failed("Not run: it was stopped.")
  // Hooks take time, and the mode may have changed.
  if (!(await mayRun(work, tool))) return NOT_IN_PLAN_MODE
  if (!isCurrent(runtime, work.session, work.waiting.message)) return failed(CHANGED)
  const input = wanted.input
  const { askedMs = 0, detail, ...result } = await run(work, tool, input)
  const { text, isError } = await runtime.hooks.toolResult({ ...event, input, ...result }, work.signal)
  return { text, isError, askedMs, ...(detail !== undefined && { detail }) }
}

/** The intent is unknown, so nothing is run. */
const UNREAD: Readonly<Record<NonNullable<ToolCall["unread"]>, string>> = {
  cut: `${CUT_OFF} Call again with less in one call: write a long text in several parts.`,
  malformed: "The input of your call is not a JSON object, so it was not run. Call again with valid JSON.",
}

const CHANGED = "Not run: access to this conversation has changed."
const INTERRUPTED = "This was cut short while it ran. It may have taken effect; look before you repeat it."

/** A tool that was not offered to the model looks like one that does not exist. */
function whyNot(work: Work, { name }: ToolCall, tool: RunnableTool | undefined): string | undefined {
  const names = work.gathered.seen.agent.tools.map((one) => one.name)
  if (tool === undefined || !names.includes(name)) {
    const [near] = nearest(name, names)
    return `There is no tool "${name}".${near === undefined ? "" : ` Did you mean ${near}?`}`
  }
  return atLeast(work.trust, tool.trust ?? "public") ? undefined : `${name} is not for the one who asks.`
}

function failed(text: string): ToolResult {
  return { text, isError: true }
}

interface OuterCall {
  readonly limit: TimeLimit
  readonly isPlanning: () => Promise<boolean>
}

/** Running calls by their signals: the signal of a call stops the turn of its delegated part. */
const OUTER = new WeakMap<AbortSignal, OuterCall>()

/** The turn began in plan mode, the session was switched to it since, or the delegating turn was. */
async function isPlanning(work: Work): Promise<boolean> {
  const { runtime, turn, session, signal } = work
  if (turn.planMode === true || (await OUTER.get(signal)?.isPlanning()) === true) return true
  return (await runtime.store.sessions.get(session.id))?.state.planMode === true
}

/** In plan mode only read-only tools run, whatever was approved. */
async function mayRun(work: Work, tool: RunnableTool): Promise<boolean> {
  return tool.isReadOnly === true || !(await isPlanning(work))
}

const PLAN_MODE_IS_ON =
  "Not run: plan mode is on, so only tools that read may run. Put this into the plan; it can be done once the plan is approved."
const NOT_IN_PLAN_MODE: Ran = { text: PLAN_MODE_IS_ON, isError: true, refused: "plan-mode" }

async function run(work: Work, tool: RunnableTool, input: unknown): Promise<Ran> {
  const { toolMs } = work.runtime.limits
  const limit = timeLimit(toolMs, work.runtime.now)
  const signal = AbortSignal.any([work.signal, limit.signal])
  OUTER.set(signal, { limit, isPlanning: () => isPlanning(work) })
  const doubt = tool.isRepeatable === true ? "" : " It may have taken effect."
  const late = limit.late.then(() =>
    failed(`It took longer than ${durationText(toolMs)} and was given up.${doubt}`),
  )
  const { promise: stopped, resolve } = Promise.withResolvers<ToolResult>()
  const stop = () => resolve(failed(`It was stopped.${doubt}`))
  work.signal.addEventListener("abort", stop, { once: true })
  try {
    const result = await Promise.race([
      finished(work, tool, input, contextOf(work, tool, { signal, limit })),
      late,
      stopped,
    ])
    return { ...result, askedMs: limit.stoodMs() }
  } finally {
    limit.end()
    work.signal.removeEventListener("abort", stop)
  }
}

async function finished(work: Work, tool: RunnableTool, input: unknown, context: ToolContext): Promise<Ran> {
  try {
    const { instead, ...result } = resultText(tool.name, await tool.run(input, context))
    if (instead !== undefined) tellBuilder(work, tool, instead)
    return result
  } catch (error) {
    const { plain, whole } = wordsOf(tool, error)
    if (mayKnowWhy(work.trust)) return failed(whole)
    const { root, folder, home } = work.runtime.workspace()
    return { ...failed(withoutPlaces(plain, [root, folder, home, work.runtime.directory])), detail: whole }
  }
}

/** Tools that returned something other than text, by turn. */
const ODD = new WeakMap<Work["turn"], Set<string>>()

/** Once per turn and tool, however often it is called. */
function tellBuilder({ turn, scope, tell }: Work, { name }: RunnableTool, instead: string): void {
  const odd = ODD.get(turn) ?? new Set()
  ODD.set(turn, odd)
  if (odd.has(name)) return
  odd.add(name)
  const text = `The tool ${name} returned ${instead}. Tools return a string; ${GIVEN[instead] ?? "the model was given it as text"}.`
  scope.event("diagnostic", { data: { code: "tool-returned-no-text", tool: name, text } })
  tell({ kind: "diagnostic", level: "warning", text })
}

const GIVEN: Readonly<Record<string, string>> = {
  nothing: "the model was told that there is nothing",
  "an object": "the model was given the object as JSON",
  "an array": "the model was given the array as JSON",
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

interface Within {
  readonly signal: AbortSignal
  readonly limit: TimeLimit
}

function contextOf(work: Work, tool: RunnableTool, within: Within): ToolContext {
  const { runtime, session, gathered, scope, prompt, trust } = work
  const { audience, person, isOwner } = gathered.session
  const user = work.waiting.message.as ?? person
  return {
    session: session.id,
    trust,
    situation: audience.situation,
    isOwner: isOwner === true,
    record: runtime.record,
    now: runtime.now,
    timeZone: runtime.timeZone,
    counter: o200k,
    scope,
    host: hostOf(work, tool, within),
    ...(user !== undefined && { user }),
    ...given({ author: authorOf(runtime.workspace().config, work.waiting.message) ?? user }),
    memory: runtime.memory,
    ...roomForTool(work),
    // Few tools ask, and preparing the answer takes longer than many a tool.
    ...(prompt && { explain: (what: string) => explainer(prompt)(what) }),
  }
}

function hostOf(work: Work, tool: RunnableTool, { signal, limit }: Within): ToolHost {
  const { runtime, session } = work
  return {
    ...runtime.host(session, speakerIn(work)),
    env: runtime.env,
    get files() {
      return filesOf(work)
    },
    signal,
    redact: runtime.secrets.redact,
    kept: (name) => runtime.store.results.read({ session: session.id, trust: work.trust }, name),
    approve: async (request) => {
      const ask = () => limit.without(() => approved(work, runtime.secrets.within(request), signal))
      const answer = await (OUTER.get(work.signal)?.limit.without(ask) ?? ask())
      // The session may have been put into plan mode while the question was open.
      if (!(await mayRun(work, tool))) throw new ToolFailure(PLAN_MODE_IS_ON)
      return answer
    },
    notify: async (given) => {
      if (!isCurrent(runtime, session, work.waiting.message)) throw new ToolFailure(CHANGED)
      const text = runtime.secrets.redact(given)
      await runtime.notify(session, text, senderOf(work.waiting.message))
      work.tell({ kind: "notice", text })
    },
    delegate: async (wanted) => delegated(work, wanted, { signal, planMode: await isPlanning(work) }),
  }
}

function speakerIn({ runtime, session, trust, waiting }: Work): string | undefined {
  if (!isRoom(session)) return undefined
  return speakerLabel(speakerOf(runtime.workspace().config, waiting.message, trust))
}

/** An approval counts at the trust that the sender had when asked, which may have changed in the meantime. */
async function approved(work: Work, request: ApprovalRequest, signal: AbortSignal): Promise<Approval> {
  const { runtime, session, waiting } = work
  const answer = await runtime.approve(session.id, request, signal, work.approve)
  await runtime.refresh()
  if (!isCurrent(runtime, session, waiting.message)) throw new ToolFailure(CHANGED)
  return answer
}

const FILES = new WeakMap<Work["gathered"], ToolHost["files"]>()

/** Shared by all calls of a turn, until something else is gathered. */
function filesOf(work: Work): ToolHost["files"] {
  const known = FILES.get(work.gathered)
  if (known !== undefined) return known
  const made = openFiles(work)
  FILES.set(work.gathered, made)
  return made
}

function openFiles(work: Work): ToolHost["files"] {
  const { runtime, gathered, trust } = work
  const workspace = runtime.workspace()
  const { agent, session } = gathered
  const trusts = new Map([...agent.files, ...session.files].map((file) => [file.identity, file.trust]))
  return openFileAccess({
    directory: runtime.directory,
    workspace: workspace.folder,
    extra: session.directories ?? [],
    audience: { ...session.audience, trust },
    gate: workspaceGate(workspace, [runtime.directory, ...(session.directories ?? [])]),
    trustOf: (path) => trusts.get(identityAt(path) ?? ""),
    touched: (path) => touch(work, path),
    partOf: runtime.partOf(),
    ...(workspace.home !== undefined && { home: workspace.home }),
    ...(session.person !== undefined && { person: session.person }),
  })
}

const MOST_TOUCHED = 500

/** The next step's tail includes it. */
function touch(work: Work, path: string): void {
  const { touched = [] } = work.state
  if (touched.includes(path) || touched.length >= MOST_TOUCHED) return
  work.state = { ...work.state, touched: [...touched, path] }
}

/** People read the record; the transcript has the long inputs. */
function inputFacts(input: unknown): string {
  const text = typeof input === "string" ? input : (JSON.stringify(input) ?? "")
  return text.length > 400 ? `${text.slice(0, 400)}...` : text
}
