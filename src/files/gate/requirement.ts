// What a file requires of its audience. Several requirements on one file combine to the strictest.
import { atLeast, mostOf, type Trust } from "../../base/trust.ts"
import type { Audience } from "../../core/model/inputs.ts"
import type { Mode } from "../../core/model/mode.ts"

export interface Requirement {
  /** `never`: no audience may open it as a file. Absent: the usual trust for such a file. */
  readonly trust?: Trust | "never"
  /** Only in these situations; everywhere if absent. */
  readonly situations?: readonly string[]
  /** Only in these modes; in every mode if absent. */
  readonly modes?: readonly Mode[]
  /** The file is in a closed place or holds secrets, so it is not project context and cannot be imported. */
  readonly isClosed?: boolean
}

/** Situations in which no one else is present. */
const ALONE: readonly string[] = ["dm", "system"]

export function strictest(requirements: readonly (Requirement | undefined)[]): Requirement | undefined {
  return requirements.reduce(
    (a, b) => (a === undefined || b === undefined ? (a ?? b) : both(a, b)),
    undefined,
  )
}

function both(a: Requirement, b: Requirement): Requirement {
  const situations = common(a.situations, b.situations)
  const modes = common(a.modes, b.modes)
  const trust = stricter(a.trust, b.trust)
  return {
    ...(trust && { trust }),
    ...(situations && { situations }),
    ...(modes && { modes }),
    ...((a.isClosed === true || b.isClosed === true) && { isClosed: true }),
  }
}

function stricter(a: Requirement["trust"], b: Requirement["trust"]): Requirement["trust"] {
  if (a === undefined || b === undefined) return a ?? b
  return a === "never" || b === "never" ? "never" : mostOf(a, b)
}

function common<T>(a: readonly T[] | undefined, b: readonly T[] | undefined): readonly T[] | undefined {
  return a === undefined || b === undefined ? (a ?? b) : a.filter((item) => b.includes(item))
}

/**
 * `usual` is the trust needed where the file sets none. Full trust in a private situation also reads files meant for
 * other situations; otherwise the owner could not ask to change a group's rules.
 */
export function meets({ trust, situation, mode }: Audience, needs: Requirement, usual: Trust): boolean {
  const level = needs.trust ?? usual
  if (level === "never" || !atLeast(trust, level)) return false
  if (trust === "full" && ALONE.includes(situation)) return true
  return (needs.situations?.includes(situation) ?? true) && (needs.modes?.includes(mode) ?? true)
}

/**
 * The requirement as a single trust level, for code that does not filter by situation. A file limited to some
 * situations needs full trust.
 */
export function asTrust(needs: Requirement | undefined): Trust {
  const { trust = "public", situations, modes } = needs ?? {}
  return trust === "never" || situations !== undefined || modes !== undefined ? "full" : trust
}
