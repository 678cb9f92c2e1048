// Who asks, and what they may see of the record: the owner, at full trust in a direct conversation, sees all; anybody
// else what happened in their own session. Also how they name a time.
import type { Counter } from "../core/counter.ts"
import { parseDuration } from "../core/duration.ts"
import type { Trust } from "../core/trust.ts"
import type { Memory } from "../memory/memory.ts"
import type { Recorder } from "../record/record.ts"
import type { Scope } from "../record/scope.ts"
import type { Sight } from "../record/seen.ts"
import { localDay, startOfDay } from "../record/zone.ts"

/** The session in which a tool is called. `trust` is the effective one. */
export interface Asker {
  readonly session: string
  readonly user?: string
  readonly trust: Trust
  readonly situation: string
}

/** What a tool may use, besides its input. */
export interface ToolContext extends Asker {
  readonly record: Pick<Recorder, "read" | "flush" | "health">
  readonly now: () => number
  /** An IANA name; times are told in it. */
  readonly timeZone: string
  readonly counter: Counter
  /** The most that an answer may take. */
  readonly mostTokens?: number
  /** Where tools that act say what they did. */
  readonly scope?: Pick<Scope, "event">
  /** Asked with the asker's trust, always. */
  readonly memory?: Memory
  /** Explains from what this session was told. */
  readonly explain?: (what: string) => readonly string[]
}

export function sightOf({ session, user, trust, situation }: Asker): Sight | undefined {
  return trust === "full" && situation === "dm" ? undefined : { session, user, trust }
}

const DAY_MS = 86_400_000

/** `1h`, `today`, `yesterday`, `2026-11-15` or an instant; days begin where the asker is. Nothing if it is none. */
export function timeOf(
  text: string,
  { now, timeZone }: Pick<ToolContext, "now" | "timeZone">,
): number | undefined {
  const word = text.trim().toLowerCase()
  const length = parseDuration(word)
  if (length !== undefined) return now() - length
  const today = localDay(now(), timeZone)
  if (word === "today") return startOfDay(today, timeZone)
  // By the name of the day: the one before may be longer or shorter.
  if (word === "yesterday") return startOfDay(dayBefore(today), timeZone)
  const day = startOfDay(word, timeZone)
  const instant = /^\d{4}-\d{2}-\d{2}t/.test(word) ? Date.parse(word.toUpperCase()) : Number.NaN
  return day ?? (Number.isNaN(instant) ? undefined : instant)
}

function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10)
}
