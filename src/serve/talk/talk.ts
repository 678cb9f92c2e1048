// Has an agent answer a request, and passes the answer on as it is written. A client that disconnects stops the turn,
// unless it sent an idempotency key: then the turn goes on, and the same request gets its answer later.
import { openStream, type ReplyStream } from "../../agent/inbox/stream.ts"
import type { RunningAgent, SendOptions } from "../../agent/setup/agent.ts"
import type { LiveEvent, Reply } from "../../agent/turn/live-event.ts"
import { defined } from "../../base/defined.ts"
import { canonicalJson, digest } from "../../base/digest.ts"
import type { ClientCall } from "../../database/contract/client-tools.ts"
import type { Requests } from "../../database/contract/serve/requests.ts"
import type { SurfaceCall } from "../http/surface.ts"
import { createAnswerText } from "./answer-text.ts"
import { isAside } from "./aside.ts"
import { claimTarget } from "./claim.ts"
import { conversationDigest } from "./conversation-digest.ts"
import { findTarget, type Target } from "./find-target.ts"
import type { LimitHit } from "./limit-text.ts"
import { checkReply, surfaceError } from "./reply-error.ts"
import { checkLength } from "./request/check-length.ts"
import type { Said, TalkRequest } from "./request/talk-request.ts"
import { SurfaceError } from "./surface-error.ts"
import { type VisibleUsage, visibleUsage } from "./visible-usage.ts"

/** What a request leads to: `begun` once, then text, then `ended`. Failures are thrown as `SurfaceError`. */
export type TalkEvent =
  | ({ readonly kind: "begun" } & Begun)
  | { readonly kind: "text"; readonly text: string }
  | TalkEnd

export interface Begun {
  readonly session: string
  readonly turn: string
  /** The id of the answer: its turn, or more if the turn has answered with calls before. */
  readonly answer: string
}

export interface TalkEnd {
  readonly kind: "ended"
  readonly hit: LimitHit | undefined
  /** Tools that the client has to run for the turn to go on. */
  readonly calls: readonly ClientCall[]
  readonly usage: VisibleUsage
}

export type TalkCall = Pick<SurfaceCall, "caller" | "agents" | "signal" | "failed">

export async function* talk(
  requests: Requests,
  request: TalkRequest,
  call: TalkCall,
): AsyncGenerator<TalkEvent, void> {
  const agent = agentOf(request, call)
  checkLength(request)
  const target = await targetOf({ requests, agent, call }, request)
  const stop = new AbortController()
  const isKept = request.idempotencyKey !== undefined
  const signal = isKept ? stop.signal : AbortSignal.any([call.signal, stop.signal])
  const stream = startTurn(agent, target, { request, call, signal })
  const answer = createAnswerText(request)
  const remember = placeKeeper(agent, { request, call, target })
  let begun: Begun | undefined
  let isOver = false
  try {
    for await (const event of untilFinished(stream)) {
      const first = begun === undefined ? begunBy(event, target) : undefined
      begun ??= first
      if (first !== undefined) yield { kind: "begun", ...first }
      if (event.kind === "turn-finished") checkReply(event.reply, answer.hit())
      const text = answer.add(event)
      if (text !== "") yield { kind: "text", text }
      if (answer.hit() !== undefined) stop.abort(new Error("the answer reached the client's limit"))
      if (event.kind !== "turn-finished") continue
      isOver = true
      const sent = { text: answer.text(), calls: callsIn(event.reply, request) }
      await remember(begun, sent)
      const usage = visibleUsage(call.caller.trust, event.reply, { request, ...sent })
      yield { kind: "ended", hit: answer.hit(), calls: sent.calls, usage }
    }
  } catch (error) {
    throw toldError(error, call)
  } finally {
    // A client that stopped reading shows what it has, and continues from there.
    if (!isOver && !isKept) {
      await stopped(stop, stream)
      await remember(begun, { text: answer.text(), calls: [] })
    }
  }
}

/** What went wrong in our own parts is for the log alone. */
function toldError(error: unknown, { failed }: TalkCall): unknown {
  const told = surfaceError(error)
  if (!(told instanceof SurfaceError)) failed(error)
  return told
}

async function stopped(stop: AbortController, { reply }: ReplyStream): Promise<void> {
  stop.abort(new Error("the client stopped reading"))
  await reply.catch(() => undefined)
}

/** Requests beside the conversation have sessions of their own, which nothing continues. */
type TurnTarget = Target | "aside"

interface Starting {
  readonly request: TalkRequest
  readonly call: TalkCall
  readonly signal: AbortSignal
}

function startTurn(
  agent: RunningAgent,
  target: TurnTarget,
  { request, call, signal }: Starting,
): ReplyStream {
  const { instructions, idempotencyKey, message, tools, effort } = request
  const { from, locale } = call.caller
  if (target !== "aside" && target.kind === "results")
    return openStream((tell) => agent.resolve(target.turn, message.results, { ...from, signal, tell }))
  const place: SendOptions =
    target === "aside"
      ? { isNew: true, mode: "minimal" }
      : target.session === undefined
        ? { isNew: true }
        : { session: target.session }
  return agent.stream(message.text, {
    ...{ ...from, ...place, via: "http", signal, files: message.files, clientTools: tools },
    ...defined({ instructions, effort, locale }),
    ...(target !== "aside" && target.brought),
    // Each request has an answer of its own.
    duringTurn: "queue",
    ...(idempotencyKey !== undefined && { id: `http:${idempotencyKey}` }),
  })
}

interface Keeping {
  readonly request: TalkRequest
  readonly call: TalkCall
  readonly target: TurnTarget
}

/** Keeps the place of an answer, by which the client's next request finds the session. */
function placeKeeper(
  { conversations }: Pick<RunningAgent, "conversations">,
  { request, call, target }: Keeping,
) {
  return async (begun: Begun | undefined, { text, calls }: Pick<Said, "text" | "calls">): Promise<void> => {
    if (begun === undefined || (text === "" && calls.length === 0) || target === "aside") return
    const place = await conversations.place(call.caller.from, begun.session)
    if (place?.turn !== begun.turn) return
    const answer: Said = { role: "assistant", text, calls, results: [], files: [] }
    // A client that names the place before its message need not have sent all that was said.
    const isWhole = request.session === undefined && request.previous === undefined
    const digest = isWhole ? conversationDigest([...request.earlier, request.message, answer]) : undefined
    await conversations.remember(place, { response: begun.answer, digest })
  }
}

/** A reply without work, such as one that still waits, has no events. */
async function* untilFinished(stream: ReplyStream): AsyncGenerator<LiveEvent, void> {
  let isFinished = false
  for await (const event of stream) {
    isFinished ||= event.kind === "turn-finished"
    yield event
  }
  if (!isFinished) yield { kind: "turn-finished", reply: await stream.reply }
}

/** A turn that was finished before has no beginning. */
function begunBy(event: LiveEvent, target: TurnTarget): Begun | undefined {
  const of = event.kind === "turn-started" ? event : event.kind === "turn-finished" ? event.reply : undefined
  if (of === undefined) return undefined
  const { session, turn } = of
  return { session, turn, answer: target !== "aside" && target.kind === "results" ? target.answer : turn }
}

/** The results of some calls are enough: the turn waits for the others. */
function callsIn({ state, calls = [] }: Reply, { isOneCall }: TalkRequest): readonly ClientCall[] {
  if (state !== "waiting") return []
  return isOneCall ? calls.slice(0, 1) : calls
}

export function agentOf({ model }: Pick<TalkRequest, "model">, { agents }: TalkCall): RunningAgent {
  const agent = agents.named(model)
  if (agent !== undefined) return agent
  const names = agents.names.join(", ")
  throw new SurfaceError(
    404,
    "model_not_found",
    `there is no agent "${model}"; use one of: ${names}`,
    "model",
  )
}

interface Finding {
  readonly requests: Requests
  readonly agent: RunningAgent
  readonly call: TalkCall
}

async function targetOf({ requests, agent, call }: Finding, request: TalkRequest): Promise<TurnTarget> {
  if (isAside(request)) return "aside"
  const { caller } = call
  const find = () => findTarget({ conversations: agent.conversations, from: caller.from }, request)
  const { idempotencyKey: key, model } = request
  if (key === undefined) return find()
  return claimTarget(
    requests,
    {
      // Nothing of one person, situation or trust is found by another.
      caller: JSON.stringify([model, caller.user ?? null, caller.situation, caller.trust]),
      ...{ key, digest: digest(canonicalJson({ ...request, isStreamed: false, ignored: [] })) },
    },
    find,
  )
}
