// A fitted section: the form in which a measured section fits into a budget, and its outcome. What is too long takes
// the longest of its prepared shorter forms, and is cut if none fits.
import type { TextPart } from "../model/content.ts"
import type { Outcome } from "../model/plan.ts"
import { sameReader } from "../view/reader.ts"
import { cutParts } from "../write/cut.ts"
import type { CutOptions } from "../write/cut-options.ts"
import {
  type Form,
  type Forms,
  type Kit,
  type Measured,
  measureWithout,
  whyOut,
  writableOf,
} from "../write/measure.ts"
import { sameParts, type Written } from "../write/write.ts"
import { longestWithin } from "./distribute.ts"
import { type Fit, fit, type Shares, type Sharing } from "./fit.ts"
import type { Fittable } from "./fittable.ts"
import { fitTiers } from "./tiers.ts"

export interface Fitted {
  readonly measured: Measured
  readonly outcome: Outcome
  /** The text that is in the prompt. Undefined if none is. */
  readonly written: Written | undefined
}

export interface FittedSections {
  readonly sections: readonly Fitted[]
  readonly used: number
  /** The size of required text, if it alone exceeds the limit. */
  readonly requiredTokens: number | undefined
}

export interface FitSectionsOptions {
  /** In counted tokens. */
  readonly limit: number
  readonly shares: Shares
  /** How sections share the limit. Default: as `fit` does without options. */
  readonly how?: Sharing | "tiers"
  readonly kit: Kit
}

export function fitSections(
  sections: readonly Measured[],
  { limit, shares, how = {}, kit }: FitSectionsOptions,
): FittedSections {
  const texts = sections.flatMap((measured) => fittable(measured, kit) ?? [])
  const { fits, used, requiredTokens } =
    how === "tiers"
      ? fitTiers<FittableSection, Form>(texts, { available: limit, shares, isFree: isStable })
      : fit(texts, { ...how, budget: limit, shares })
  const found = new Map(texts.map(({ measured }, at) => [measured, fits[at]]))
  return {
    sections: sections.map((measured) => fittedOf(measured, found.get(measured))),
    used,
    requiredTokens,
  }
}

/** Tiers share out what stable text leaves. */
function isStable({ measured }: FittableSection): boolean {
  return measured.section.pace === "stable"
}

export interface SettleOptions {
  readonly fitAll: (sections: readonly Measured[]) => FittedSections
  readonly kit: Kit
}

/** Fits, then fits again without the text that depends on a dropped section, until no such text is left. */
export function fitUntilSettled(
  sections: readonly Measured[],
  { fitAll, kit }: SettleOptions,
): FittedSections {
  const fitted = fitAll(sections)
  const dropped = new Set(
    fitted.sections.flatMap(({ outcome, measured }) =>
      outcome.kind === "dropped" ? [measured.section.id] : [],
    ),
  )
  const settled = sections.map((measured) => measureWithout(measured, { dropped, kit }))
  const isSettled = settled.every((measured, at) => measured === sections[at])
  return isSettled ? fitted : fitUntilSettled(settled, { fitAll, kit })
}

function fittedOf(measured: Measured, fit: Fit<Form> | undefined): Fitted {
  const { whole, gated } = measured
  if (whole === undefined) return { measured, outcome: whyOut(measured), written: undefined }
  // Without a fit, even its shortest form exceeds the limit that its own file sets.
  const overBy = fit?.overBy ?? whole.tokens - (gated.content?.wish?.maxTokens ?? 0)
  const form = fit?.form
  if (form === undefined) return { measured, outcome: { kind: "dropped", overBy }, written: undefined }
  return { measured, outcome: outcomeOf(form, whole), written: form.written }
}

function outcomeOf({ how, tokens }: Form, whole: Written): Outcome {
  return how === undefined ? { kind: "included" } : { kind: "truncated", from: whole.tokens, to: tokens, how }
}

/** A measured section as the fitter sees it. */
interface FittableSection extends Fittable<Form> {
  readonly measured: Measured
}

function fittable(measured: Measured, kit: Kit): FittableSection | undefined {
  const { whole, forms, section, gated } = measured
  if (whole === undefined || forms === undefined) return undefined
  const shortened = (limit: number) => shortenOnce({ measured, whole, forms }, { limit, kit })
  const most = gated.content?.wish?.maxTokens ?? Number.POSITIVE_INFINITY
  const longest =
    whole.tokens <= most ? { tokens: whole.tokens, written: whole, how: undefined } : shortened(most)
  return longest && { measured, priority: section.priority, whole: longest, shorten: shortened }
}

interface FormOptions {
  readonly limit: number
  readonly kit: Kit
}

/** The longest form within a limit. Returns undefined if the section has none that short. */
export function formWithin(measured: Measured, { limit, kit }: FormOptions): Written | undefined {
  const item = fittable(measured, kit)
  return item && longestWithin(item, limit)?.written
}

/** A section that has text. */
interface Shortenable {
  readonly measured: Measured
  readonly whole: Written
  readonly forms: Forms
}

/** Sessions differ in what their own texts leave for a shared one. */
const MOST_FORMS = 64
/** Of all forms of one text: there are fewer of long ones. */
const MOST_FORM_TOKENS = 200_000

/** Cutting is the one expensive step, and budgets seldom change, so the last forms of each text are cached. */
function shortenOnce({ measured, whole, forms }: Shortenable, { limit, kit }: FormOptions): Form | undefined {
  const known = kit.shortened.get(whole) ?? []
  const { cut } = measured.section
  const { reader } = kit
  const found = known.find(
    (one) =>
      one.limit === limit &&
      sameReader(one.reader, reader) &&
      one.cut === cut &&
      sameForms(one.shorter, forms.shorter),
  )
  if (found !== undefined && found === known[0]) return found.form
  const newest = found ?? {
    ...{ limit, reader, cut, shorter: forms.shorter },
    form: shorten({ measured, whole, forms }, { limit, kit }),
  }
  const most = Math.min(MOST_FORMS, Math.ceil(MOST_FORM_TOKENS / (newest.form?.tokens || 1)))
  kit.shortened.set(whole, [newest, ...known.filter((one) => one !== found)].slice(0, most))
  return newest.form
}

function sameForms(a: Forms["shorter"], b: Forms["shorter"]): boolean {
  return a.length === b.length && a.every((parts, at) => sameParts(parts, b[at] ?? []))
}

/** The longest prepared form that fits. If none does, the shortest one is cut. */
function shorten({ measured, forms }: Shortenable, { limit, kit }: FormOptions): Form | undefined {
  const writable = writableOf(measured)
  for (const parts of forms.shorter) {
    const written = kit.writeOnce(writable, parts)
    if (written !== undefined && written.tokens <= limit)
      return { tokens: written.tokens, written, how: "shorter" }
  }
  const parts = forms.shorter.at(-1) ?? forms.parts
  const texts = parts.filter((part): part is TextPart => "text" in part)
  if (texts.length < parts.length) return undefined
  const { cut } = measured.section
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
