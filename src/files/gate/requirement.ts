// What a file requires of whoever wants to see it. Several requirements of one file are joined to the strictest.
import { atLeast, mostOf, type Trust } from "../../base/trust.ts"
import type { Audience, Mode } from "../../core/model/scope.ts"

export interface Requirement {
  /** `never`: nobody opens it as a file. Absent: what such a file usually needs. */
  readonly trust?: Trust | "never"
  /** Only in these situations; everywhere if absent. */
  readonly situations?: readonly string[]
  /** Only in these modes; in every mode if absent. */
  readonly modes?: readonly Mode[]
  /** It stands in a place of its own or holds secrets: it is no project context, and nothing imports it. */
  readonly isClosed?: boolean
}

/** Situations in which nobody else is there. */
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
 * `usual`: what is needed where no trust is said. Full trust where nobody else listens reads what is for other
 * situations, too: otherwise the owner could not ask for a change of a group's rules.
 */
export function meets({ trust, situation, mode }: Audience, needs: Requirement, usual: Trust): boolean {
  const level = needs.trust ?? usual
  if (level === "never" || !atLeast(trust, level)) return false
  if (trust === "full" && ALONE.includes(situation)) return true
  return (needs.situations?.includes(situation) ?? true) && (needs.modes?.includes(mode) ?? true)
}

/** As one trust, for what is not kept by situation: whatever is for some situations alone is the owner's. */
export function asTrust(needs: Requirement | undefined): Trust {
  const { trust = "public", situations, modes } = needs ?? {}
  return trust === "never" || situations !== undefined || modes !== undefined ? "full" : trust
}
