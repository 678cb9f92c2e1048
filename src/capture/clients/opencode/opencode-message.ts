// Messages of OpenCode as calls: an answer has its usage, and its parts are what later requests were sent. Put together
// in the form of Anthropic's API, whatever the provider was; neither the system text nor tools are stored.
import { isObject, type JsonObject } from "../../../record/write/request-marks.ts"
import type { CalledUsage } from "../../call.ts"
import { modelName, objectAt, textAt, timeAt, tokensAt, written } from "../row-fields.ts"

export interface OpencodeSession {
  readonly id: string
  readonly folder: string | undefined
  readonly version: string | undefined
}

/** Undefined for a question, and for an answer that nothing was used for. */
export function messageCall(
  id: string,
  message: JsonObject,
  { id: session, folder }: OpencodeSession,
): CalledUsage | undefined {
  const tokens = objectAt(message, "tokens")
  const cache = objectAt(tokens, "cache")
  const at = timeAt(objectAt(message, "time"), "completed") ?? timeAt(objectAt(message, "time"), "created")
  if (message.role !== "assistant" || at === undefined) return undefined
  const uncached = tokensAt(tokens, "input")
  const read = tokensAt(cache, "read")
  const wrote = tokensAt(cache, "write")
  const total = tokensAt(tokens, "total")
  // Reasoning is counted apart, and in the total.
  const output = Math.max(
    tokensAt(tokens, "output"),
    total > 0 ? total - uncached - read - wrote : tokensAt(tokens, "output") + tokensAt(tokens, "reasoning"),
  )
  if (uncached + read + wrote + output === 0) return undefined
  const model = modelName(textAt(message, "providerID"), textAt(message, "modelID") ?? "unknown")
  const usd = message.cost
  return {
    id,
    client: "opencode",
    session,
    project: textAt(objectAt(message, "path"), "cwd") ?? folder,
    at,
    model,
    usage: { uncached, read, write: written(model, wrote), output },
    ...(typeof usd === "number" && usd > 0 && { reportedUsd: usd }),
  }
}

/** Still being written: its usage is not known yet. */
export function isOpen(message: JsonObject): boolean {
  const isDone = timeAt(objectAt(message, "time"), "completed") !== undefined || isObject(message.error)
  return message.role === "assistant" && !isDone
}

/** A summary replaces everything before it, and is asked for with another prompt. */
export function isSummary(message: JsonObject): boolean {
  return message.role === "assistant" && message.summary === true
}

/** What a message and its parts add to later requests. */
export function sentMessages(message: JsonObject, parts: readonly JsonObject[]): readonly JsonObject[] {
  if (message.role === "user") return withContent("user", parts.flatMap(questionBlock))
  const results = parts.flatMap(toolResult)
  return [...withContent("assistant", parts.flatMap(answerBlock)), ...withContent("user", results)]
}

function withContent(role: string, content: readonly JsonObject[]): readonly JsonObject[] {
  return content.length === 0 ? [] : [{ role, content }]
}

function questionBlock(part: JsonObject): readonly JsonObject[] {
  if (part.type !== "text" || part.ignored === true) return []
  return [{ type: "text", text: textAt(part, "text") ?? "" }]
}

function answerBlock(part: JsonObject): readonly JsonObject[] {
  switch (part.type) {
    case "text":
      return [{ type: "text", text: textAt(part, "text") ?? "" }]
    case "reasoning":
      return [{ type: "thinking", thinking: textAt(part, "text") ?? "" }]
    case "tool":
      return [
        {
          type: "tool_use",
          id: textAt(part, "callID") ?? "",
          name: textAt(part, "tool") ?? "",
          input: objectAt(objectAt(part, "state"), "input"),
        },
      ]
    default:
      return []
  }
}

/** Old results are taken out of later requests; which ones is known only from the time on that they are marked. */
function toolResult(part: JsonObject): readonly JsonObject[] {
  if (part.type !== "tool") return []
  const state = objectAt(part, "state")
  const text = textAt(state, "output") ?? textAt(state, "error") ?? ""
  const content = [{ type: "text", text }]
  return [{ type: "tool_result", tool_use_id: textAt(part, "callID") ?? "", content }]
}
