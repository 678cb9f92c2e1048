// The text of a turn as one answer. A turn with tools writes text in several steps, and a step that failed is repeated,
// but what was sent to a client cannot be taken back.
import type { LiveEvent } from "../../agent/turn/live-event.ts"

const BREAK = "\n\n"

/** Takes the events of a turn; returns the text to send now. */
export function createJoinedText(): (event: LiveEvent) => string {
  let step = ""
  let isBroken = false
  // After a repeated step: what was sent of it before, and what has come since.
  let before = ""
  let again = ""
  const send = (text: string): string => {
    const sent = isBroken && text !== "" ? `${BREAK}${text}` : text
    if (text !== "") isBroken = false
    step += text
    return sent
  }
  const repeat = (text: string): string => {
    again += text
    if (before.startsWith(again)) return ""
    const isSame = again.startsWith(before)
    const rest = isSame ? again.slice(before.length) : again
    // The repeated step says something else: both are shown, apart.
    isBroken ||= !isSame
    before = ""
    return send(rest)
  }
  return (event) => {
    if (event.kind === "tool-finished") {
      isBroken ||= step !== ""
      step = before = again = ""
    }
    if (event.kind === "step-discarded") {
      before = step
      step = again = ""
    }
    if (event.kind !== "text") return ""
    return before === "" ? send(event.text) : repeat(event.text)
  }
}
