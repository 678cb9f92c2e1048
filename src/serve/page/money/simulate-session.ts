// Simulates the calls of one session, wherever they were recorded, as far as they are known and there is time.
import { plural, thousands } from "../../../base/text/figures.ts"
import { OFFLINE_CALLS, simulatedModel } from "../../../record/prices/offline-calls.ts"
import type { Call } from "../../../render/cache/call.ts"
import type { Simulated } from "../shown.ts"
import { simulatedWays, type WaysOptions } from "./simulated-ways.ts"

/** More take longer than people wait. */
export const MOST_SIMULATED = 400
const MOST_MS = 5_000
/** Of it, so much for reading the calls. */
const MOST_READING_MS = 2_500

/** A call that could be simulated. */
export interface KnownCall {
  readonly call: Call
  readonly costUsd: number | null
  /** The offline model answered: the call was free. */
  readonly isFree: boolean
}

/** What was read of a session, newest calls only if there are too many. */
export interface SessionCalls extends Pick<WaysOptions, "termsFor" | "models"> {
  readonly session: string
  /** The calls of the session that were answered. */
  readonly answered: number
  /** In the order of time. Those of which only a part is known are undefined. */
  readonly calls: AsyncIterable<KnownCall | undefined>
}

export async function simulateSession(asked: SessionCalls): Promise<Simulated> {
  const { session, answered, termsFor, models } = asked
  const start = performance.now()
  const { known, unknown } = await readCalls(asked.calls, start + MOST_READING_MS)
  const first = known[0]
  const nothing = { session, calls: 0, ways: [], recordedUsd: null, notes: [] }
  if (first === undefined) return { ...nothing, why: whyNothing(answered, unknown) }
  const calls = known.map(({ call }) => ({ ...call, at: call.at - first.call.at }))
  const sent = modelOf(known)
  const model = simulatedModel(sent) ?? sent
  const { ways, leftOut } = await simulatedWays({
    ...{ calls, model, termsFor, models },
    hasTime: () => performance.now() - start < MOST_MS,
  })
  const notes = [
    ...leftOutNotes({ answered, known: known.length, unknown }),
    ...(leftOut.length === 0 ? [] : [`There was no time for: ${leftOut.join(", ")}.`]),
    ...(known.some(({ isFree }) => isFree) ? [OFFLINE_CALLS] : []),
  ]
  return { session, calls: calls.length, ways, recordedUsd: recorded(known), why: null, notes }
}

async function readCalls(calls: SessionCalls["calls"], until: number) {
  const known: KnownCall[] = []
  let unknown = 0
  for await (const call of calls) {
    if (call === undefined) unknown += 1
    else known.push(call)
    if (known.length >= MOST_SIMULATED || performance.now() > until) break
  }
  return { known, unknown }
}

/** The one of most calls. */
function modelOf(known: readonly KnownCall[]): string {
  const byModel = Map.groupBy(known, ({ call }) => call.settings?.model ?? "")
  const [most] = [...byModel].toSorted(([, one], [, other]) => other.length - one.length)
  return most?.[0] ?? ""
}

function recorded(known: readonly KnownCall[]): number | null {
  if (known.some(({ costUsd, isFree }) => costUsd === null || isFree)) return null
  return known.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0)
}

function whyNothing(answered: number, unknown: number): string {
  if (answered === 0) return "No call of this session was answered, so there is nothing to simulate."
  return unknown === 1
    ? "Only a part of what this call sent is known, so nothing can be simulated."
    : "Only a part of what these calls sent is known, so nothing can be simulated."
}

interface Counts {
  readonly answered: number
  readonly known: number
  readonly unknown: number
}

function leftOutNotes({ answered, known, unknown }: Counts): readonly string[] {
  const late = answered - known - unknown
  return [
    ...(unknown === 0 ? [] : [`${plural(unknown, "call")} left out: only a part of what was sent is known.`]),
    ...(late > 0
      ? [`Simulated ${thousands(known)} of ${plural(answered, "call")}: more would take too long.`]
      : []),
  ]
}
