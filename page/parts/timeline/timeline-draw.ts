// Draws the timeline on a canvas, because a session may have thousands of calls. The slider above it says the same in
// words.
import type { CallRow } from "../../../src/serve/page/shown.ts"
import { inputOf, lossOf, missWords } from "../call-facts.ts"
import type { TimelineLayout } from "./timeline-layout.ts"

/** Colours as the style sheet gives them for the current scheme. */
export interface TimelineColours {
  readonly bar: string
  readonly ink: string
  readonly quiet: string
  readonly loss: string
  readonly bad: string
  readonly here: string
  readonly paper: string
}

export interface Drawing {
  readonly calls: readonly CallRow[]
  readonly layout: TimelineLayout
  readonly at: number
  readonly offset: number
  /** Calls that carry the chosen line. */
  readonly marked: ReadonlySet<string>
  readonly colours: TimelineColours
}

const SIGNS = 16
const BARS = 64
const BELOW = SIGNS + BARS
const LABELS = 24
const PICTURE = 20

export function heightOf({ isLong }: TimelineLayout): number {
  return BELOW + LABELS + (isLong ? PICTURE + 4 : 0)
}

/** The height from which on a point is in the picture of all calls. */
export const PICTURE_TOP = BELOW + LABELS

export function drawTimeline(context: CanvasRenderingContext2D, drawing: Drawing): void {
  const { layout, offset, calls } = drawing
  context.clearRect(0, 0, layout.width, heightOf(layout))
  const first = Math.max(0, Math.floor(offset / layout.pitch))
  const last = Math.min(calls.length - 1, Math.ceil((offset + layout.width) / layout.pitch))
  drawHere(context, drawing)
  const written: Area[] = []
  for (let at = first; at <= last; at += 1) drawCall(context, drawing, { at, written })
  drawHatch(context, written, drawing.colours)
  drawLabels(context, drawing, { first, last })
  if (layout.isLong) drawPicture(context, drawing)
}

function drawHere(context: CanvasRenderingContext2D, { layout, at, offset, colours }: Drawing): void {
  const x = at * layout.pitch - offset
  context.fillStyle = colours.here
  context.fillRect(x, SIGNS - 2, layout.pitch, BARS + 4)
  context.fillStyle = colours.ink
  context.fillRect(x, BELOW + 1, layout.pitch, 2)
}

interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const HATCH = 4

/**
 * Slanted lines: what was written to the cache. Lines and not a pattern, because a pattern is made of a second canvas, which
 * the browser may have taken away while it leaves the page.
 */
function drawHatch(
  context: CanvasRenderingContext2D,
  areas: readonly Area[],
  { bar }: TimelineColours,
): void {
  context.strokeStyle = bar
  context.lineWidth = 1.5
  context.beginPath()
  for (const { x, y, width, height } of areas) {
    const [right, bottom] = [x + width, y + height]
    // Along each line, x + y is the same.
    for (let sum = Math.ceil((x + y) / HATCH) * HATCH; sum < right + bottom; sum += HATCH) {
      const [low, high] = [Math.max(x, sum - bottom), Math.min(right, sum - y)]
      context.moveTo(low, sum - low)
      context.lineTo(high, sum - high)
    }
  }
  context.stroke()
  context.lineWidth = 1
}

function drawCall(
  context: CanvasRenderingContext2D,
  { calls, layout, offset, marked, colours }: Drawing,
  { at, written }: { readonly at: number; readonly written: Area[] },
): void {
  const call = calls[at]
  if (call === undefined) return
  const gap = layout.pitch > 12 ? 3 : layout.pitch > 7 ? 2 : 1
  const x = Math.round(at * layout.pitch - offset)
  const width = Math.max(2, Math.round((at + 1) * layout.pitch - offset) - x - gap)
  const { usage, error, miss, id } = call
  const scale = BARS / layout.most
  let bottom = BELOW
  const stack = (tokens: number): Area => {
    const height = tokens > 0 ? Math.max(1, tokens * scale) : 0
    bottom -= height
    return { x, y: bottom, width, height }
  }
  const read = stack(usage?.read ?? 0)
  const hatched = stack(usage?.written ?? 0)
  const plain = stack(usage?.uncached ?? 0)
  context.fillStyle = colours.bar
  context.fillRect(x, read.y, width, read.height)
  context.fillStyle = colours.paper
  context.fillRect(x, hatched.y, width, hatched.height)
  if (hatched.height > 0) written.push(hatched)
  context.strokeStyle = colours.bar
  context.lineWidth = 1
  for (const { y, height } of [hatched, plain])
    if (height > 0) context.strokeRect(x + 0.5, y + 0.5, width - 1, Math.max(0, height - 1))
  if (usage === null) drawUnknown(context, { x, width, colours })
  if (error !== null) drawCross(context, x + width / 2, colours)
  else if (miss !== null) drawWarning(context, x + width / 2, colours)
  if (marked.has(id)) {
    context.fillStyle = colours.ink
    context.beginPath()
    context.arc(x + width / 2, BELOW + 6, Math.min(2.5, width / 2), 0, 7)
    context.fill()
  }
}

/** The provider did not say how many tokens it was. */
function drawUnknown(
  context: CanvasRenderingContext2D,
  { x, width, colours }: { readonly x: number; readonly width: number; readonly colours: TimelineColours },
): void {
  context.strokeStyle = colours.quiet
  context.setLineDash([2, 2])
  context.strokeRect(x + 0.5, BELOW - 7.5, width - 1, 7)
  context.setLineDash([])
}

/** A triangle: a shape of its own, so that a miss is seen without colour. */
function drawWarning(context: CanvasRenderingContext2D, x: number, { loss }: TimelineColours): void {
  context.fillStyle = loss
  context.beginPath()
  context.moveTo(x - 5, 1)
  context.lineTo(x + 5, 1)
  context.lineTo(x, SIGNS - 4)
  context.fill()
}

function drawCross(context: CanvasRenderingContext2D, x: number, { bad }: TimelineColours): void {
  context.strokeStyle = bad
  context.lineWidth = 2
  context.beginPath()
  context.moveTo(x - 4, 3)
  context.lineTo(x + 4, 11)
  context.moveTo(x + 4, 3)
  context.lineTo(x - 4, 11)
  context.stroke()
  context.lineWidth = 1
}

/** Labels of misses, below their bars: that of the playhead first, then those that cost most, where there is room. */
function drawLabels(
  context: CanvasRenderingContext2D,
  { calls, layout, at: here, offset, colours }: Drawing,
  { first, last }: { readonly first: number; readonly last: number },
): void {
  const font = getComputedStyle(context.canvas).fontFamily
  context.font = `12px ${font}`
  context.textBaseline = "alphabetic"
  const weight = (at: number) => (at === here ? Number.POSITIVE_INFINITY : (calls[at]?.miss?.tokens ?? 0))
  const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
    .filter((at) => calls[at]?.miss)
    .sort((a, b) => weight(b) - weight(a))
    .slice(0, MOST_LABELS)
  const taken: (readonly [number, number])[] = []
  for (const at of shown) {
    const miss = calls[at]?.miss
    if (!miss) continue
    const text = `${shortened(missWords(calls, at), layout.width)}, ${lossOf(miss)}`
    const size = context.measureText(text).width + 10
    const bar = (at + 0.5) * layout.pitch - offset
    const isLeft = bar + size > layout.width
    // On a phone there may be no room on either side: it then stands below its bar.
    const isBelow = isLeft && bar < size
    const from = isBelow ? layout.width - size : isLeft ? bar - size : bar
    if (from < 0 || taken.some(([start, end]) => from < end + 8 && from + size > start - 8)) continue
    taken.push([from, from + size])
    context.strokeStyle = colours.loss
    context.beginPath()
    context.moveTo(Math.round(bar) + 0.5, BELOW + (isBelow ? 4 : 10))
    context.lineTo(Math.round(bar) + 0.5, BELOW + (isBelow ? 12 : 17))
    if (!isBelow) context.lineTo(Math.round(bar) + (isLeft ? -5.5 : 6.5), BELOW + 17)
    context.stroke()
    context.fillStyle = at === here ? colours.loss : colours.quiet
    context.fillText(text, isLeft ? from : from + 10, BELOW + 21)
  }
}

const MOST_LABELS = 40
const LABEL_LENGTH = 40

/** The end of a path says more than its beginning. */
function shortened(text: string, width: number): string {
  const most = Math.min(LABEL_LENGTH, Math.floor(width / 11))
  return text.length <= most ? text : `…${text.slice(1 - most)}`
}

/** All calls at once, with the window. */
function drawPicture(
  context: CanvasRenderingContext2D,
  { calls, layout, offset, at, colours }: Drawing,
): void {
  const top = PICTURE_TOP + 4
  const { width, most, pitch } = layout
  const perPixel = calls.length / width
  for (let x = 0; x < width; x += 1) {
    const here = calls.slice(
      Math.floor(x * perPixel),
      Math.max(Math.floor((x + 1) * perPixel), Math.floor(x * perPixel) + 1),
    )
    const tokens = here.reduce((max, { usage }) => Math.max(max, usage === null ? 0 : inputOf(usage)), 0)
    const height = Math.max(1, (tokens / most) * (PICTURE - 4))
    context.fillStyle = colours.quiet
    context.fillRect(x, top + PICTURE - height, 1, height)
    if (!here.some(({ miss }) => miss !== null)) continue
    context.fillStyle = colours.loss
    context.fillRect(x, top, 1, 4)
  }
  const share = width / (pitch * calls.length)
  context.strokeStyle = colours.ink
  context.strokeRect(offset * share + 0.5, top - 0.5, Math.max(4, width * share) - 1, PICTURE + 0.5)
  context.fillStyle = colours.ink
  context.fillRect((at / calls.length) * width, top, 2, PICTURE)
}
