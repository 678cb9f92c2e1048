// The token counts of an answer. With full trust, those that the provider reported for the whole turn. Others get the
// size of what they sent and received: the rest tells something about the prompt.
import type { Reply } from "../../agent/turn/live-event.ts"
import type { Trust } from "../../base/trust.ts"
import { o200k } from "../../tokens/o200k.ts"
import type { TalkRequest } from "./talk-request.ts"

/** Each token is in one kind. */
export interface VisibleUsage {
  readonly uncached: number
  readonly cached: number
  readonly written: number
  readonly output: number
}

export function visibleUsage(
  trust: Trust,
  { cost: { usage } }: Pick<Reply, "cost">,
  sent: { readonly request: TalkRequest; readonly text: string },
): VisibleUsage {
  if (trust !== "full")
    return { uncached: ownTokens(sent.request), cached: 0, written: 0, output: o200k.count(sent.text) }
  const written = Object.values(usage.write).reduce((sum, tokens) => sum + tokens, 0)
  return { uncached: usage.uncached, cached: usage.read, written, output: usage.output }
}

/** The tokens of the client's own text. */
export function ownTokens({
  instructions = "",
  earlier,
  message,
}: Pick<TalkRequest, "instructions" | "earlier" | "message">): number {
  return [instructions, ...earlier.map(({ text }) => text), message].reduce(
    (sum, text) => sum + o200k.count(text),
    0,
  )
}
