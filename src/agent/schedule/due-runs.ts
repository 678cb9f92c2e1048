// Which runs of an entry are due now: the current one, and the missed ones that the entry asks for. Does not claim
// them.
import type { ConfiguredRun } from "../../sources/config/config-schema.ts"
import { dueBetween } from "../../sources/config/cron.ts"

export interface Entry {
  readonly id: string
  readonly source: "configured" | "written"
  readonly cron: string
  /** A file of the workspace, or the message itself. */
  readonly run: string
  readonly zone: string
  /** Which missed runs to make up for: the newest, none or all. */
  readonly missed: NonNullable<ConfiguredRun["missed"]>
}

/** A run that is due. */
export interface Firing {
  /** The entry's id. */
  readonly entry: string
  readonly due: number
  readonly run: string
  /** How many runs were skipped since the last one; counting stops at `MOST_COUNTED`. */
  readonly missed: number
}

/** Older runs are not made up for. */
const GRACE_MS = 24 * 3_600_000
/** A scheduler looks at least once a minute, so a run no older than this was not missed. */
const PUNCTUAL_MS = 2 * 60_000
export const MOST_COUNTED = 1_000

/** Oldest first. Runs up to `settled` have happened or were skipped. */
export function dueRuns(entry: Entry, settled: number, now: number): readonly Firing[] {
  const { id, cron, run, zone } = entry
  const after = Math.max(settled, now - GRACE_MS - 1)
  const recent = dueBetween(cron, zone, { after, until: now, most: Number.POSITIVE_INFINITY })
  const wanted = wantedOf(entry, recent, now)
  const first = wanted[0]
  if (first === undefined) return []
  const left = dueBetween(cron, zone, { after: settled, until: first - 1, most: MOST_COUNTED }).length
  return wanted.map((due) => ({ entry: id, due, run, missed: due === first ? left : 0 }))
}

function wantedOf({ missed }: Entry, recent: readonly number[], now: number): readonly number[] {
  if (missed === "all") return recent
  const newest = recent.slice(-1)
  return missed === "skip" ? newest.filter((due) => now - due <= PUNCTUAL_MS) : newest
}
