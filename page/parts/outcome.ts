// What became of a section, in a sign, a word and a reason: the same in every view.
import { plural } from "../../src/base/text/figures.ts"
import type { Outcome } from "../../src/core/model/plan.ts"
import { unusedText } from "../../src/core/read/unused-text.ts"
import { count } from "./figures.ts"
import type { SignName } from "./signs.ts"
import { visibleName } from "./visible-text.ts"

export interface ShownOutcome {
  readonly sign: SignName
  readonly word: string
  readonly reason: string | undefined
}

export function outcomeOf(outcome: Outcome): ShownOutcome {
  const { kind } = outcome
  return { sign: kind, word: kind === "unused" ? "not used" : kind, reason: reasonOf(outcome) }
}

function reasonOf(outcome: Outcome): string | undefined {
  switch (outcome.kind) {
    case "truncated":
      return `${count(outcome.from)} to ${count(outcome.to)} tokens, by ${outcome.how}`
    case "unchanged":
      return "sent earlier, and the same since"
    case "ended":
      return "sent earlier; one line says that it no longer holds"
    case "withheld":
      return `needs ${outcome.needs} trust, has ${outcome.has}`
    case "dropped":
      return `${plural(outcome.overBy, "token")} more than was left`
    case "unused":
      return unusedWords(outcome.why)
    default:
      return undefined
  }
}

/** A saved report may be of another version, or edited: then its reason has another kind, or lacks a part. */
function unusedWords(why: Extract<Outcome, { readonly kind: "unused" }>["why"]): string {
  const kind = visibleName(why.kind.replaceAll("-", " "))
  try {
    const text: string | undefined = unusedText(why)
    return text === undefined ? kind : visibleName(text)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return kind
  }
}
