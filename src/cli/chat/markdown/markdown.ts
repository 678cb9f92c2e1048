// Markdown while it is written: what is complete comes out as finished lines, the rest can be shown as it stands. All
// finished lines together are the same however the text came.
import type { Page } from "../../views/terminal.ts"
import type { Line } from "../screen/styled.ts"
import { pieceLines } from "./lines.ts"
import { cutEnd, cutLine, type Piece, START } from "./pieces.ts"

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
  /** What was open when it was last asked for: it is asked for more often than it changes. */
  let seen: { readonly columns: number; readonly lines: readonly Line[] } | undefined
  const linesOf = (pieces: readonly Piece[], page: Page) => pieces.flatMap((piece) => pieceLines(piece, page))
  const rest = (line: string): readonly Piece[] => {
    if (line === "") return cutEnd(state)
    const last = cutLine(state, line)
    return [...last.pieces, ...cutEnd(last.state)]
  }
  return {
    push(text, page) {
      seen = undefined
      const lines = (partial + text).split("\n")
      partial = lines.pop() ?? ""
      return lines.flatMap((line) => {
        const cut = cutLine(state, withoutReturn(line))
        state = cut.state
        return linesOf(cut.pieces, page)
      })
    },
    open(page) {
      // Half a character is shown with its other half.
      const line = withoutReturn(partial.replace(/[\ud800-\udbff]$/, ""))
      if (seen?.columns !== page.columns) seen = { columns: page.columns, lines: linesOf(rest(line), page) }
      return seen.lines
    },
    end(page) {
      const lines = linesOf(rest(withoutReturn(partial)), page)
      state = START
      partial = ""
      seen = undefined
      return lines
    },
  }
}

function withoutReturn(line: string): string {
  return line.replace(/\r$/, "")
}

/** A text that is complete. */
export function markdownLines(text: string, page: Page): readonly Line[] {
  const stream = streamMarkdown()
  return [...stream.push(text, page), ...stream.end(page)]
}
