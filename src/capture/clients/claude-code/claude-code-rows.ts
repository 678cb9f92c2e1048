// Rows of Claude Code's transcripts: which of them say what a call used, and what they say. Another version, or somebody
// else, may have written them: every field is checked, and unknown ones are left alone.
import type { Diagnostic } from "../../../base/diagnostic.ts"
import { isObject, type JsonObject } from "../../../record/write/request-marks.ts"
import type { Usage } from "../../../render/cache/price.ts"
import type { CalledUsage } from "../../call.ts"
import { anthropicCallId, anthropicUsage } from "../anthropic-usage.ts"
import type { CaptureFile } from "../reader.ts"
import { listAt, objectAt, textAt, timeAt } from "../row-fields.ts"

/** One row of an answer. The client writes one for each block, and in older versions one for each update. */
export interface AnswerRow {
  readonly called: CalledUsage
  /** Whether the answer had ended when the row was written. */
  readonly isFinal: boolean
  /** Of a sub-agent, which older versions write into the file of the conversation. */
  readonly isAside: boolean
  readonly version: string | undefined
  /** Calls that the provider made to other models for this answer, and charges for. Nobody says what was sent. */
  readonly advisors: readonly CalledUsage[]
}

/** Every row of an answer contains this: the client writes JSON without spaces. */
export const USAGE = '"usage":{'

/** What the client itself says instead of an answer, such as an error. */
const SYNTHETIC = "<synthetic>"
const UNKNOWN_MODEL = "unknown"

/**
 * What a row says about a call. `other`: a row about something else. `broken`: a row of an answer whose figures cannot
 * be right.
 */
export function answerIn(row: JsonObject, session: string): AnswerRow | "other" | "broken" {
  const answer = isObject(objectAt(row, "message").usage) ? row : relayedIn(row)
  if (answer === undefined) return "other"
  const message = objectAt(answer, "message")
  if (message.model === SYNTHETIC || answer.isApiErrorMessage === true) return "other"
  const usage = anthropicUsage(message.usage)
  const at = timeAt(answer, "timestamp")
  if (usage === undefined || at === undefined) return "broken"
  const called = calledOf({ answer, message, usage, at, session })
  return {
    called,
    advisors: advisorsOf(called, objectAt(message, "usage")),
    isFinal: textAt(message, "stop_reason") !== undefined,
    isAside: row.type === "progress" || answer.isSidechain === true,
    version: textAt(answer, "version"),
  }
}

/** Older versions repeat the answers of sub-agents in rows that report progress. */
function relayedIn(row: JsonObject): JsonObject | undefined {
  if (row.type !== "progress") return undefined
  const relayed = objectAt(objectAt(row, "data"), "message")
  return isObject(objectAt(relayed, "message").usage) ? { ...row, ...relayed } : undefined
}

interface Answer {
  readonly answer: JsonObject
  readonly message: JsonObject
  readonly usage: Usage
  readonly at: number
  readonly session: string
}

function calledOf({ answer, message, usage, at, session }: Answer): CalledUsage {
  // Without an id, no two rows can be told to be of the same call.
  const id = textAt(message, "id") ?? textAt(answer, "uuid") ?? `${session}@${at}`
  const { costUSD } = answer
  return {
    id: anthropicCallId(id, textAt(answer, "requestId")),
    client: "claude-code",
    session: textAt(answer, "sessionId") ?? session,
    project: textAt(answer, "cwd"),
    at,
    model: textAt(message, "model") ?? UNKNOWN_MODEL,
    usage,
    ...(typeof costUSD === "number" && costUSD >= 0 && Number.isFinite(costUSD) && { reportedUsd: costUSD }),
  }
}

/** The answer's own usage does not include them. */
function advisorsOf(called: CalledUsage, usage: JsonObject): readonly CalledUsage[] {
  return listAt(usage, "iterations").flatMap((iteration, at) => {
    if (!isObject(iteration) || iteration.type !== "advisor_message") return []
    const own = anthropicUsage(iteration)
    const { reportedUsd: _, ...rest } = called
    const model = textAt(iteration, "model") ?? called.model
    return own === undefined ? [] : [{ ...rest, id: `${called.id}/advisor-${at}`, model, usage: own }]
  })
}

/** Versions whose rows are known. */
const KNOWN_VERSION = /^[012]\.\d/

/** Something to say if a version is not known: at the first call, once for each file. */
export function versionNote(
  file: CaptureFile,
  version: string | undefined,
): readonly { readonly kind: "note"; readonly diagnostic: Diagnostic }[] {
  if (version === undefined || KNOWN_VERSION.test(version)) return []
  const { path } = file
  return [
    { kind: "note", diagnostic: { code: "capture-unknown-version", path, client: "Claude Code", version } },
  ]
}
