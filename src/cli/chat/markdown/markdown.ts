// Renders Markdown as it streams: complete parts become finished lines, and the rest can be shown as it is so far. The
// finished lines are the same however the text was split.
import type { Page } from "../../views/page.ts"
import type { Line } from "../screen/styled.ts"
import { pieceLines } from "./lines.ts"
import { cutEnd, cutLine, type Piece, START } from "./pieces.ts"

export interface MarkdownStream {
  /** Returns the lines that this text has finished. */
  push(text: string, page: Page): readonly Line[]
  /** The unfinished rest as it is so far. */
  open(page: Page): readonly Line[]
  /** Returns the last lines and resets the stream. */
  end(page: Page): readonly Line[]
}

export function streamMarkdown(): MarkdownStream {
  let state = START
  let partial = ""
  /** Caches `open`, which is called more often than it changes. */
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
      // Wait with half a surrogate pair for its other half.
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

/** Renders a complete text. */
export function markdownLines(text: string, page: Page): readonly Line[] {
  const stream = streamMarkdown()
  return [...stream.push(text, page), ...stream.end(page)]
}
