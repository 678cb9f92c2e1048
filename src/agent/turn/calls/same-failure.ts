// Detects a model that repeats the same call and gets the same failure each time. It counts in the transcript, so a
// turn resumed after a crash keeps its count.
import { canonicalJson } from "../../../base/digest.ts"
import type { Message } from "../../../core/model/message.ts"
import type { StoredItem } from "../../../database/contract/transcripts.ts"

export interface SameFailure {
  /** Names of the tools. */
  readonly tools: readonly string[]
  readonly times: number
}

/** A failure may be temporary, so a few repeats are not a loop yet. */
const MOST_TIMES = 5
/** The output limit is not temporary, and each try is as long as an answer can be. */
const MOST_CUT = 3

/** Returns undefined if the turn may take another step. */
export function sameFailure(items: readonly StoredItem[], turn: string): SameFailure | undefined {
  const messages = items.flatMap((one) =>
    one.turn === turn && one.item.kind === "message" ? [one.item.message] : [],
  )
  const newest = stepBefore(messages, messages.length)
  if (newest === undefined) return undefined
  let times = 1
  while (stepBefore(messages, messages.length - 2 * times)?.key === newest.key) times += 1
  const most = newest.isCut ? MOST_CUT : MOST_TIMES
  return times < most ? undefined : { tools: newest.tools, times }
}

interface FailedStep {
  readonly key: string
  readonly tools: readonly string[]
  readonly isCut: boolean
}

/** The step whose results are right before `end`, if all of it failed. */
function stepBefore(messages: readonly Message[], end: number): FailedStep | undefined {
  const [answer, next] = [messages[end - 2], messages[end - 1]]
  if (answer?.role !== "assistant" || next?.role !== "user") return undefined
  const calls = answer.parts.filter((part) => part.kind === "tool-call")
  const results = next.parts.filter((part) => part.kind === "tool-result")
  if (calls.length === 0 || !results.every(({ isError }) => isError)) return undefined
  const tried = calls.map(({ name, input, unread }) => [name, unread === "cut" ? unread : input])
  return {
    key: canonicalJson([tried, results.map(({ text }) => text)]),
    tools: [...new Set(calls.map(({ name }) => name))],
    isCut: calls.every(({ unread }) => unread === "cut"),
  }
}
