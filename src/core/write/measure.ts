// A measured section: gated for one audience, its conditions resolved, written and counted. All text of a prompt goes
// through here, of the head and of the tail. Fitting it into a budget comes next (fit/fit-sections.ts).
import type { Digest } from "../../base/digest.ts"
import { isFaster, type Pace } from "../../base/pace.ts"
import type { Patch } from "../../base/text/line-diff.ts"
import { type Content, isSlot, type Part, type TextPart } from "../model/content.ts"
import type { Counter } from "../model/counter.ts"
import type { Outcome } from "../model/plan.ts"
import type { CutMarker } from "../model/profile.ts"
import type { Cut, Section } from "../model/section.ts"
import { type Gated, gate } from "../view/gate.ts"
import type { Reader } from "../view/reader.ts"
import type { View } from "../view/view.ts"
import { updateEnvelope } from "./markup.ts"
import type { Signed, Writable, WritePart, Writer, Written } from "./write.ts"

/** What every step needs in addition to its input. */
export interface Kit {
  readonly counter: Counter
  /** Caches the last texts it wrote for each section. */
  readonly write: (section: Writable, parts: readonly WritePart[]) => Signed | undefined
  /** Writes a form that is only tried and may be discarded. */
  readonly writeOnce: Writer
  /** The tokens of the tail's frame. */
  readonly frame: number
  /** How the model can read what a cut left out. */
  readonly reader: Reader | undefined
  readonly marker?: CutMarker
  /** The last shortened forms of each text, the newest first. */
  readonly shortened: WeakMap<Written, readonly Shortened[]>
  /** For a baseline, the last update of each text: every step of a turn looks for one. */
  readonly updates: (baseline: object) => WeakMap<Written, ChosenUpdate>
}

/** The shortest way to tell a model that a text has changed. */
export interface ChosenUpdate {
  readonly parts: readonly TextPart[]
  readonly patch: Patch
  /** The patch that the model knew before. */
  readonly before: Patch | undefined
}

/** A section as this audience may see it, with its text and tokens. Without `whole` it has no text. */
export interface Measured {
  readonly section: Section
  readonly gated: Gated
  /** Set for text of the tail about a section that the model knows already. */
  readonly update: Update | undefined
  /** The sections that have content, for text that depends on them. */
  readonly present: ReadonlyMap<string, Pace>
  readonly forms: Forms | undefined
  readonly whole: Written | undefined
  /** The text as its sources have it, before any cut. */
  readonly source: Signed | undefined
}

/** A change to the head, an edit of slower text, or the end of a text that was sent before. */
export interface Update {
  /** Its key in `Sent`. */
  readonly key: string
  readonly of: "head" | "edit" | "section"
  /** For a change to the head: the section's text as it is now, and what turns the baseline's text into it. */
  readonly digest?: Digest
  readonly patch?: Patch
  /** The text no longer applies; one line takes it back. */
  readonly ends?: true
}

/** Content whose conditions are resolved. */
export interface Forms {
  readonly parts: readonly WritePart[]
  readonly shorter: readonly (readonly WritePart[])[]
}

/** The form of a text that was found for a limit, and everything it depends on. */
export interface Shortened {
  readonly limit: number
  readonly reader: Reader | undefined
  readonly cut: Cut
  readonly shorter: Forms["shorter"]
  readonly form: Form | undefined
}

/** A text as it may be in the prompt. `how`: the way in which it was shortened. */
export interface Form {
  readonly tokens: number
  readonly written: Written
  readonly how: Cut | "shorter" | undefined
}

export interface MeasureOptions {
  readonly view: View
  readonly kit: Kit
  /** Sections outside the list that its text may depend on. */
  readonly present?: ReadonlyMap<string, Pace>
}

export function measure(
  sections: readonly Section[],
  { view, kit, present: slower = NOTHING }: MeasureOptions,
): readonly Measured[] {
  const gated = sections.map((section) => gate(section, view))
  const present = gated.some(({ content }) => isConditional(content))
    ? presentIn(sections, gated, slower)
    : NOTHING
  return sections.map((section, at) =>
    written({ section, gated: gated[at] ?? { hidden: [] }, update: undefined, present }, kit),
  )
}

const NOTHING: ReadonlyMap<string, Pace> = new Map()

/** Few sections depend on others, so the map is built only for those that do. */
function presentIn(
  sections: readonly Section[],
  gated: readonly Gated[],
  slower: ReadonlyMap<string, Pace>,
): ReadonlyMap<string, Pace> {
  const here = sections.flatMap(({ id, pace }, at) =>
    hasText(gated[at]?.content) ? [[id, pace] as const] : [],
  )
  return new Map([...slower, ...here])
}

function isConditional(content: Content | undefined): boolean {
  return formsOf(content).some(({ parts }) => parts.some(({ when }) => when !== undefined))
}

function formsOf(content: Content | undefined): readonly Content[] {
  return content === undefined ? [] : [content, ...(content.shorter ?? [])]
}

function hasText(content: Content | undefined): boolean {
  return content?.parts.some((part) => isSlot(part) || part.text.trim() !== "") ?? false
}

type Unwritten = Pick<Measured, "section" | "gated" | "update" | "present">

function written({ section, gated, update, present }: Unwritten, kit: Kit): Measured {
  const forms = gated.content && resolve(gated.content, section.pace, present)
  const whole = forms && kit.write(writableOf({ section, update }), forms.parts)
  return { section, gated, update, present, forms, whole, source: whole }
}

/** An update has been gated before, as part of the head or as an edit, and depends on no section. */
export function measureUpdate(
  facts: Pick<Measured, "section" | "gated"> & { readonly update: Update },
  kit: Kit,
): Measured {
  return written({ ...facts, present: NOTHING }, kit)
}

/** What the writer needs to know: an update has its own envelope and is cached under its own key. */
export function writableOf({ section, update }: Pick<Measured, "section" | "update">): Writable {
  if (update === undefined) return section
  const { key, ends } = update
  return { id: ends ? `ended:${key}` : key, envelope: updateEnvelope(section.id) }
}

/** The section without text that depends on one of the dropped sections. The same object if it has none. */
export function measureWithout(
  measured: Measured,
  { dropped, kit }: { readonly dropped: ReadonlySet<string>; readonly kit: Kit },
): Measured {
  const { section, gated, update, present, source } = measured
  const named = formsOf(gated.content).flatMap(({ parts }) => parts.flatMap(({ when }) => when ?? []))
  const lost = new Set(named.filter((id) => present.has(id) && dropped.has(id)))
  if (lost.size === 0) return measured
  const left = new Map([...present].filter(([id]) => !lost.has(id)))
  const forms = gated.content && resolve(gated.content, section.pace, left)
  const whole = forms && kit.writeOnce(writableOf(measured), forms.parts)
  return { section, gated, update, present: left, forms, whole, source }
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

/** Why a section without text is not in the prompt. */
export function whyOut({ section, gated, present }: Measured): Outcome {
  if (section.isRemoved) return { kind: "unused", why: { kind: "removed", by: section.by?.at(-1) ?? "" } }
  if (gated.out !== undefined) return gated.out
  const named = formsOf(gated.content).flatMap(({ parts }) => parts.flatMap(({ when }) => when ?? []))
  const on = [...new Set(named)].filter((id) => !present.has(id))
  return { kind: "unused", why: on.length > 0 ? { kind: "depends", on } : { kind: "built-nothing" } }
}
