// The answer of Anthropic's API in a body: a message as JSON, or the events of a stream. Pure.
import type { JsonObject } from "../../record/write/request-marks.ts"
import { jsonObject } from "../json-object.ts"
import { objectAt } from "./row-fields.ts"

/** The message with its last usage. Returns undefined if the body is none: an error, or something else. */
export function anthropicAnswer(body: string): JsonObject | undefined {
  const whole = jsonObject(body)
  if (whole === undefined) return streamed(body)
  return whole.type === "message" ? whole : undefined
}

/** Later events have the figures that were not known at the start. */
function streamed(body: string): JsonObject | undefined {
  let message: JsonObject | undefined
  for (const line of body.split("\n")) {
    const event = line.startsWith("data:") ? jsonObject(line.slice("data:".length)) : undefined
    if (event?.type === "message_start") message = objectAt(event, "message")
    else if (event?.type === "message_delta" && message !== undefined)
      message = {
        ...message,
        ...objectAt(event, "delta"),
        usage: { ...objectAt(message, "usage"), ...known(objectAt(event, "usage")) },
      }
  }
  return message
}

/** A field that is null says nothing. */
function known(usage: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null))
}
