// The answer of Anthropic's API in a body: a message as JSON, or the events of a stream. Pure.
import type { JsonObject } from "../../record/write/request-marks.ts"
import { parsed } from "./json-rows.ts"
import { objectAt } from "./row-fields.ts"

/** The message with its last usage. Returns undefined if the body is none: an error, or something else. */
export function anthropicAnswer(body: string): JsonObject | undefined {
  const message = /^\s*(?:event|data):/.test(body) ? streamed(body) : parsed(body)
  return message?.type === "message" ? message : undefined
}

/** Later events have the figures that were not known at the start. */
function streamed(body: string): JsonObject | undefined {
  let message: JsonObject | undefined
  for (const line of body.split("\n")) {
    const event = line.startsWith("data:") ? parsed(line.slice("data:".length)) : undefined
    if (event?.type === "message_start") message = objectAt(event, "message")
    else if (event?.type === "message_delta" && message !== undefined)
      message = {
        ...message,
        ...objectAt(event, "delta"),
        usage: { ...objectAt(message, "usage"), ...objectAt(event, "usage") },
      }
  }
  return message
}
