// Has an agent answer a request, and passes the answer on as it is written. A client that disconnects stops the turn,
// unless it sent an idempotency key: then the turn goes on, and the same request gets its answer later.
import type { RunningAgent, SendOptions } from "../../agent/setup/agent.ts"
import type { LiveEvent, Reply } from "../../agent/turn/live-event.ts"
import { canonicalJson, digest } from "../../base/digest.ts"
import { IncipitError } from "../../base/error.ts"
import type { SurfaceCall } from "../http/surface.ts"
import { isAside } from "./aside.ts"
import { type ConversationIndex, conversationDigest } from "./conversation-index.ts"
import { findSession } from "./find-session.ts"
import { createJoinedText } from "./joined-text.ts"
import { type LimitHit, limitText } from "./limit-text.ts"
import { SurfaceError } from "./surface-error.ts"
import type { TalkRequest } from "./talk-request.ts"
import { type VisibleUsage, visibleUsage } from "./visible-usage.ts"

/** What a request leads to: `begun` once, then text, then `ended`. Failures are thrown as `SurfaceError`. */
export type TalkEvent =
  | { readonly kind: "begun"; readonly session: string; readonly turn: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "ended"; readonly hit: LimitHit | undefined; readonly usage: VisibleUsage }

export type TalkCall = Pick<SurfaceCall, "caller" | "agents" | "signal">

export async function* talk(
  index: ConversationIndex,
  request: TalkRequest,
  call: TalkCall,
): AsyncGenerator<TalkEvent, void> {
  const agent = agentOf(request, call)
  const owner = ownerOf(request, call)
  const stop = new AbortController()
  const signal =
    request.idempotencyKey === undefined ? AbortSignal.any([call.signal, stop.signal]) : stop.signal
  const options = await optionsOf({ index, agent, owner, call }, request)
  const limits = limitText(request.stop, request.maxTokens)
  const joined = createJoinedText()
  let begun: Begun | undefined
  let isHeard = false
  let sent = ""
  try {
    for await (const event of agent.stream(request.message, { ...options, signal })) {
      const isFirst = begun === undefined
      begun ??= begunBy(event)
      if (begun !== undefined && isFirst) yield { kind: "begun", ...begun }
      const isEnd = event.kind === "turn-finished"
      if (isEnd) checkReply(event.reply, limits.hit())
      isHeard ||= event.kind === "text"
      // An answer that was finished before comes in one piece.
      const found = limits.add(isEnd && !isHeard ? event.reply.text : joined(event))
      const text = isEnd ? found + limits.end() : found
      sent += text
      if (text !== "") yield { kind: "text", text }
      if (limits.hit() !== undefined) stop.abort(new Error("the answer reached the client's limit"))
      if (!isEnd) continue
      await remember()
      const usage = visibleUsage(call.caller.trust, event.reply, { request, text: sent })
      yield { kind: "ended", hit: limits.hit(), usage }
    }
  } catch (error) {
    throw surfaceError(error)
  } finally {
    // A client that stopped reading shows what it has, and continues from there.
    await remember()
  }

  async function remember(): Promise<void> {
    if (begun === undefined || sent === "" || options.mode !== undefined) return
    const place = await agent.conversations.place(begun.session)
    const said = [...request.earlier, { role: "user" as const, text: request.message }]
    const all = conversationDigest([...said, { role: "assistant", text: sent }])
    if (place?.turn === begun.turn) await index.remember(owner, all, place)
  }
}

interface Begun {
  readonly session: string
  readonly turn: string
}

/** A turn that was finished before has no beginning. */
function begunBy(event: LiveEvent): Begun | undefined {
  if (event.kind === "turn-started") return { session: event.session, turn: event.turn }
  if (event.kind === "turn-finished") return { session: event.reply.session, turn: event.reply.turn }
  return undefined
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

/** Nothing of one person, situation or trust is found by another. */
function ownerOf({ model }: TalkRequest, { caller }: TalkCall): string {
  return JSON.stringify([model, caller.user ?? null, caller.situation, caller.trust])
}

interface Finding {
  readonly index: ConversationIndex
  readonly agent: RunningAgent
  readonly owner: string
  readonly call: TalkCall
}

async function optionsOf(finding: Finding, request: TalkRequest): Promise<SendOptions> {
  const { from } = finding.call.caller
  const { instructions, idempotencyKey } = request
  const base = { ...from, ...(instructions !== undefined && { instructions }) }
  // Sessions of another mode are never continued by accident.
  if (isAside(request)) return { ...base, isNew: true, mode: "minimal" }
  const session = await sessionOf(finding, request)
  const place = session === undefined ? { isNew: true } : { session }
  return { ...base, ...place, ...(idempotencyKey !== undefined && { id: `http:${idempotencyKey}` }) }
}

async function sessionOf(
  { index, agent, owner, call }: Finding,
  request: TalkRequest,
): Promise<string | undefined> {
  const { conversations } = agent
  const find = () => findSession({ index, conversations, owner, from: call.caller.from }, request)
  const { idempotencyKey: key } = request
  if (key === undefined) return find()
  const body = digest(canonicalJson({ ...request, isStreamed: false, ignored: [] }))
  const known = await index.claimed(owner, key)
  const first = known ?? (await index.claim(owner, key, { body, session: await find() }))
  if (first.body === body) return first.session
  throw new SurfaceError(
    422,
    "idempotency_key_reused",
    "this idempotency key was used for another request; use a new key for each request",
  )
}

/** Throws for a turn without an answer. */
function checkReply({ state, text }: Reply, hit: LimitHit | undefined): void {
  if (state === "answered" || state === "silent") return
  if (state === "stopped" && hit !== undefined) return
  if (state === "queued") throw new SurfaceError(503, "queued", text)
  if (state === "stopped")
    throw new SurfaceError(503, "stopped", "the answer was stopped before it was complete")
  throw new SurfaceError(502, "model_failed", text)
}

/** Messages of failures in our own parts may name paths and hosts, so only those about the request are passed on. */
function surfaceError(error: unknown): unknown {
  if (!(error instanceof IncipitError)) return error
  if (error.code === "no-session")
    return new SurfaceError(404, "session_not_found", error.message, "x-incipit-session")
  if (error.code === "no-text") return new SurfaceError(400, "invalid_value", error.message)
  if (error.code === "agent-closed")
    return new SurfaceError(503, "shutting_down", "the server is shutting down; try again later")
  return error
}
