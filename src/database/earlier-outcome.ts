// Outcomes of sections and tools that earlier versions stored, in the form of today: 0.1.0 had other words, and reasons
// were sentences. The store and the record both have them.
import type { Outcome } from "../core/model/plan.ts"

const OUTCOMES: Readonly<Record<string, string>> = {
  kept: "included",
  cut: "truncated",
  told: "unchanged",
  absent: "unused",
}

/** An outcome in the form of an earlier version or of today. */
export function outcomeFrom(outcome: { readonly kind: string }): Outcome {
  const kind = OUTCOMES[outcome.kind] ?? outcome.kind
  if (kind === "unused" && "why" in outcome && typeof outcome.why === "string")
    return { kind, why: { kind: "stored", text: outcome.why } }
  // The other fields of an outcome kept their names.
  return { ...outcome, kind } as Outcome
}
