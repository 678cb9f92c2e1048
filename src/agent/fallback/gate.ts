// Lets the words of a streamed answer through and holds back what is, or may become, a block with a call: a terminal
// never shows one. What comes through in all is what `fallbackCalls` calls `before`, however the text was split.
import { type Fence, isClosedBy, mayOpenCall, openedBy } from "./fence.ts"

export interface StreamGate {
  /** What may be shown now. */
  push(text: string): string
  /** What was held back and turned out to be words. */
  end(): string
}

export function streamGate(): StreamGate {
  let fence: Fence | undefined
  let line = ""
  let shown = 0
  let isShut = false

  const show = () => {
    const text = line.slice(shown)
    shown = line.length
    return text
  }
  const finish = () => {
    const opened = fence === undefined ? openedBy(line) : undefined
    if (opened?.isCall) {
      isShut = true
      return ""
    }
    if (fence === undefined) fence = opened
    else if (isClosedBy(line, fence)) fence = undefined
    const text = show()
    line = ""
    shown = 0
    return text
  }

  return {
    push(text) {
      let through = ""
      for (const piece of text.match(/[^\n]*\n|[^\n]+/g) ?? []) {
        if (isShut) break
        line += piece
        if (piece.endsWith("\n")) through += finish()
        else if (fence !== undefined || !mayOpenCall(line)) through += show()
      }
      return through
    },
    end: () => (isShut ? "" : finish()),
  }
}
