// Fits the head. A fixed part of it belongs to the session, so stable text is cut independently of the session and
// keeps its bytes from one session to the next. The two are fitted together only if the head would otherwise exceed its
// budget, or if less needed stable text would push session text out.
import type { Pace } from "../../base/pace.ts"
import {
  type Candidate,
  type FitResult,
  fitCandidates,
  formWithin,
  type Kit,
  type Result,
} from "../compile/candidate.ts"
import { PRIORITIES, type Priority } from "../model/priority.ts"
import type { Shares } from "./fit.ts"

/** The session's part of the head. Stable text may use it only for text that would otherwise be dropped. */
const SESSION_SHARE = 0.25

export interface PacesOptions {
  readonly limit: number
  readonly shares: Shares
  /** Whether the profile has any session text. Without it, stable text may take the whole head. */
  readonly hasSession: boolean
}

export function fitPaces(
  candidates: readonly Candidate[],
  { limit, shares, hasSession }: PacesOptions,
  kit: Kit,
): FitResult {
  const ofPace = (pace: Pace) => candidates.filter(({ edited }) => edited.section.pace === pace)
  const [slow, fast] = [ofPace("stable"), ofPace("session")]
  const share = hasSession ? Math.floor(limit * SESSION_SHARE) : 0
  const stable = fitCandidates(slow, { limit: limit - share, shares, how: { extra: share } }, kit)
  const session = fitCandidates(fast, { limit: Math.max(0, limit - stable.used), shares }, kit)
  const results = [...stable.results, ...session.results]
  const used = stable.used + session.used
  const isFair = stable.used > limit - share ? isWhole(session) : nothingGaveWay(results, limit - used, kit)
  return used <= limit && isFair
    ? { results, used, requiredTokens: undefined }
    : fitCandidates([...slow, ...fast], { limit, shares }, kit)
}

function isWhole({ results }: FitResult): boolean {
  return results.every(({ outcome }) => outcome.kind !== "dropped" && outcome.kind !== "truncated")
}

/** True if no text was dropped for which less needed text could make room. */
function nothingGaveWay(results: readonly Result[], free: number, kit: Kit): boolean {
  return results.every(({ candidate, outcome }) => {
    if (outcome.kind !== "dropped") return true
    const less = lessNeeded(results, candidate.edited.section.priority)
    return formWithin(candidate, free + less, kit) === undefined
  })
}

function lessNeeded(results: readonly Result[], than: Priority): number {
  return results.reduce((sum, { candidate, written }) => {
    const isLess = PRIORITIES.indexOf(candidate.edited.section.priority) > PRIORITIES.indexOf(than)
    return sum + (isLess ? (written?.tokens ?? 0) : 0)
  }, 0)
}
