// Reads the events of a turn from the answer to a message.
import type { LiveEvent } from "../../../../src/agent/turn/live-event.ts"
import { Refusal } from "../../../data/ask.ts"

export async function* eventsIn(response: Response): AsyncGenerator<LiveEvent, void> {
  const decoder = new TextDecoder()
  let text = ""
  for await (const bytes of piecesOf(response)) {
    text += decoder.decode(bytes, { stream: true })
    const blocks = text.split("\n\n")
    text = blocks.pop() ?? ""
    for (const block of blocks) {
      const event = eventIn(block)
      if (event !== undefined) yield event
    }
  }
}

/** Not every browser can loop over a stream. */
async function* piecesOf({ body }: Response): AsyncGenerator<Uint8Array, void> {
  const reader = body?.getReader()
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) yield next.value
}

/** Undefined for a comment. Throws what the server says about a failure. */
function eventIn(block: string): LiveEvent | undefined {
  const line = block.split("\n").find((one) => one.startsWith("data: "))
  if (line === undefined) return undefined
  // The server writes one JSON object in each event.
  const event = JSON.parse(line.slice("data: ".length)) as
    | LiveEvent
    | { readonly kind?: undefined; readonly error: { readonly code: string; readonly message: string } }
  if (event.kind === undefined) throw new Refusal(500, event.error.code, event.error.message)
  return event
}
