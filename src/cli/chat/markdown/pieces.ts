// Cuts streaming Markdown into pieces, line by line: a paragraph, a heading, a table, one list item, or one line of
// code. The cuts depend only on the lines, not on how they arrived.

export type Piece =
  | { readonly kind: "block"; readonly text: string; readonly gap: boolean }
  /** `number` for an item of an ordered list, counted as Markdown does. */
  | {
      readonly kind: "item"
      readonly text: string
      readonly number: number | undefined
      readonly gap: boolean
    }
  /** The line that opens or closes fenced code. */
  | { readonly kind: "fence"; readonly text: string; readonly gap: boolean }
  | { readonly kind: "code"; readonly text: string }

/** Texts are joined line by line: copying a list of lines for each one would take the square of a long paragraph's length. */
interface OpenBlock {
  readonly kind: "paragraph" | "quote"
  readonly text: string
  readonly gap: boolean
}

interface OpenItem {
  readonly kind: "item"
  readonly text: string
  readonly gap: boolean
  readonly number: number | undefined
  /** The least indent of lines that belong to the item. */
  readonly indent: number
  /** Blank lines that belong to it if more of it follows. */
  readonly blanks: number
  /** The closing mark of fenced code inside the item. */
  readonly fence: string | undefined
}

interface OpenFence {
  readonly kind: "fence"
  readonly mark: string
}

export interface CutState {
  readonly open: OpenBlock | OpenItem | OpenFence | undefined
  /** There was a blank line after the last piece. */
  readonly blank: boolean
  /** The number of the next item, inside a list. */
  readonly next: number | undefined
  readonly isStarted: boolean
}

export const START: CutState = { open: undefined, blank: false, next: undefined, isStarted: false }

export interface CutLines {
  readonly pieces: readonly Piece[]
  readonly state: CutState
}

export function cutLine(state: CutState, line: string): CutLines {
  const { open } = state
  if (open?.kind === "fence") return inFence(state, open, line)
  if (open?.kind === "item") return inItem(state, open, line)
  if (line.trim() === "") return blankLine(state)
  if (open === undefined) return begin(state, line)
  if (open.kind === "paragraph" && SETEXT.test(line)) return close(withLine(state, open, line))
  const isMore = open.kind === "quote" ? /^ {0,3}>/.test(line) || !isStart(line) : !interrupts(line)
  if (isMore) return { pieces: [], state: withLine(state, open, line) }
  return followedBy(close(state), (closed) => begin(closed, line))
}

/** Everything that is still open, as it is so far. */
export function cutEnd(state: CutState): readonly Piece[] {
  return close(state).pieces
}

const HEADING = /^ {0,3}#{1,6}(\s|$)/
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/
const QUOTE = /^ {0,3}>/
const ITEM = /^( {0,3})([-*+]|(\d{1,9})[.)])( {1,4}|$)/
const SETEXT = /^ {0,3}(=+|-+)[ \t]*$/

function isStart(line: string): boolean {
  return [HEADING, FENCE, RULE, QUOTE, ITEM].some((form) => form.test(line))
}

/** A number other than 1 is more often part of a sentence than the start of a list. */
function interrupts(line: string): boolean {
  const item = ITEM.exec(line)
  if (item !== null && !RULE.test(line))
    return (item[3] === undefined || item[3] === "1") && line.trim() !== item[2]
  return isStart(line)
}

function blankLine(state: CutState): CutLines {
  const closed = close(state)
  return { ...closed, state: { ...closed.state, blank: true } }
}

function inFence(state: CutState, { mark }: OpenFence, line: string): CutLines {
  if (!isClosingFence(line, mark)) return { pieces: [{ kind: "code", text: line }], state }
  return { pieces: [{ kind: "fence", text: line.trim(), gap: false }], state: { ...state, open: undefined } }
}

function isClosingFence(line: string, mark: string): boolean {
  const text = line.trim()
  return text.startsWith(mark) && text === (mark[0] ?? "").repeat(text.length)
}

function inItem(state: CutState, item: OpenItem, line: string): CutLines {
  const stay = (changes: Partial<OpenItem>) => ({
    pieces: [],
    state: { ...state, open: { ...item, ...changes } },
  })
  if (item.fence !== undefined) {
    const text = `${item.text}\n${line}`
    return stay(isClosingFence(line, item.fence) ? { text, fence: undefined } : { text })
  }
  if (line.trim() === "") return stay({ blanks: item.blanks + 1 })
  const isInside = /^ */.exec(line)?.[0].length ?? 0
  const isLazy = item.blanks === 0 && !isStart(line)
  if (isInside >= item.indent || isLazy) {
    const text = `${item.text}${"\n".repeat(item.blanks + 1)}${line}`
    return stay({ text, blanks: 0, fence: FENCE.exec(line.trimStart())?.[1] })
  }
  return followedBy(close({ ...state, blank: item.blanks > 0 }), (closed) => begin(closed, line))
}

function begin(state: CutState, line: string): CutLines {
  const gap = state.blank && state.isStarted
  const rest: CutState = { open: undefined, blank: false, next: undefined, isStarted: true }
  const fence = FENCE.exec(line)?.[1]
  if (fence !== undefined)
    return {
      pieces: [{ kind: "fence", text: line.trim(), gap }],
      state: { ...rest, open: { kind: "fence", mark: fence } },
    }
  if (HEADING.test(line) || RULE.test(line))
    return { pieces: [{ kind: "block", text: line, gap }], state: rest }
  const item = ITEM.exec(line)
  if (item !== null) return beginItem(state, item, { line, gap })
  const kind = QUOTE.test(line) ? "quote" : "paragraph"
  return { pieces: [], state: { ...rest, open: { kind, text: line, gap } } }
}

function beginItem(
  { next }: CutState,
  [whole, before = "", marker = "", digits]: RegExpExecArray,
  { line, gap }: { readonly line: string; readonly gap: boolean },
): CutLines {
  const number = digits === undefined ? undefined : (next ?? Number(digits))
  const open: OpenItem = {
    kind: "item",
    text: line.slice(before.length),
    gap,
    number,
    indent: Math.min(whole.length, before.length + marker.length + 1),
    blanks: 0,
    fence: FENCE.exec(line.slice(whole.length))?.[1],
  }
  const after = number === undefined ? undefined : number + 1
  return { pieces: [], state: { open, blank: false, next: after, isStarted: true } }
}

function withLine(state: CutState, open: OpenBlock, line: string): CutState {
  return { ...state, open: { ...open, text: `${open.text}\n${line}` } }
}

function close(state: CutState): CutLines {
  const { open } = state
  const closed = { ...state, open: undefined }
  if (open === undefined || open.kind === "fence") return { pieces: [], state: closed }
  const { text } = open
  if (open.kind === "item")
    return { pieces: [{ kind: "item", text, number: open.number, gap: open.gap }], state: closed }
  return { pieces: [{ kind: "block", text, gap: open.gap }], state: { ...closed, next: undefined } }
}

function followedBy(first: CutLines, next: (state: CutState) => CutLines): CutLines {
  const second = next(first.state)
  return { pieces: [...first.pieces, ...second.pieces], state: second.state }
}
