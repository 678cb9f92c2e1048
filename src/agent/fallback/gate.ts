// Lets the text of a streamed answer through and holds back anything that is, or may become, a call block, so that a
// terminal never shows one. In total it lets through exactly the `before` of `fallbackCalls`, however the text was
// split.
import { type Fence, isClosedBy, mayOpenCall, openedBy } from "./fence.ts"

export interface StreamGate {
  /** Returns the text that may be shown now. */
  push(text: string): string
  /** Returns text that was held back and turned out not to be a call. */
  end(): string
}

/** More than three marks or four blanks do not change how a line is read. */
const LONG_RUN = /(`{3})`+|(~{3})~+|(\s{4})\s+/g

export function streamGate(): StreamGate {
  let fence: Fence | undefined
  /** The line so far, in the pieces it came in. Joining them each time would be quadratic in its length. */
  let line: string[] = []
  /** The line so far with runs shortened, as long as it may still open a call. */
  let start = ""
  /** How many pieces have been shown. */
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
  /** A line that can no longer open a call never will again. */
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
