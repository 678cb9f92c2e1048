// Whether a request asks for a summary of the conversation, in any protocol: in the conversation's own prompt, with all
// of its tools, or in a small one with its text.
import { isSummaryRequest } from "../../../src/agent/turn/compaction/summary-request.ts"
import type { Json } from "./servers/refusals.ts"

export function asksForSummary({ messages, input, contents }: Json): boolean {
  const last = (messages ?? input ?? contents ?? []).at(-1)
  return isSummaryRequest(JSON.stringify(last ?? ""))
}
