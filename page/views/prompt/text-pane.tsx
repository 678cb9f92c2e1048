// The text with its source in the margin. Only the rows in the window are in the document. A press on a word lights up
// its file and line; the arrow keys go from line to line.
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import type { ShownPart } from "../../../src/serve/page/shown.ts"
import { useSize } from "../../parts/use-size.ts"
import { visibleName } from "../../parts/visible-text.ts"
import type { Stretch } from "./prompt-row.ts"
import { type Mark, ownerWords, type Piece, segmentsOf, type TextRow, textRows, wordAt } from "./text-rows.ts"

export interface FileLine {
  readonly path: string
  readonly line: number
}

export interface TextPaneProps {
  readonly label: string
  readonly pieces: readonly Piece[]
  readonly parts: readonly ShownPart[]
  readonly line: FileLine | undefined
  readonly onLine: (line: FileLine | undefined) => void
  /** Places to mark, in the order of the text. */
  readonly found: readonly Stretch[]
  /** The one to show. */
  readonly here: Stretch | undefined
}

/** Rows beside the window, so that none is missing while it scrolls. */
const BESIDE = 12

export function TextPane(props: TextPaneProps) {
  const { label, parts, found, here } = props
  const { box, rows, window, current, isChosen, word, onScroll, onKeyDown, onClick } = useTextView(props)
  const { first, last, rowHeight } = window
  const isInWindow = current !== undefined && current >= first && current < last
  return (
    <div
      ref={box}
      class="text-pane mono"
      role="listbox"
      data-cut={last - first < rows.length ? "" : undefined}
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={isInWindow ? `text-${current}` : undefined}
      {...{ onScroll, onKeyDown, onClick }}
    >
      <div class="text-whole" role="presentation" style={{ height: `${rows.length * rowHeight}px` }}>
        <div role="presentation" style={{ transform: `translateY(${first * rowHeight}px)` }}>
          {rows.slice(first, last).map((row, index) => (
            <Row
              key={first + index}
              at={first + index}
              count={rows.length}
              row={row}
              text={parts[row.part]?.text ?? ""}
              isLit={isChosen(row)}
              isActive={current === first + index}
              marks={marksOf(row, { found, here, word })}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

/** Which rows are in the window, which is chosen, and what moves either. */
function useTextView({ label, pieces, parts, line, onLine, here }: TextPaneProps) {
  const box = useRef<HTMLDivElement>(null)
  const size = useSize(box)
  const { columns, rowHeight } = useMemo(() => measure(box.current, size.width), [size.width])
  const rows = useMemo(() => textRows(pieces, parts, columns), [pieces, parts, columns])
  const [top, setTop] = useState(0)
  const [active, setActive] = useState<number>()
  const [word, setWord] = useState<Stretch>()
  const shown = useRef(label)
  useLayoutEffect(() => {
    if (shown.current === label) return
    shown.current = label
    setActive(undefined)
    setWord(undefined)
    if (box.current) box.current.scrollTop = 0
  }, [label])
  const show = (at: number) => {
    const element = box.current
    if (element === null || at < 0) return
    const [from, to] = [element.scrollTop, element.scrollTop + element.clientHeight]
    if (at * rowHeight < from || (at + 1) * rowHeight > to)
      element.scrollTop = at * rowHeight - element.clientHeight / 3
    setTop(element.scrollTop)
  }
  const chosen = line && `${line.path}:${line.line}`
  const isChosen = (row: TextRow | undefined) => chosen !== undefined && nameOf(row) === chosen
  useLayoutEffect(() => {
    if (here !== undefined) show(rows.findIndex((row) => isIn(row, here)))
  }, [here, rows])
  useLayoutEffect(() => {
    if (chosen !== undefined && !isChosen(rows[active ?? -1])) show(rows.findIndex(isChosen))
  }, [chosen, rows])
  const choose = (at: number) => {
    setActive(at)
    onLine(lineOf(rows[at]))
  }
  const first = Math.max(0, Math.floor(top / rowHeight) - BESIDE)
  const last = Math.min(rows.length, Math.ceil((top + size.height) / rowHeight) + BESIDE)
  const current = active ?? (chosen === undefined ? undefined : rows.findIndex(isChosen))
  return {
    ...{ box, rows, window: { first, last, rowHeight }, current, isChosen, word },
    onScroll: () => setTop(box.current?.scrollTop ?? 0),
    onKeyDown: (event: KeyboardEvent) => onKey(event, { rows, at: current ?? first, show, choose }),
    onClick(event: MouseEvent) {
      const pressed = pressedAt(event)
      if (pressed === undefined) return
      const part = rows[pressed.row]?.part ?? 0
      const [start, end] = wordAt(parts[part]?.text ?? "", pressed.offset ?? 0)
      setWord(pressed.offset === undefined ? undefined : { part, start, end })
      choose(pressed.row)
    },
  }
}

function lineOf(row: TextRow | undefined): FileLine | undefined {
  const path = row?.span?.owner?.path
  return path === undefined || row?.fileLine === undefined ? undefined : { path, line: row.fileLine }
}

function nameOf(row: TextRow | undefined): string | undefined {
  const line = lineOf(row)
  return line && `${line.path}:${line.line}`
}

function isIn({ kind, part, start, end }: TextRow, place: Stretch): boolean {
  return (
    kind === "text" && part === place.part && start <= place.start && place.start < Math.max(end, start + 1)
  )
}

interface RowProps {
  readonly at: number
  readonly count: number
  readonly row: TextRow
  readonly text: string
  readonly isLit: boolean
  readonly isActive: boolean
  readonly marks: readonly Mark[]
}

function Row({ at, count, row, text, isLit, isActive, marks }: RowProps) {
  const { kind, heading, isFirst, fileLine, span } = row
  return (
    <div
      id={`text-${at}`}
      class="text-row"
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      aria-setsize={count}
      aria-posinset={at + 1}
      data-row={at}
      data-kind={kind}
      data-lit={isLit ? "yes" : "no"}
    >
      {kind === "heading" ? (
        <span class="text-heading">{heading}</span>
      ) : (
        <>
          <span class="text-margin" title={visibleName(ownerWords(span))}>
            {isFirst && fileLine !== undefined ? fileLine : ""}
          </span>
          <span class="text-line">
            {segmentsOf(text, row, marks).map(({ start, text: piece, mark }) => (
              <span key={start} data-start={start} class={mark && `mark-${mark}`}>
                {piece}
              </span>
            ))}
          </span>
        </>
      )}
    </div>
  )
}

interface Marked {
  readonly found: readonly Stretch[]
  readonly here: Stretch | undefined
  readonly word: Stretch | undefined
}

function marksOf(row: TextRow, { found, here, word }: Marked): readonly Mark[] {
  if (row.kind === "heading") return []
  const isHere = (one: Stretch) => one.part === row.part && one.start < row.end && one.end > row.start
  const first = firstFrom(found, row)
  const marks: Mark[] = []
  for (let at = first; at < found.length; at += 1) {
    const one = found[at]
    if (one === undefined || !isHere(one)) break
    marks.push({ start: one.start, end: one.end, mark: one === here ? "found-here" : "found" })
  }
  if (word !== undefined && isHere(word)) marks.push({ start: word.start, end: word.end, mark: "word" })
  return marks.toSorted((a, b) => a.start - b.start)
}

/** The first that ends after the row begins; they are in order. */
function firstFrom(found: readonly Stretch[], row: TextRow): number {
  let [low, high] = [0, found.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const one = found[middle]
    const isBefore =
      one !== undefined && (one.part < row.part || (one.part === row.part && one.end <= row.start))
    if (isBefore) low = middle + 1
    else high = middle
  }
  return low
}

interface KeyFacts {
  readonly rows: readonly TextRow[]
  readonly at: number
  readonly show: (at: number) => void
  readonly choose: (at: number) => void
}

/** The arrow keys go from line to line. The space bar scrolls, as in any text, and plays nothing. */
function onKey(event: KeyboardEvent, { rows, at, show, choose }: KeyFacts): void {
  if (event.key === " ") event.stopPropagation()
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const line = rows[at]?.line
  let next = at + step
  while (
    rows[next] !== undefined &&
    (rows[next]?.kind === "heading" || rows[next]?.line === line || !rows[next]?.isFirst)
  )
    next += step
  if (rows[next] === undefined) return
  show(next)
  choose(next)
}

/** The row and, if text was pressed, the offset in its part. Nothing while text is being selected. */
function pressedAt(
  event: MouseEvent,
): { readonly row: number; readonly offset: number | undefined } | undefined {
  if (getSelection()?.isCollapsed === false || !(event.target instanceof Element)) return undefined
  const row = event.target.closest(".text-row")
  if (!(row instanceof HTMLElement) || row.dataset.kind === "heading") return undefined
  // Without it, such as in older versions of Safari, the line lights up, and no word of it.
  const canPoint = "caretPositionFromPoint" in document
  const place = canPoint ? document.caretPositionFromPoint(event.clientX, event.clientY) : null
  const piece = event.target.closest("[data-start]")
  const isText = piece instanceof HTMLElement && place !== null && piece.contains(place.offsetNode)
  const offset = isText ? Number(piece.dataset.start) + place.offset : undefined
  return { row: Number(row.dataset.row), offset }
}

const USUAL = { columns: 80, rowHeight: 20 }

/** How many characters fit in a row. */
function measure(box: HTMLElement | null, width: number): typeof USUAL {
  if (box === null || width === 0) return USUAL
  const style = getComputedStyle(box)
  const context = document.createElement("canvas").getContext("2d")
  if (context === null) return USUAL
  context.font = `${style.fontSize} ${style.fontFamily}`
  const character = context.measureText("0".repeat(100)).width / 100
  const rowHeight = Number.parseFloat(style.lineHeight)
  const margin = MARGIN_CHARACTERS * character + rowHeight
  return { columns: Math.max(16, Math.floor((width - margin) / character)), rowHeight }
}

/** As in the style sheet. */
const MARGIN_CHARACTERS = 6
