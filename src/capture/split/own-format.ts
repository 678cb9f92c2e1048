// The provider's format of a request that our own agent sent: it is recorded as it was sent, without a name for its form.
import type { JsonObject } from "../../record/write/request-marks.ts"
import type { Format } from "../call.ts"

export function formatOf(request: JsonObject): Format {
  if ("contents" in request) return "google"
  if ("input" in request) return "openai-responses"
  const isAnthropic = "max_tokens" in request && !("stream_options" in request) && !hasSystemMessage(request)
  return isAnthropic ? "anthropic" : "openai-chat"
}

function hasSystemMessage({ messages }: JsonObject): boolean {
  const first: unknown = Array.isArray(messages) ? messages[0] : undefined
  if (typeof first !== "object" || first === null || !("role" in first)) return false
  return first.role === "system" || first.role === "developer"
}
