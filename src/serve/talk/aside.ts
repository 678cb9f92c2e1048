// Requests that a chat program makes about a conversation: a title, tags, suggestions for what to ask next. They are
// answered beside the conversation and never continue one.
import type { TalkRequest } from "./request/talk-request.ts"

/** How such requests begin in Open WebUI, LibreChat and similar programs. */
const TASKS: readonly RegExp[] = [
  /^###? Task:\s/,
  /^(?:Please )?(?:provide|generate|create|write|suggest) (?:a|an) (?:\S+ ){0,4}(?:title|name) (?:for|of|that|to)\b/i,
  /^(?:generate|create) \S+ (?:\S+ ){0,3}tags\b/i,
]

/** Only a request without an earlier answer, since such programs quote the conversation in one message. */
export function isAside({
  earlier,
  message,
  session,
  previous,
  tools,
}: Pick<TalkRequest, "earlier" | "message" | "session" | "previous" | "tools">): boolean {
  if (earlier.length > 0 || session !== undefined || previous !== undefined) return false
  const { text, files } = message
  if (tools.length > 0 || files.length > 0) return false
  // A short message is a person's own words: asking for a title is a request like any other.
  return text.length > 200 && TASKS.some((task) => task.test(text.trimStart()))
}
