// What each call of a pi session used. OpenClaw writes the same entries. An answer has its usage in its entry, and so
// does a summary; what a tool spent on models of its own is in the entry of its result.
import { isObject, type JsonObject } from "../../../record/write/request-marks.ts"
import type { CalledUsage, Client } from "../../call.ts"
import { callId, modelName, objectAt, textAt, timeAt, tokensAt, written } from "../row-fields.ts"

/** Lines with none of these words say nothing about usage. */
export const PI_USAGE_WORDS = ['"session"', '"model_change"', '"usage"'] as const

export type PiCallKind = "answer" | "summary" | "tool"

export interface PiCall {
  readonly kind: PiCallKind
  readonly call: CalledUsage
}

export interface PiUsage {
  take(row: JsonObject): PiCall | undefined
}

interface State {
  readonly client: Client
  session: string | undefined
  project: string | undefined
  model: string | undefined
}

export function createPiUsage(client: Client, session?: { readonly id: string }): PiUsage {
  const state: State = { client, session: session?.id, project: undefined, model: undefined }
  return {
    take(row) {
      switch (row.type) {
        case "session":
          state.session ??= textAt(row, "id")
          state.project = textAt(row, "cwd")
          return undefined
        case "model_change":
          state.model = modelName(textAt(row, "provider"), textAt(row, "modelId") ?? UNKNOWN)
          return undefined
        case "message":
          return messageCall(state, row, objectAt(row, "message"))
        case "compaction":
        case "branch_summary":
          return callOf(state, { kind: "summary", row, message: row, model: state.model })
        default:
          return undefined
      }
    },
  }
}

const UNKNOWN = "unknown"

function messageCall(state: State, row: JsonObject, message: JsonObject): PiCall | undefined {
  if (message.role === "assistant") {
    const model = textAt(message, "responseModel") ?? textAt(message, "model") ?? UNKNOWN
    state.model = modelName(textAt(message, "provider"), model)
    return callOf(state, { kind: "answer", row, message, model: state.model })
  }
  // Which models a tool asked is not written down.
  if (message.role === "toolResult") return callOf(state, { kind: "tool", row, message, model: UNKNOWN })
  return undefined
}

interface Used {
  readonly kind: PiCallKind
  readonly row: JsonObject
  readonly message: JsonObject
  readonly model: string | undefined
}

/** Undefined if nothing was used: the call failed, or was stopped before it began. */
function callOf(state: State, { kind, row, message, model = UNKNOWN }: Used): PiCall | undefined {
  const at = timeAt(row, "timestamp") ?? timeAt(message, "timestamp")
  if (!isObject(message.usage) || state.session === undefined || at === undefined) return undefined
  const { usage } = message
  const wrote = tokensAt(usage, "cacheWrite")
  const hour = Math.min(tokensAt(usage, "cacheWrite1h"), wrote)
  const used = {
    uncached: tokensAt(usage, "input"),
    read: tokensAt(usage, "cacheRead"),
    write: { ...written(model, wrote - hour), ...(hour > 0 && { "1h": hour }) },
    output: tokensAt(usage, "output"),
  }
  if (used.uncached + used.read + wrote + used.output === 0) return undefined
  // Copies of an entry in a forked session keep its id and its time.
  const own = [state.client, textAt(row, "id") ?? "", at].join(":")
  const usd = objectAt(usage, "cost").total
  const call: CalledUsage = {
    id: callId(textAt(message, "responseId"), own),
    client: state.client,
    session: state.session,
    project: state.project,
    at,
    model,
    usage: used,
    ...(typeof usd === "number" && usd > 0 && { reportedUsd: usd }),
  }
  return { kind, call }
}
