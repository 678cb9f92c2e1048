// Where the calls of a timeline are: as many as fit, each wide enough to be hit, the others beside the window. A long
// session also has a small picture of all its calls.
import type { CallRow } from "../../../src/serve/page/shown.ts"
import { inputOf } from "../call-facts.ts"

/** Narrower bars cannot be hit with a finger or told apart. */
const MIN_PITCH = 6
const MAX_PITCH = 40
/** How far a pointer must go to leave a miss behind. */
const STICK_PX = 24

export interface TimelineLayout {
  readonly width: number
  /** From one bar to the next. */
  readonly pitch: number
  readonly count: number
  /** The most tokens of a call, for the height of the bars. */
  readonly most: number
  /** Whether calls lie outside the window. */
  readonly isLong: boolean
}

export function layoutOf(calls: readonly CallRow[], width: number): TimelineLayout {
  const pitch = Math.min(MAX_PITCH, Math.max(MIN_PITCH, width / Math.max(1, calls.length)))
  const most = calls.reduce((max, { usage }) => Math.max(max, usage === null ? 0 : inputOf(usage)), 1)
  return { width, pitch, count: calls.length, most, isLong: pitch * calls.length > width + 0.5 }
}

/** The left edge of the window in pixels of the whole, so that the call is in it; the window moves only if it must. */
export function offsetFor(layout: TimelineLayout, at: number, before: number): number {
  const { pitch, width, count } = layout
  const most = Math.max(0, pitch * count - width)
  const margin = Math.min(width / 4, pitch * 8)
  const x = at * pitch
  const moved = x < before + margin ? x - margin : Math.max(before, x + pitch + margin - width)
  return Math.min(most, Math.max(0, moved))
}

/** The call below a point of the window. */
export function callAt({ pitch, count }: TimelineLayout, x: number, offset: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor((x + offset) / pitch)))
}

/** The call below a point of the picture of all calls. */
export function callInPicture({ width, count }: TimelineLayout, x: number): number {
  return Math.min(count - 1, Math.max(0, Math.floor((x / width) * count)))
}

/** The next call with a miss in a direction. */
export function nextMiss(calls: readonly CallRow[], from: number, step: 1 | -1): number | undefined {
  for (let at = from + step; at >= 0 && at < calls.length; at += step) if (calls[at]?.miss) return at
  return undefined
}

export interface Drag {
  readonly at: number
  /** The miss that holds the playhead, and where the pointer was when it got there. */
  readonly stuck: { readonly at: number; readonly x: number } | undefined
}

/** Moves a dragged playhead towards a call. It stops at the first miss on its way until the pointer has gone further. */
export function dragTo(
  calls: readonly CallRow[],
  drag: Drag,
  to: { readonly at: number; readonly x: number },
): Drag {
  const { stuck } = drag
  if (stuck !== undefined && Math.abs(to.x - stuck.x) < STICK_PX) return drag
  if (to.at === drag.at) return { at: drag.at, stuck: undefined }
  const step = to.at > drag.at ? 1 : -1
  const miss = nextMiss(calls, drag.at, step)
  const isOnWay = miss !== undefined && (step > 0 ? miss <= to.at : miss >= to.at)
  return isOnWay ? { at: miss, stuck: { at: miss, x: to.x } } : { at: to.at, stuck: undefined }
}
