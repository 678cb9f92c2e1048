// What each call of a Codex rollout used. Newer versions write one row for each response, with its id. Older ones write
// running totals, often twice; there a call is an advance of the totals. A fork repeats the rows of the thread that it
// came from, so ids are made of what such a copy keeps: a call that is read twice has the same id both times.
import { isObject, type JsonObject } from "../../../record/write/request-marks.ts"
import type { CalledUsage } from "../../call.ts"
import { callId, modelName, objectAt, textAt, timeAt, tokensAt, written } from "../row-fields.ts"

/** What the rows so far say about the next call. */
export interface CodexThread {
  /** The rollout's own thread, and the session that it belongs to: that of the thread that started it. */
  readonly thread: string
  readonly session: string
  readonly version: string | undefined
}

export interface CodexUsage {
  /** Undefined before the first row of a rollout. */
  readonly thread: () => CodexThread | undefined
  /** The call that the row completes, if it does. */
  take(row: JsonObject): CalledUsage | undefined
}

/** Rows that matter for usage: lines with none of these words are not read. */
export const USAGE_WORDS = [
  '"session_meta"',
  '"turn_context"',
  '"token_count"',
  '"token_usage_record"',
  '"thread_settings_applied"',
] as const

interface State {
  own: CodexThread | undefined
  /** The oldest thread that rows were copied from: the same in the original and in all forks of it. */
  root: string
  project: string | undefined
  provider: string | undefined
  model: string | undefined
  turn: string
  totals: JsonObject
  /** Usage that a response's own row has reported, and the totals that follow it repeat. */
  reported: string | undefined
}

export function createCodexUsage(): CodexUsage {
  const state: State = {
    ...{ own: undefined, root: "", project: undefined, provider: undefined, model: undefined },
    ...{ turn: "", totals: {}, reported: undefined },
  }
  return {
    thread: () => state.own,
    take(row) {
      const payload = objectAt(row, "payload")
      switch (row.type) {
        case "session_meta":
          takeMeta(state, payload)
          return undefined
        case "turn_context":
          takeContext(state, payload)
          return undefined
        case "token_usage_record":
          return takeRecord(state, row, payload)
        case "event_msg":
          return takeEvent(state, row, payload)
        default:
          return undefined
      }
    },
  }
}

function takeMeta(state: State, payload: JsonObject): void {
  const thread = textAt(payload, "id") ?? textAt(payload, "session_id")
  if (thread === undefined) return
  // A fork begins with its own row, followed by those of the threads that it was copied from.
  state.root = thread
  if (state.own !== undefined) return
  const session = textAt(payload, "session_id") ?? thread
  state.own = { thread, session, version: textAt(payload, "cli_version") }
  state.project = textAt(payload, "cwd")
  state.provider = textAt(payload, "model_provider")
}

function takeContext(state: State, payload: JsonObject): void {
  state.model = textAt(payload, "model") ?? state.model
  state.project = textAt(payload, "cwd") ?? state.project
  state.turn = textAt(payload, "turn_id") ?? ""
}

function takeEvent(state: State, row: JsonObject, payload: JsonObject): CalledUsage | undefined {
  if (payload.type === "thread_settings_applied") {
    const settings = objectAt(payload, "thread_settings")
    state.provider = textAt(settings, "model_provider_id") ?? state.provider
    return undefined
  }
  return payload.type === "token_count" ? takeTotals(state, row, objectAt(payload, "info")) : undefined
}

function takeRecord(state: State, row: JsonObject, payload: JsonObject): CalledUsage | undefined {
  const usage = objectAt(payload, "usage")
  const response = textAt(payload, "response_id")
  if (response === undefined) return undefined
  state.reported = figures(usage)
  const own = ["codex", textAt(payload, "thread_id"), textAt(payload, "turn_id"), response].join(":")
  // In a copy, the session is still that of the original.
  const session = textAt(payload, "session_id")
  return callOf(state, { id: callId(response, own), row, usage, session })
}

/** The same totals are written again whenever a limit is reported. */
function takeTotals(state: State, row: JsonObject, info: JsonObject): CalledUsage | undefined {
  const before = state.totals
  const totals = info.total_token_usage
  if (!isObject(totals) || figures(totals) === figures(before)) return undefined
  state.totals = totals
  const last = isObject(info.last_token_usage) ? info.last_token_usage : difference(totals, before)
  const isReported = state.reported === figures(last)
  state.reported = undefined
  if (isReported) return undefined
  return callOf(state, { id: `codex:${state.root}:${state.turn}:${figures(totals)}`, row, usage: last })
}

const FIGURES = ["input_tokens", "cached_input_tokens", "cache_write_input_tokens", "output_tokens"] as const

function figures(usage: JsonObject): string {
  return FIGURES.map((name) => tokensAt(usage, name)).join(".")
}

/** The first versions wrote totals only. */
function difference(totals: JsonObject, before: JsonObject): JsonObject {
  return Object.fromEntries(FIGURES.map((name) => [name, tokensAt(totals, name) - tokensAt(before, name)]))
}

interface Reported {
  readonly id: string
  readonly row: JsonObject
  readonly usage: JsonObject
  readonly session?: string | undefined
}

/** Undefined if nothing was used: after a compaction the totals move without a call. */
function callOf(state: State, { id, row, usage, session }: Reported): CalledUsage | undefined {
  const input = tokensAt(usage, "input_tokens")
  const output = tokensAt(usage, "output_tokens")
  const at = timeAt(row, "timestamp")
  if (state.own === undefined || at === undefined || input + output === 0) return undefined
  const read = Math.min(tokensAt(usage, "cached_input_tokens"), input)
  const wrote = Math.min(tokensAt(usage, "cache_write_input_tokens"), input - read)
  const model = modelName(state.provider, state.model ?? "unknown")
  return {
    id,
    client: "codex",
    session: session ?? state.own.session,
    project: state.project,
    at,
    model,
    usage: { uncached: input - read - wrote, read, write: written(model, wrote), output },
  }
}
