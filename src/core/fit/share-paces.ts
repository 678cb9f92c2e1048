// Fits the head. A fixed part of it belongs to the session, so stable text is cut independently of the session and
// keeps its bytes from one session to the next. The two are fitted together only if the head would otherwise exceed its
// budget, or if less needed stable text would push session text out.
import type { Pace } from "../../base/pace.ts"
import { PRIORITIES, type Priority } from "../model/priority.ts"
import type { Kit, Measured } from "../write/measure.ts"
import type { Shares } from "./fit.ts"
import { type Fitted, type FittedSections, fitSections, formWithin } from "./fit-sections.ts"

/** The session's part of the head. Stable text may use it only for text that would otherwise be dropped. */
const SESSION_SHARE = 0.25

export interface PacesOptions {
  readonly limit: number
  readonly shares: Shares
  /** Whether the profile has any session text. Without it, stable text may take the whole head. */
  readonly hasSession: boolean
  readonly kit: Kit
}

export function fitPaces(
  sections: readonly Measured[],
  { limit, shares, hasSession, kit }: PacesOptions,
): FittedSections {
  const ofPace = (pace: Pace) => sections.filter(({ section }) => section.pace === pace)
  const [slow, fast] = [ofPace("stable"), ofPace("session")]
  const share = hasSession ? Math.floor(limit * SESSION_SHARE) : 0
  const stable = fitSections(slow, { limit: limit - share, shares, how: { extra: share }, kit })
  const session = fitSections(fast, { limit: Math.max(0, limit - stable.used), shares, kit })
  const fitted = [...stable.sections, ...session.sections]
  const used = stable.used + session.used
  const isFair =
    stable.used > limit - share ? isWhole(session) : nothingCrowdedOut(fitted, { free: limit - used, kit })
  return used <= limit && isFair
    ? { sections: fitted, used, requiredTokens: undefined }
    : fitSections([...slow, ...fast], { limit, shares, kit })
}

function isWhole({ sections }: FittedSections): boolean {
  return sections.every(({ outcome }) => outcome.kind !== "dropped" && outcome.kind !== "truncated")
}

/** True if no text was dropped for which less needed text could make room. */
function nothingCrowdedOut(
  fitted: readonly Fitted[],
  { free, kit }: { readonly free: number; readonly kit: Kit },
): boolean {
  return fitted.every(({ measured, outcome }) => {
    if (outcome.kind !== "dropped") return true
    const less = lessNeeded(fitted, measured.section.priority)
    return formWithin(measured, { limit: free + less, kit }) === undefined
  })
}

function lessNeeded(fitted: readonly Fitted[], than: Priority): number {
  return fitted.reduce((sum, { measured, written }) => {
    const isLess = PRIORITIES.indexOf(measured.section.priority) > PRIORITIES.indexOf(than)
    return sum + (isLess ? (written?.tokens ?? 0) : 0)
  }, 0)
}
