// One session: its timeline, and the call at the playhead with its blocks, its sections and their text.

import { useEffect, useMemo, useRef } from "preact/hooks"
import type { CallDetail, CallRow, Carried } from "../../../src/serve/page/shown.ts"
import { ask } from "../../data/ask.ts"
import { readAhead, useCallDetail } from "../../data/call-details.ts"
import { currentSource, isCompiled } from "../../data/calls.ts"
import { type Loaded, useLoaded } from "../../data/load.ts"
import { BlockBar } from "../../parts/block-bar.tsx"
import { Loading, Problem } from "../../parts/notice.tsx"
import type { CallsProps } from "../../parts/session-calls.tsx"
import { Timeline } from "../../parts/timeline/timeline.tsx"
import { ADDRESS_MS, usePlayhead } from "../../parts/timeline/use-playhead.ts"
import { go, place } from "../../shell/place.ts"
import { CallPanes } from "./call-panes.tsx"
import { FiguresLine } from "./figures-line.tsx"
import type { FileLine } from "./text-pane.tsx"
import { useRested } from "./use-rested.ts"

/** While one drags, calls pass faster than they can be loaded. */
const PASSING_MS = 30
const REST_MS = 100

export function CallView({ session, calls }: CallsProps) {
  const [at, move] = usePlayhead(calls)
  const loaded = useCallDetail(useRested(calls[at], PASSING_MS))
  useReadAhead(calls, at)
  const named = place.value.line
  const line = useMemo(() => lineIn(named), [named])
  const carried = useCarried(line, session)
  const marked = useMemo(
    () => new Set(line === undefined || !carried.isCurrent ? [] : carried.value?.ids),
    [line === undefined, carried.value, carried.isCurrent],
  )
  const detail = loaded.value
  return (
    <>
      <FiguresLine calls={calls} at={at} detail={loaded.isCurrent ? detail : undefined} />
      {!(isCompiled() && calls.length === 1) && <Timeline {...{ calls, at, marked }} onMove={move} />}
      {loaded.problem !== undefined ? (
        <Problem text={loaded.problem} onRetry={loaded.reload} />
      ) : detail === undefined ? (
        <Loading what="the call" />
      ) : (
        <Shown {...{ detail, calls, line, carried }} isCurrent={detail.call.id === calls[at]?.id} />
      )}
    </>
  )
}

interface ShownProps {
  readonly detail: CallDetail
  readonly calls: readonly CallRow[]
  readonly line: FileLine | undefined
  readonly carried: Loaded<Carried>
  /** The call before stays on the screen while this one loads. */
  readonly isCurrent: boolean
}

/** The bar moves with the playhead; a megabyte of text follows when it rests. */
function Shown({ isCurrent, detail, calls, line, carried }: ShownProps) {
  const { section, block } = place.value
  const rested = useRested(detail, REST_MS)
  const at = calls.findIndex(({ id }) => id === rested.call.id)
  // The same element is not drawn again.
  const panes = useMemo(
    () => <CallPanes {...{ calls, at, line, carried }} detail={rested} />,
    [rested, calls, at, line, carried.value, carried.isCurrent, carried.problem],
  )
  return (
    <div class="call" aria-busy={!isCurrent || rested !== detail}>
      <BlockBar
        parts={detail.parts}
        chosen={section === undefined ? block : undefined}
        onChoose={(key) =>
          go({ block: key === block && section === undefined ? null : key, section: null, line: null })
        }
      />
      {panes}
    </div>
  )
}

/** The neighbours, once the playhead rests. */
function useReadAhead(calls: readonly CallRow[], at: number): void {
  const newest = useRef(calls)
  newest.current = calls
  useEffect(() => {
    const timer = setTimeout(() => {
      readAhead([at + 1, at - 1].flatMap((index) => newest.current[index] ?? []))
    }, ADDRESS_MS)
    return () => clearTimeout(timer)
  }, [at])
}

function useCarried(line: FileLine | undefined, session: string): Loaded<Carried> {
  const source = currentSource()
  const key = useRested(line && JSON.stringify([source, session, line.path, line.line]), ADDRESS_MS)
  return useLoaded(line && key, (signal) =>
    ask<Carried>("/api/carried", { signal, query: { source, session, path: line?.path, from: line?.line } }),
  )
}

/** Such as "SOUL.md:3"; a path may have colons too. */
function lineIn(text: string | undefined): FileLine | undefined {
  const at = text?.lastIndexOf(":") ?? -1
  const line = Number(text?.slice(at + 1))
  return text === undefined || at < 1 || !Number.isInteger(line) || line < 1
    ? undefined
    : { path: text.slice(0, at), line }
}
