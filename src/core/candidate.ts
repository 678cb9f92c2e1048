// From built sections to fitted ones: gate, write, fit. The head and the tail go through the same steps.
import { isSlot, type Part, type TextPart } from "./content.ts"
import type { Counter } from "./counter.ts"
import { type CutOptions, cutParts } from "./cut.ts"
import type { Edited } from "./edit.ts"
import { type Fittable, fit, type Shares } from "./fit.ts"
import { type Gated, gate } from "./gate.ts"
import { isFaster, type Pace } from "./pace.ts"
import type { Outcome } from "./plan.ts"
import type { Cut } from "./section.ts"
import type { View } from "./view.ts"
import type { Writable, WritePart, Writer, Written } from "./written.ts"

/** What the steps need besides their input. */
export interface Kit {
  readonly counter: Counter
  /** Remembers what it wrote last for each section. */
  readonly write: Writer
  /** Writes a form that is tried and may be thrown away. */
  readonly writeOnce: Writer
  /** A registered tool with which the model can fetch what a cut left out. */
  readonly reader: string | undefined
  /** Shortened forms of the last budget, by the text they were made from. */
  readonly shortened: WeakMap<Written, { readonly limit: number; readonly form: Form | undefined }>
}

/** A section that may be in the prompt. Without `whole` it is out, and `gated.out` says why. */
export interface Candidate {
  readonly edited: Edited
  readonly gated: Gated
  readonly whole: Written | undefined
  /** How it is written, if not as itself: an update to another section. */
  readonly writable: Writable
}

export interface Result {
  readonly candidate: Candidate
  readonly outcome: Outcome
  readonly written: Written | undefined
}

export interface FitResult {
  readonly results: readonly Result[]
  readonly used: number
  readonly requiredTokens: number | undefined
}

interface Form {
  readonly tokens: number
  readonly written: Written
  readonly how: Cut | "shorter" | undefined
}

const NOTHING: Outcome = { kind: "absent", why: "nothing to say" }

export function candidatesOf(sections: readonly Edited[], view: View, kit: Kit): readonly Candidate[] {
  const gated = sections.map(({ section }) => gate(section, view))
  const present = new Map<string, Pace>()
  for (const [at, { section }] of sections.entries()) {
    if (gated[at]?.content !== undefined) present.set(section.id, section.pace)
  }
  return sections.map((edited, at) =>
    candidateOf(edited, gated[at] ?? { hidden: [] }, edited.section, present, kit),
  )
}

export function candidateOf(
  edited: Edited,
  gated: Gated,
  writable: Writable,
  present: ReadonlyMap<string, Pace>,
  kit: Kit,
): Candidate {
  const parts = gated.content && resolveConditions(gated.content.parts, edited.section.pace, present)
  return { edited, gated, writable, whole: parts && kit.write(writable, parts) }
}

export function fitCandidates(
  candidates: readonly Candidate[],
  limit: number,
  shares: Shares,
  kit: Kit,
): FitResult {
  const inside = candidates.filter(({ whole }) => whole !== undefined)
  const fitted = fit(
    inside.map((candidate) => fittable(candidate, kit)),
    limit,
    shares,
  )
  const forms = new Map(inside.map((candidate, at) => [candidate, fitted.fits[at]]))
  const results = candidates.map((candidate): Result => {
    const found = forms.get(candidate)
    if (candidate.whole === undefined || found === undefined) {
      return { candidate, outcome: outOf(candidate), written: undefined }
    }
    const { form, overBy } = found
    if (form === undefined) return { candidate, outcome: { kind: "dropped", overBy }, written: undefined }
    return { candidate, outcome: outcomeOf(form, candidate.whole), written: form.written }
  })
  return { results, used: fitted.used, requiredTokens: fitted.requiredTokens }
}

export function outOf({ edited, gated }: Candidate): Outcome {
  if (edited.removed) return { kind: "absent", why: `removed by ${edited.by.at(-1)}` }
  return gated.out ?? NOTHING
}

function outcomeOf(form: Form, whole: Written): Outcome {
  if (form.how === undefined) return { kind: "kept" }
  return { kind: "cut", from: whole.tokens, to: form.tokens, how: form.how }
}

/** Drops text whose condition fails; text under a faster section's condition is as fast as that section. */
function resolveConditions(
  parts: readonly Part[],
  pace: Pace,
  present: ReadonlyMap<string, Pace>,
): readonly WritePart[] {
  if (parts.every(({ when }) => when === undefined)) return parts
  const kept: WritePart[] = []
  for (const part of parts) {
    const { when = [], ...bare } = part
    if (!when.every((id) => present.has(id))) continue
    const faster = when.find((id) => isFaster(present.get(id) ?? pace, pace))
    if (faster !== undefined) kept.push({ raise: present.get(faster) ?? pace, name: faster })
    kept.push(bare)
  }
  return kept
}

function fittable(candidate: Candidate, kit: Kit): Fittable<Form> {
  const whole = candidate.whole
  if (whole === undefined) throw new Error("only what was written can be fitted")
  const { need } = candidate.edited.section
  return {
    need,
    whole: { tokens: whole.tokens, written: whole, how: undefined },
    shorten: (limit) => remembered(candidate, whole, limit, kit),
  }
}

function remembered(candidate: Candidate, whole: Written, limit: number, kit: Kit): Form | undefined {
  const known = kit.shortened.get(whole)
  if (known?.limit === limit) return known.form
  const form = shorten(candidate, limit, kit)
  kit.shortened.set(whole, { limit, form })
  return form
}

/** The longest prepared form that fits; if none does, the last of them is cut. */
function shorten({ edited, gated, writable }: Candidate, limit: number, kit: Kit): Form | undefined {
  const forms = gated.content?.shorter ?? []
  for (const { parts } of forms) {
    const written = kit.writeOnce(writable, parts)
    if (written !== undefined && written.tokens <= limit)
      return { tokens: written.tokens, written, how: "shorter" }
  }
  const parts = forms.at(-1)?.parts ?? gated.content?.parts ?? []
  if (parts.some(isSlot)) return undefined
  const { cut } = edited.section
  const options: CutOptions = {
    limit,
    counter: kit.counter,
    reader: kit.reader,
    write: (kept) => kit.writeOnce(writable, kept),
  }
  const written = cutParts(
    parts.filter((part): part is TextPart => !isSlot(part)),
    cut,
    options,
  )
  return written && { tokens: written.tokens, written, how: cut }
}
