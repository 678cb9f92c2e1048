// All calls of a session as bars, and the playhead. The bars are on a canvas; a slider above them has the same in words
// and the keys. Dragging stops at a miss until one pulls on, so that none is overlooked.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import type { CallRow } from "../../../src/serve/page/shown.ts"
import { isCompiled } from "../../data/calls.ts"
import { useKeys } from "../../shell/keys.ts"
import { theme } from "../../shell/theme.ts"
import { callInWords } from "../call-facts.ts"
import { count, moment } from "../figures.ts"
import { MissNote } from "./miss-note.tsx"
import "./timeline.css"
import { useSize } from "../use-size.ts"
import { drawTimeline, heightOf, PICTURE_TOP, type TimelineColours } from "./timeline-draw.ts"
import { callAt, callInPicture, type Drag, dragTo, layoutOf, nextMiss, offsetFor } from "./timeline-layout.ts"
import { usePlay } from "./use-play.ts"

export interface TimelineProps {
  readonly calls: readonly CallRow[]
  /** The index of the call at the playhead. */
  readonly at: number
  readonly onMove: (at: number) => void
  /** Ids of calls to point out. */
  readonly marked?: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

export function Timeline({ calls, at, onMove, marked = NONE }: TimelineProps) {
  const last = calls.length - 1
  const move = (to: number) => onMove(Math.min(last, Math.max(0, to)))
  const toMiss = (step: 1 | -1) => {
    // From the last one on to the first.
    const found = nextMiss(calls, at, step) ?? nextMiss(calls, step > 0 ? -1 : calls.length, step)
    if (found !== undefined) move(found)
  }
  const play = usePlay({ calls, at, move })
  useKeys([
    { key: "ArrowLeft", does: "previous call", run: () => move(at - 1) },
    { key: "ArrowRight", does: "next call", run: () => move(at + 1) },
    { key: " ", does: "play the calls, or stop", run: play.toggle },
    { key: "m", does: "next cache miss", run: () => toMiss(1) },
    { key: "M", does: "previous cache miss", run: () => toMiss(-1) },
  ])
  const misses = calls.filter(({ miss }) => miss !== null).length
  return (
    <section class="timeline" aria-label="Calls">
      <div class="timeline-row">
        <button
          type="button"
          class="plain"
          aria-label="Previous call"
          disabled={at === 0}
          onClick={() => move(at - 1)}
        >
          <Arrow isBack />
        </button>
        <Bars {...{ calls, at, move, marked }} />
        <button
          type="button"
          class="plain"
          aria-label="Next call"
          disabled={at === last}
          onClick={() => move(at + 1)}
        >
          <Arrow />
        </button>
      </div>
      <div class="timeline-foot">
        <p>
          {isCompiled() ? "version" : "call"} {count(at + 1)} of {count(calls.length)}
          <span class="quiet"> · {moment(calls[at]?.at ?? 0)}</span>
        </p>
        <div class="timeline-buttons">
          <button type="button" class="plain" onClick={play.toggle} disabled={calls.length < 2}>
            {play.isOn ? "Stop" : "Play"} <kbd>Space</kbd>
          </button>
          {misses > 0 && (
            <button type="button" class="plain" onClick={() => toMiss(1)}>
              Next miss <kbd>m</kbd>
            </button>
          )}
        </div>
        {misses > 0 && <MissNote calls={calls} at={at} />}
      </div>
    </section>
  )
}

function Arrow({ isBack = false }: { readonly isBack?: boolean }) {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={isBack ? "M11 2 4 8l7 6z" : "M5 2l7 6-7 6z"} fill="currentColor" />
    </svg>
  )
}

interface BarsProps {
  readonly calls: readonly CallRow[]
  readonly at: number
  readonly move: (at: number) => void
  readonly marked: ReadonlySet<string>
}

function Bars({ calls, at, move, marked }: BarsProps) {
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const { width } = useSize(box)
  const layout = layoutOf(calls, width)
  const offset = useRef(0)
  offset.current = offsetFor(layout, at, offset.current)
  const scheme = useScheme()
  const height = heightOf(layout)
  useLayoutEffect(() => {
    // Nothing is seen of it, such as while the page is left.
    if (width === 0) return undefined
    const frame = requestAnimationFrame(() => {
      const context = canvas.current && sized(canvas.current, { width, height })
      if (context)
        drawTimeline(context, {
          calls,
          layout,
          at,
          offset: offset.current,
          marked,
          colours: coloursOf(context.canvas),
        })
    })
    return () => cancelAnimationFrame(frame)
  }, [calls, at, width, height, marked, scheme])
  const isMarked = marked.has(calls[at]?.id ?? "")
  const drag = useDrag({ calls, at, move, layout, offset })
  const last = calls.length - 1
  const onKey = (event: KeyboardEvent) => {
    const to: Readonly<Record<string, number>> = {
      ...{ ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1 },
      ...{ PageDown: at - 10, PageUp: at + 10, Home: 0, End: last },
    }
    const target = to[event.key]
    if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    move(target)
  }
  return (
    <div ref={box} class="timeline-box" style={{ height: `${height}px` }}>
      <canvas ref={canvas} />
      <div
        class="timeline-slider"
        role="slider"
        tabIndex={0}
        aria-label="Call"
        aria-valuemin={1}
        aria-valuemax={calls.length}
        aria-valuenow={at + 1}
        aria-valuetext={`${callInWords(calls, at)}${isMarked ? ", pointed out" : ""}`}
        onKeyDown={onKey}
        {...drag}
      />
    </div>
  )
}

interface DragOptions extends Omit<BarsProps, "marked"> {
  readonly layout: ReturnType<typeof layoutOf>
  readonly offset: { readonly current: number }
}

/** Pressing moves the playhead there at once; from then on it follows the pointer, and stops at misses. */
function useDrag({ calls, at, move, layout, offset }: DragOptions) {
  const drag = useRef<Drag | undefined>(undefined)
  const isInPicture = useRef(false)
  const target = ({ offsetX }: PointerEvent) =>
    isInPicture.current ? callInPicture(layout, offsetX) : callAt(layout, offsetX, offset.current)
  return {
    onPointerDown(event: PointerEvent) {
      if (event.button !== 0 || !(event.currentTarget instanceof HTMLElement)) return
      event.currentTarget.setPointerCapture(event.pointerId)
      isInPicture.current = layout.isLong && event.offsetY > PICTURE_TOP
      const to = target(event)
      drag.current = { at: to, stuck: undefined }
      move(to)
    },
    onPointerMove(event: PointerEvent) {
      if (drag.current === undefined) return
      const to = { at: target(event), x: event.offsetX }
      const next = isInPicture.current ? { at: to.at, stuck: undefined } : dragTo(calls, drag.current, to)
      drag.current = next
      if (next.at !== at) move(next.at)
    },
    onPointerUp: () => (drag.current = undefined),
    onPointerCancel: () => (drag.current = undefined),
  }
}

/** Changes when the colours do. */
function useScheme(): string {
  const [isDark, setDark] = useState(() => matchMedia(DARK).matches)
  useEffect(() => {
    const query = matchMedia(DARK)
    const onChange = () => setDark(query.matches)
    query.addEventListener("change", onChange)
    return () => query.removeEventListener("change", onChange)
  }, [])
  return `${theme.value} ${isDark}`
}

const DARK = "(prefers-color-scheme: dark)"

function sized(
  canvas: HTMLCanvasElement,
  { width, height }: { readonly width: number; readonly height: number },
): CanvasRenderingContext2D | null {
  const scale = devicePixelRatio
  const [wide, high] = [Math.round(width * scale), Math.round(height * scale)]
  if (canvas.width !== wide) canvas.width = wide
  if (canvas.height !== high) canvas.height = high
  const context = canvas.getContext("2d")
  context?.setTransform(scale, 0, 0, scale, 0, 0)
  return context
}

/** A custom property has no computed colour, so the style sheet puts each colour where it has one. */
function coloursOf(canvas: HTMLCanvasElement): TimelineColours {
  const style = getComputedStyle(canvas)
  return {
    bar: style.color,
    paper: style.backgroundColor,
    here: style.borderTopColor,
    ink: style.borderRightColor,
    quiet: style.borderBottomColor,
    loss: style.borderLeftColor,
    bad: style.outlineColor,
  }
}
