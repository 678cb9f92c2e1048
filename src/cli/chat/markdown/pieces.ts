// Cuts streaming Markdown into pieces, line by line: a paragraph, a heading, a table, one list item, or one line of
// code. The cuts depend only on the lines, not on how they arrived, and are made where the reader ends a block.
import {
  endsParagraph,
  FENCE,
  HEADING,
  INDENTED,
  isBlank,
  isFenceEnd,
  isOfQuote,
  isTableStart,
  type Marker,
  markerOf,
  QUOTE,
  RULE,
  UNDERLINE,
} from "../../../markdown/line-kinds.ts"
import { indentInItem } from "../../../markdown/read-list.ts"
import { spacedUpTo } from "../../../markdown/with-spaces.ts"

export type Piece =
  /** `number` for an item of an ordered list, counted as Markdown does. */
  | {
      readonly kind: "block"
      readonly text: string
      readonly number: number | undefined
      readonly gap: boolean
    }
  /** The line that opens or closes fenced code. */
  | { readonly kind: "fence"; readonly text: string; readonly gap: boolean }
  | { readonly kind: "code"; readonly text: string }

/** Texts are joined line by line: copying a list of lines for each one would take the square of a long paragraph's length. */
interface Open {
  readonly text: string
  readonly last: string
  readonly gap: boolean
}

interface OpenBlock extends Open {
  readonly kind: "paragraph" | "table" | "quote" | "indented"
}

interface OpenItem extends Open {
  readonly kind: "item"
  readonly marker: Marker
  readonly number: number | undefined
  readonly isEmpty: boolean
  /** Blank lines that belong to it if more of it follows. */
  readonly blanks: number
}

interface OpenFence {
  readonly kind: "fence"
  readonly marks: string
  /** Its lines may be indented as far as the fence is. */
  readonly indent: number
}

export interface CutState {
  readonly open: OpenBlock | OpenItem | OpenFence | undefined
  /** There was a blank line after the last piece. */
  readonly blank: boolean
  /** What the next item is counted as, inside a list of one kind. */
  readonly next: { readonly kind: string; readonly number: number } | undefined
  readonly isStarted: boolean
}

export const START: CutState = { open: undefined, blank: false, next: undefined, isStarted: false }

export interface CutLines {
  readonly pieces: readonly Piece[]
  readonly state: CutState
}

/** A line as it came, and with spaces instead of the tabs in front of it. */
interface Source {
  readonly given: string
  readonly line: string
}

export function cutLine(state: CutState, given: string): CutLines {
  const { open } = state
  if (open?.kind === "fence") return inFence(state, open, given)
  const line = spacedUpTo(given, given.length)
  const source = { given, line }
  const more = open && (open.kind === "item" ? itemWith(open, source) : blockWith(open, source))
  if (more !== undefined) return { pieces: [], state: { ...state, open: more } }
  if (open?.kind === "paragraph" && UNDERLINE.test(line))
    return close({ ...state, open: withLine(open, source) })
  const closed = close(state)
  if (isBlank(line)) return { ...closed, state: { ...closed.state, blank: true } }
  const begun = begin(closed.state, source)
  return { ...begun, pieces: [...closed.pieces, ...begun.pieces] }
}

/** Everything that is still open, as it is so far. */
export function cutEnd(state: CutState): readonly Piece[] {
  return close(state).pieces
}

function inFence(state: CutState, { marks, indent }: OpenFence, given: string): CutLines {
  if (isFenceEnd(given, marks))
    return {
      pieces: [{ kind: "fence", text: given.trim(), gap: false }],
      state: { ...state, open: undefined },
    }
  const spaced = spacedUpTo(given, indent)
  const own = spaced.length - spaced.trimStart().length
  return { pieces: [{ kind: "code", text: spaced.slice(Math.min(own, indent)) }], state }
}

/** Undefined if the line does not go on with the block. */
function blockWith(open: OpenBlock, source: Source): OpenBlock | undefined {
  const { line } = source
  const more = withLine(open, source)
  if (isBlank(line)) return undefined
  if (open.kind === "indented") return INDENTED.test(line) ? more : undefined
  if (open.kind === "quote") return isOfQuote([open.last, line], 1) ? more : undefined
  if (open.kind === "paragraph" && isTableStart([open.last, line], 0)) return { ...more, kind: "table" }
  const isEnd = endsParagraph([line], 0) || (open.kind === "paragraph" && UNDERLINE.test(line))
  return isEnd ? undefined : more
}

/** The same for an item of a list. */
function itemWith(item: OpenItem, { given, line }: Source): OpenItem | undefined {
  if (isBlank(line)) return item.isEmpty ? undefined : { ...item, blanks: item.blanks + 1, last: "" }
  if (indentInItem([item.last, line], 1, item.marker) === undefined) return undefined
  const text = `${item.text}${"\n".repeat(item.blanks + 1)}${given}`
  return { ...item, text, last: line, isEmpty: false, blanks: 0 }
}

function withLine(open: OpenBlock, { given, line }: Source): OpenBlock {
  return { ...open, text: `${open.text}\n${given}`, last: line }
}

function begin(state: CutState, { given, line }: Source): CutLines {
  const gap = state.blank && state.isStarted
  const rest: CutState = { open: undefined, blank: false, next: undefined, isStarted: true }
  const [, indent = "", marks] = FENCE.exec(line) ?? []
  if (marks !== undefined)
    return {
      pieces: [{ kind: "fence", text: line.trim(), gap }],
      state: { ...rest, open: { kind: "fence", marks, indent: indent.length } },
    }
  if (HEADING.test(line) || RULE.test(line))
    return { pieces: [{ kind: "block", text: line, number: undefined, gap }], state: rest }
  const open = { text: given, last: line, gap }
  const marker = markerOf(line)
  if (marker !== undefined) return { pieces: [], state: { ...rest, ...itemOf(marker, state, open) } }
  const kind = INDENTED.test(line) ? "indented" : QUOTE.test(line) ? "quote" : "paragraph"
  return { pieces: [], state: { ...rest, open: { ...open, kind } } }
}

function itemOf(marker: Marker, { next }: CutState, open: Open): Pick<CutState, "open" | "next"> {
  const { kind, isEmpty } = marker
  const number = next?.kind === kind ? next.number : marker.number
  return {
    open: { ...open, kind: "item", marker, number, isEmpty, blanks: 0 },
    next: number === undefined ? undefined : { kind, number: number + 1 },
  }
}

function close(state: CutState): CutLines {
  const { open } = state
  const closed = { ...state, open: undefined }
  if (open === undefined || open.kind === "fence") return { pieces: [], state: closed }
  const { text, gap } = open
  if (open.kind !== "item")
    return { pieces: [{ kind: "block", text, number: undefined, gap }], state: closed }
  return {
    pieces: [{ kind: "block", text, number: open.number, gap }],
    state: { ...closed, blank: open.blanks > 0 },
  }
}
