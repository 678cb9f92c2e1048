// The limits that a call is checked against: as configured, for who pays for the call, in the day of the agent's zone.
import { isTimeZone, shownAt } from "../../base/clock-face.ts"
import type { SpendingLimit } from "../../database/contract/serve/spending.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import {
  amountOf,
  SPENDING_SCOPES,
  type SpendingConfig,
  type SpendingScope,
} from "../../sources/config/spending-schema.ts"

/** Whose call it is. A part of the work that was delegated is paid for by the turn that delegated it. */
export interface Payer {
  readonly agent: string
  /** The person, wherever they write. */
  readonly who: string
  readonly turn: string
}

export interface ScopedLimit extends SpendingLimit {
  readonly scope: SpendingScope
  /** Undefined for a turn. */
  readonly resetsAt: number | undefined
}

/** The time in the zone where days begin. */
export interface Now {
  readonly at: number
  readonly zone: string
}

/** The configured zone, else the machine's. */
export function spendingZone({ environment }: Pick<Config, "environment">, machine: string): string {
  const zone = environment?.timezone
  return isTimeZone(zone) ? zone : machine
}

/** `only`: an agent whose calls alone count. */
export function limitsFor(
  spending: SpendingConfig | undefined,
  payer: Payer,
  now: Now,
  only: { readonly agent?: string } = {},
): readonly ScopedLimit[] {
  if (spending === undefined) return []
  const { since, until } = dayOf(now)
  const day = { withinMs: now.at - since, resetsAt: until }
  const filters = {
    turn: { turn: payer.turn, resetsAt: undefined },
    day,
    person_day: { ...day, who: payer.who },
  }
  return SPENDING_SCOPES.flatMap((scope) =>
    [spending[scope] ?? []].flat().map((value) => {
      const { usd: mostUsd, tokens: mostTokens } = amountOf(value) ?? {}
      return { scope, ...only, ...filters[scope], mostUsd, mostTokens }
    }),
  )
}

const DAY_MS = 86_400_000

/** From midnight to midnight, which is not always 24 hours. */
export function dayOf({ at, zone }: Now): { readonly since: number; readonly until: number } {
  const shown = shownAt(at, zone)
  const midnight = shown - (((shown % DAY_MS) + DAY_MS) % DAY_MS)
  return { since: momentOf(midnight, zone, at), until: momentOf(midnight + DAY_MS, zone, at) }
}

/** When the clock in the zone shows what a UTC clock shows at `shown`. */
function momentOf(shown: number, zone: string, near: number): number {
  let at = shown - (shownAt(near, zone) - near)
  // The offset may be another one there.
  at = shown - (shownAt(at, zone) - at)
  return at
}
