// The token counts of an answer. With full trust, those that the provider reported for the whole turn. Others get the
// size of what they sent and received: the rest tells something about the prompt.
import type { Reply } from "../../agent/turn/live-event.ts"
import type { Trust } from "../../base/trust.ts"
import type { ClientCall } from "../../database/contract/client-tools.ts"
import { o200k } from "../../tokens/o200k.ts"
import type { TalkRequest } from "./request/talk-request.ts"

/** Each token is in one kind. */
export interface VisibleUsage {
  readonly uncached: number
  readonly cached: number
  readonly written: number
  readonly output: number
}

interface SentAnswer {
  readonly request: TalkRequest
  readonly text: string
  readonly calls: readonly ClientCall[]
}

export function visibleUsage(
  trust: Trust,
  { cost: { usage } }: Pick<Reply, "cost">,
  { request, text, calls }: SentAnswer,
): VisibleUsage {
  if (trust !== "full") {
    const output = tokensIn([text, ...calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`)])
    return { uncached: ownTokens(request), cached: 0, written: 0, output }
  }
  const written = Object.values(usage.write).reduce((sum, tokens) => sum + tokens, 0)
  return { uncached: usage.uncached, cached: usage.read, written, output: usage.output }
}

/** The tokens of the client's own text. */
export function ownTokens({
  instructions = "",
  earlier,
  message,
}: Pick<TalkRequest, "instructions" | "earlier" | "message">): number {
  const said = [...earlier, message].flatMap(({ text, results }) => [text, ...results.map((one) => one.text)])
  return tokensIn([instructions, ...said])
}

function tokensIn(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + o200k.count(text), 0)
}
