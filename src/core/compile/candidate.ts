// From built sections to fitted ones: gate, write, fit. The head and the tail go through the same steps.
import { isFaster, type Pace } from "../../base/pace.ts"
import { longestWithin } from "../fit/distribute.ts"
import { type FitOptions, fit, type Shares } from "../fit/fit.ts"
import type { Fittable } from "../fit/fittable.ts"
import { fitTiers } from "../fit/tiers.ts"
import { type Content, isSlot, type Part, type TextPart } from "../model/content.ts"
import type { Counter } from "../model/counter.ts"
import type { Edited } from "../model/edit.ts"
import type { Outcome } from "../model/plan.ts"
import type { CutMarker } from "../model/profile.ts"
import type { Cut } from "../model/section.ts"
import { type Gated, gate } from "../view/gate.ts"
import { type Reader, sameReader } from "../view/reader.ts"
import type { View } from "../view/view.ts"
import { cutParts } from "../write/cut.ts"
import type { CutOptions } from "../write/cut-options.ts"
import {
  type Signed,
  sameParts,
  type Writable,
  type WritePart,
  type Writer,
  type Written,
} from "../write/write.ts"

/** What every step needs in addition to its input. */
export interface Kit {
  readonly counter: Counter
  /** Caches the last text it wrote for each section. */
  readonly write: (section: Writable, parts: readonly WritePart[]) => Signed | undefined
  /** Writes a form that is only tried and may be discarded. */
  readonly writeOnce: Writer
  /** The tokens of the tail's frame. */
  readonly frame: number
  /** How the model can read what a cut left out. */
  readonly reader: Reader | undefined
  readonly marker?: CutMarker
  /** The last shortened form of each text. */
  readonly shortened: WeakMap<Written, Shortened>
}

/** A section that may be in the prompt. Without `whole` it is out, and `gated.out` has the reason. */
export interface Candidate {
  readonly edited: Edited
  readonly gated: Gated
  /** The section as it is written; differs from `edited.section` for an update to another section. */
  readonly writable: Writable
  /** The sections that have content, for text that depends on them. */
  readonly present: ReadonlyMap<string, Pace>
  readonly forms: Forms | undefined
  readonly whole: Written | undefined
  /** The text as its sources have it, before any cut. */
  readonly source: Signed | undefined
}

/** Content whose conditions are resolved. */
interface Forms {
  readonly parts: readonly WritePart[]
  readonly shorter: readonly (readonly WritePart[])[]
}

interface Shortened {
  readonly limit: number
  readonly reader: Reader | undefined
  readonly cut: Cut
  readonly shorter: Forms["shorter"]
  readonly form: Form | undefined
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

/** `slower`: sections outside this list that its text may depend on. */
export function candidatesOf(
  sections: readonly Edited[],
  view: View,
  kit: Kit,
  slower: ReadonlyMap<string, Pace> = new Map(),
): readonly Candidate[] {
  const gated = sections.map(({ section }) => gate(section, view))
  const present = gated.some(({ content }) => isConditional(content))
    ? presentIn(sections, gated, slower)
    : NOTHING
  return sections.map((edited, at) =>
    candidateOf({ edited, gated: gated[at] ?? { hidden: [] }, writable: edited.section, present }, kit),
  )
}

const NOTHING: ReadonlyMap<string, Pace> = new Map()

/** Few sections depend on others, so the map is built only for those that do. */
function presentIn(
  sections: readonly Edited[],
  gated: readonly Gated[],
  slower: ReadonlyMap<string, Pace>,
): ReadonlyMap<string, Pace> {
  const here = sections.flatMap(({ section }, at) =>
    hasText(gated[at]?.content) ? [[section.id, section.pace] as const] : [],
  )
  return new Map([...slower, ...here])
}

function isConditional(content: Content | undefined): boolean {
  return formsOf(content).some(({ parts }) => parts.some(({ when }) => when !== undefined))
}

function formsOf(content: Content | undefined): readonly Content[] {
  return content === undefined ? [] : [content, ...(content.shorter ?? [])]
}

export function candidateOf(
  { edited, gated, writable, present }: Pick<Candidate, "edited" | "gated" | "writable" | "present">,
  kit: Kit,
): Candidate {
  const forms = gated.content && resolve(gated.content, edited.section.pace, present)
  const whole = forms && kit.write(writable, forms.parts)
  return { edited, gated, writable, present, forms, whole, source: whole }
}

/** Fits, then fits again without the text that depends on a dropped section, until no such text is left. */
export function fitSettled<F extends { readonly results: readonly Result[] }>(
  candidates: readonly Candidate[],
  kit: Kit,
  fitAll: (candidates: readonly Candidate[]) => F,
): F {
  const fitted = fitAll(candidates)
  const dropped = new Set(
    fitted.results.flatMap(({ outcome, candidate }) =>
      outcome.kind === "dropped" ? [candidate.edited.section.id] : [],
    ),
  )
  const settled = candidates.map((candidate) => without(candidate, dropped, kit))
  const isSettled = settled.every((candidate, at) => candidate === candidates[at])
  return isSettled ? fitted : fitSettled(settled, kit, fitAll)
}

export interface RoomOptions {
  /** In counted tokens. */
  readonly limit: number
  readonly shares: Shares
  /** How candidates share the room. Default: as `fit` does without options. */
  readonly how?: FitOptions | "tiers"
}

export function fitCandidates(
  candidates: readonly Candidate[],
  { limit, shares, how = {} }: RoomOptions,
  kit: Kit,
): FitResult {
  const inside = candidates.flatMap((candidate) => fittable(candidate, kit) ?? [])
  const fitted =
    how !== "tiers"
      ? fit(inside, limit, shares, how)
      : fitTiers<FittableCandidate, Form>(
          inside,
          limit,
          shares,
          ({ candidate }) => candidate.edited.section.pace === "stable",
        )
  const forms = new Map(inside.map((item, at) => [item.candidate, fitted.fits[at]]))
  const results = candidates.map((candidate): Result => {
    const found = forms.get(candidate)
    if (candidate.whole === undefined) return { candidate, outcome: outOf(candidate), written: undefined }
    // Even its shortest form exceeds the limit that its own file sets.
    if (found === undefined) {
      const overBy = candidate.whole.tokens - (candidate.gated.content?.wish?.maxTokens ?? 0)
      return { candidate, outcome: { kind: "dropped", overBy }, written: undefined }
    }
    const { form, overBy } = found
    if (form === undefined) return { candidate, outcome: { kind: "dropped", overBy }, written: undefined }
    return { candidate, outcome: outcomeOf(form, candidate.whole), written: form.written }
  })
  return { results, used: fitted.used, requiredTokens: fitted.requiredTokens }
}

export function outOf({ edited, gated }: Candidate): Outcome {
  if (edited.removed) return { kind: "unused", why: `removed by ${edited.by.at(-1)}` }
  return gated.out ?? { kind: "unused", why: "no content" }
}

function outcomeOf(form: Form, whole: Written): Outcome {
  if (form.how === undefined) return { kind: "included" }
  return { kind: "truncated", from: whole.tokens, to: form.tokens, how: form.how }
}

function hasText(content: Content | undefined): boolean {
  return content?.parts.some((part) => isSlot(part) || part.text.trim() !== "") ?? false
}

function without(candidate: Candidate, dropped: ReadonlySet<string>, kit: Kit): Candidate {
  const { edited, gated, writable, present, source } = candidate
  const named = formsOf(gated.content).flatMap(({ parts }) => parts.flatMap(({ when }) => when ?? []))
  const lost = new Set(named.filter((id) => present.has(id) && dropped.has(id)))
  if (lost.size === 0) return candidate
  const left = new Map([...present].filter(([id]) => !lost.has(id)))
  const forms = gated.content && resolve(gated.content, edited.section.pace, left)
  const whole = forms && kit.writeOnce(writable, forms.parts)
  return { edited, gated, writable, present: left, forms, whole, source }
}

function resolve(content: Content, pace: Pace, present: ReadonlyMap<string, Pace>): Forms {
  const shorter = (content.shorter ?? []).map(({ parts }) => resolveConditions(parts, pace, present))
  return { parts: resolveConditions(content.parts, pace, present), shorter }
}

/** Drops text whose condition fails. Text that depends on a faster section becomes as fast as that section. */
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

interface FittableCandidate extends Fittable<Form> {
  readonly candidate: Candidate
}

function fittable(candidate: Candidate, kit: Kit): FittableCandidate | undefined {
  const { whole, forms, edited } = candidate
  if (whole === undefined || forms === undefined) return undefined
  const most = candidate.gated.content?.wish?.maxTokens ?? Number.POSITIVE_INFINITY
  const longest =
    whole.tokens <= most
      ? { tokens: whole.tokens, written: whole, how: undefined }
      : shortenOnce({ candidate, whole, forms }, most, kit)
  if (longest === undefined) return undefined
  return {
    candidate,
    priority: edited.section.priority,
    whole: longest,
    shorten: (limit) => shortenOnce({ candidate, whole, forms }, limit, kit),
  }
}

/** The longest form within a limit. Returns undefined if the section has none that short. */
export function formWithin(candidate: Candidate, limit: number, kit: Kit): Written | undefined {
  const item = fittable(candidate, kit)
  return item && longestWithin(item, limit)?.written
}

/** A candidate that has text. */
interface Shortenable {
  readonly candidate: Candidate
  readonly whole: Written
  readonly forms: Forms
}

/** Cutting is the one expensive step, and budgets seldom change, so the last form of each text is cached. */
function shortenOnce({ candidate, whole, forms }: Shortenable, limit: number, kit: Kit): Form | undefined {
  const known = kit.shortened.get(whole)
  const { cut } = candidate.edited.section
  const { reader } = kit
  const same =
    known?.limit === limit &&
    sameReader(known.reader, reader) &&
    known.cut === cut &&
    sameForms(known.shorter, forms.shorter)
  if (same) return known.form
  const form = shorten(candidate, forms, limit, kit)
  kit.shortened.set(whole, { limit, reader, cut, shorter: forms.shorter, form })
  return form
}

function sameForms(a: Forms["shorter"], b: Forms["shorter"]): boolean {
  return a.length === b.length && a.every((parts, at) => sameParts(parts, b[at] ?? []))
}

/** The longest prepared form that fits. If none does, the shortest one is cut. */
function shorten({ edited, writable }: Candidate, forms: Forms, limit: number, kit: Kit): Form | undefined {
  for (const parts of forms.shorter) {
    const written = kit.writeOnce(writable, parts)
    if (written !== undefined && written.tokens <= limit)
      return { tokens: written.tokens, written, how: "shorter" }
  }
  const parts = forms.shorter.at(-1) ?? forms.parts
  const texts = parts.filter((part): part is TextPart => "text" in part)
  if (texts.length < parts.length) return undefined
  const { cut } = edited.section
  const options: CutOptions = {
    limit,
    counter: kit.counter,
    reader: kit.reader,
    ...(kit.marker && { marker: kit.marker }),
    write: (kept) => kit.writeOnce(writable, kept),
  }
  const written = cutParts(texts, cut, options)
  return written && { tokens: written.tokens, written, how: cut }
}
