// Lets the words of a streamed answer through and holds back what is, or may become, a block with a call: a terminal
// never shows one. What comes through in all is what `fallbackCalls` calls `before`, however the text was split.
import { type Fence, isClosedBy, mayOpenCall, openedBy } from "./fence.ts"

export interface StreamGate {
  /** What may be shown now. */
  push(text: string): string
  /** What was held back and turned out to be words. */
  end(): string
}

/** More marks than three and more blanks than four say nothing new about a line. */
const LONG_RUN = /(`{3})`+|(~{3})~+|(\s{4})\s+/g

export function streamGate(): StreamGate {
  let fence: Fence | undefined
  /** The line so far, in the pieces it came in: to join them each time would take the square of its length. */
  let line: string[] = []
  /** The line so far with runs cut short, while it may still open a call. */
  let start = ""
  /** How many of the pieces were shown. */
  let shown = 0
  let isWords = false
  let isShut = false

  const show = () => {
    const text = line.slice(shown).join("")
    shown = line.length
    return text
  }
  const finish = () => {
    const whole = line.join("")
    const opened = fence === undefined ? openedBy(whole) : undefined
    if (opened?.isCall) {
      isShut = true
      return ""
    }
    if (fence === undefined) fence = opened
    else if (isClosedBy(whole, fence)) fence = undefined
    const text = show()
    line = []
    start = ""
    shown = 0
    isWords = false
    return text
  }
  /** What can no longer open a call never will. */
  const decide = (piece: string) => {
    if (isWords) return
    start = (start + piece).replaceAll(LONG_RUN, "$1$2$3")
    isWords = !mayOpenCall(start)
  }

  return {
    push(text) {
      let through = ""
      for (const piece of text.match(/[^\n]*\n|[^\n]+/g) ?? []) {
        if (isShut) break
        line.push(piece)
        if (piece.endsWith("\n")) through += finish()
        else {
          if (fence === undefined) decide(piece)
          if (fence !== undefined || isWords) through += show()
        }
      }
      return through
    },
    end: () => (isShut ? "" : finish()),
  }
}
