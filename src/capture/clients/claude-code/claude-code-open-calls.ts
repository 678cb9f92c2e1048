// Calls of a transcript whose rows may not all be written yet. Each row of an answer counts all of it so far, so the
// last one counts. A call is held until enough others have begun; the place to read on from never lies behind one that
// may still change.
import { inputOf, type Usage } from "../../../render/cache/price.ts"
import type { CalledUsage } from "../../call.ts"
import type { JsonRow } from "../json-rows.ts"
import type { Place } from "../reader.ts"
import type { AnswerRow } from "./claude-code-rows.ts"

export interface SettledCall<T> {
  readonly kind: "call"
  readonly call: T
  readonly after: Place
}

export interface OpenCalls<T extends CalledUsage> {
  /** `make` is asked once for each call, at its first row. Returns the oldest call if it has been open for long. */
  add(answer: AnswerRow, line: JsonRow, make: () => T): readonly SettledCall<T>[]
  /** At the end of the file: all that are open. */
  takeAll(): readonly SettledCall<T>[]
}

interface OpenCall<T> {
  readonly call: T
  /** Of its first row. */
  readonly start: Place
  /** Of its last one. */
  readonly end: Place
  readonly isFinal: boolean
}

/** Sub-agents that run at the same time may write into one file. So many answers are never under way at once. */
const MOST_OPEN = 32

export function createOpenCalls<T extends CalledUsage>(): OpenCalls<T> {
  const open = new Map<string, OpenCall<T>>()
  /** A conversation that goes on in another file is copied there, so the same call may come again much later. */
  const taken = new Map<string, number>()
  let end = 0
  const take = (oldest: OpenCall<T>): SettledCall<T> => {
    const { call } = oldest
    open.delete(call.id)
    taken.set(call.id, tokensOf(call.usage))
    end = Math.max(end, oldest.isFinal ? oldest.end : oldest.start)
    const unsettled = [...open.values()].map(({ start }) => start)
    return {
      kind: "call",
      call,
      after: Math.min(end, ...(oldest.isFinal ? [] : [oldest.start]), ...unsettled),
    }
  }
  return {
    add: (answer, line, make) => {
      const { called, isFinal } = answer
      const known = open.get(called.id)
      if (known !== undefined) open.set(called.id, later(known, answer, line))
      else if (tokensOf(called.usage) > (taken.get(called.id) ?? -1))
        open.set(called.id, { call: make(), start: line.start, end: line.end, isFinal })
      const [oldest] = open.size > MOST_OPEN ? open.values() : []
      return oldest === undefined ? [] : [take({ ...oldest, isFinal: true })]
    },
    takeAll: () => [...open.values()].map(take),
  }
}

function later<T extends CalledUsage>(
  known: OpenCall<T>,
  { called, isFinal }: AnswerRow,
  { end }: JsonRow,
): OpenCall<T> {
  const isMore = tokensOf(called.usage) > tokensOf(known.call.usage)
  return {
    call: isMore ? { ...known.call, ...called } : known.call,
    start: known.start,
    end,
    isFinal: known.isFinal || isFinal,
  }
}

function tokensOf(usage: Usage): number {
  return inputOf(usage) + usage.output
}
