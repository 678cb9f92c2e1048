// Markdown while it is written: what is complete comes out as finished lines, the rest can be shown as it stands. All
// finished lines together are the same however the text came.
import { type Page, pieceLines } from "./markdown-lines.ts"
import { cutEnd, cutLine, type Piece, START } from "./markdown-pieces.ts"
import type { Line } from "./styled.ts"

export interface MarkdownStream {
  /** Lines that this text has finished. */
  push(text: string, page: Page): readonly Line[]
  /** What is not finished, as it stands. */
  open(page: Page): readonly Line[]
  /** The last lines; the stream begins anew. */
  end(page: Page): readonly Line[]
}

export function streamMarkdown(): MarkdownStream {
  let state = START
  let partial = ""
  const rest = (): readonly Piece[] => {
    const line = partial.replace(/\r$/, "")
    if (line === "") return cutEnd(state)
    const last = cutLine(state, line)
    return [...last.pieces, ...cutEnd(last.state)]
  }
  return {
    push(text, page) {
      const lines = (partial + text).split("\n")
      partial = lines.pop() ?? ""
      return lines.flatMap((line) => {
        const cut = cutLine(state, line.replace(/\r$/, ""))
        state = cut.state
        return cut.pieces.flatMap((piece) => pieceLines(piece, page))
      })
    },
    open(page) {
      // Half a character is shown with its other half.
      const isHalf = /[\ud800-\udbff]$/.test(partial)
      const kept = partial
      partial = isHalf ? partial.slice(0, -1) : partial
      const lines = rest().flatMap((piece) => pieceLines(piece, page))
      partial = kept
      return lines
    },
    end(page) {
      const lines = rest().flatMap((piece) => pieceLines(piece, page))
      state = START
      partial = ""
      return lines
    },
  }
}

/** A text that is complete. */
export function markdownLines(text: string, page: Page): readonly Line[] {
  const stream = streamMarkdown()
  return [...stream.push(text, page), ...stream.end(page)]
}
