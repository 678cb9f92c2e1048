// Outcomes of sections and tools that 0.1.0 stored, in the words of today. The store and the record both have them.
import type { Outcome } from "../core/model/plan.ts"

const OUTCOMES: Readonly<Record<string, string>> = {
  kept: "included",
  cut: "truncated",
  told: "unchanged",
  absent: "unused",
}

/** An outcome in the words of 0.1.0 or of today. */
export function outcomeFrom(outcome: { readonly kind: string }): Outcome {
  // The other fields of an outcome kept their names.
  return { ...outcome, kind: OUTCOMES[outcome.kind] ?? outcome.kind } as Outcome
}
