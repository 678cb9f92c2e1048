// What became of a section, as a sign and a word, and the reason in a sentence.
import type { Outcome } from "../../../src/core/model/plan.ts"
import { unusedText } from "../../../src/core/read/unused-text.ts"
import { count } from "../../parts/figures.ts"

const SIGNS: Readonly<Record<Outcome["kind"], readonly [sign: string, word: string]>> = {
  included: ["●", "sent"],
  truncated: ["✂", "truncated"],
  unchanged: ["=", "sent before"],
  ended: ["◌", "ended"],
  withheld: ["⊘", "withheld"],
  dropped: ["↧", "dropped"],
  unused: ["○", "not used"],
}

export function outcomeSign(outcome: Outcome): string {
  return SIGNS[outcome.kind][0]
}

export function outcomeWord(outcome: Outcome): string {
  return SIGNS[outcome.kind][1]
}

/** Undefined for text that is simply sent. */
export function outcomeReason(outcome: Outcome): string | undefined {
  switch (outcome.kind) {
    case "truncated":
      return `Cut from ${count(outcome.from)} to ${count(outcome.to)} tokens to fit.`
    case "withheld":
      return `Needs ${outcome.needs} trust, and this audience has ${outcome.has}.`
    case "dropped":
      return `Did not fit: ${count(outcome.overBy)} tokens too many.`
    case "unused":
      return unusedText(outcome.why)
    default:
      return undefined
  }
}
