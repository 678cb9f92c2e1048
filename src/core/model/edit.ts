// Edits: what hooks may do to sections. Every byte that an edit adds carries its author. Text slower than the edit
// keeps its bytes: such an edit becomes an update, sent in the tail.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { isFaster, type Pace } from "../../base/pace.ts"
import type { Trust } from "../../base/trust.ts"
import { tagName } from "../write/markup.ts"
import { type Content, isSlot, type Part } from "./content.ts"
import type { Outcome } from "./plan.ts"
import { isSectionId } from "./profile.ts"
import type { Section } from "./section.ts"

/** One change to the sections. `by` is its author, `trust` the default for its parts. */
export type Edit = { readonly by: string; readonly trust?: Trust } & (
  | { readonly kind: "add"; readonly section: Section; readonly after?: string }
  | { readonly kind: "replace"; readonly id: string; readonly content: Content }
  | { readonly kind: "wrap"; readonly id: string; readonly before?: Content; readonly after?: Content }
  | { readonly kind: "remove"; readonly id: string }
)

/** The result of one edit. `update`: text for the tail, because the target is slower than the edit. */
export interface EditResult {
  readonly edit: Edit
  readonly outcome: Outcome
  readonly update?: Content
}

export interface EditsApplied {
  readonly sections: readonly Section[]
  readonly results: readonly EditResult[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface EditOptions {
  readonly pace: Pace
  /** The sections that this pace may not change. */
  readonly slower?: readonly Section[]
}

/** Applies edits of one pace, in order. */
export function applyEdits(
  sections: readonly Section[],
  edits: readonly Edit[],
  options: EditOptions,
): EditsApplied {
  let current = sections
  const results: EditResult[] = []
  const diagnostics: Diagnostic[] = []
  for (const edit of edits) {
    const applied = applyEdit(current, edit, options)
    current = applied.sections ?? current
    results.push({ edit, outcome: applied.outcome, ...(applied.update && { update: applied.update }) })
    if (applied.diagnostic !== undefined) diagnostics.push(applied.diagnostic)
  }
  return { sections: current, results, diagnostics }
}

export function targetOf(edit: Edit): string {
  return edit.kind === "add" ? edit.section.id : edit.id
}

/** For a hook that returns a whole prompt: an edit if it only appended text, otherwise a new epoch. */
export function editFromWhole(before: string, after: string, by: string): Edit | "none" | "rebase" {
  if (after === before) return "none"
  if (!after.startsWith(before)) return "rebase"
  const content: Content = { parts: [{ text: after.slice(before.length) }] }
  const id = `addition/${by.replaceAll(/[^A-Za-z0-9_/-]+/g, "-")}`
  const section: Section = {
    id,
    pace: "turn",
    priority: "high",
    trust: "public",
    cut: "lines",
    content,
  }
  return { kind: "add", by, section }
}

interface Applied {
  readonly sections?: readonly Section[]
  readonly outcome: Outcome
  readonly update?: Content
  readonly diagnostic?: Diagnostic
}

function applyEdit(sections: readonly Section[], edit: Edit, { pace, slower = [] }: EditOptions): Applied {
  const { by } = edit
  const id = targetOf(edit)
  if (edit.kind === "add") {
    if (!isSectionId(id)) return refused({ code: "edit-bad-id", by, id })
    const taken = [...sections, ...slower].some((section) => tagName(section.id) === tagName(id))
    return taken ? refused({ code: "edit-id-taken", by, id }) : insert(sections, edit, pace)
  }
  const at = sections.findIndex((section) => section.id === id)
  const target = sections[at]
  if (target !== undefined && !isFaster(pace, target.pace)) {
    return { sections: sections.with(at, change(target, edit)), outcome: { kind: "included" } }
  }
  const kept = target ?? slower.find((section) => section.id === id)
  if (kept === undefined) return refused({ code: "edit-without-target", by, id })
  const diagnostic: Diagnostic = { code: "edit-of-slower-text", by, id, pace: kept.pace, needs: kept.trust }
  return { outcome: { kind: "included" }, update: asUpdate(edit), diagnostic }
}

function refused(diagnostic: Extract<Diagnostic, { by: string; id: string }>): Applied {
  return { outcome: { kind: "unused", why: { kind: "refused-edit", code: diagnostic.code } }, diagnostic }
}

function insert(sections: readonly Section[], edit: Extract<Edit, { kind: "add" }>, pace: Pace): Applied {
  const { isRemoved: _ignored, ...section } = edit.section
  const added: Section = {
    ...section,
    pace: isFaster(pace, section.pace) ? pace : section.pace,
    content: section.content && authored(section.content, edit),
    by: [edit.by],
  }
  const anchor = edit.after === undefined ? -1 : sections.findIndex(({ id }) => id === edit.after)
  return {
    sections: sections.toSpliced(anchor === -1 ? sections.length : anchor + 1, 0, added),
    outcome: { kind: "included" },
  }
}

function change(section: Section, edit: Exclude<Edit, { kind: "add" }>): Section {
  const by = [...(section.by ?? []), edit.by]
  const { isRemoved: _before, ...rest } = section
  if (edit.kind === "remove") return { ...rest, content: undefined, by, isRemoved: true }
  if (edit.kind === "replace") return { ...rest, content: authored(edit.content, edit), by }
  return { ...rest, content: surround(section.content, edit), by }
}

/** Leaves a section without content alone: there is nothing to wrap. */
function surround(content: Content | undefined, edit: Extract<Edit, { kind: "wrap" }>): Content | undefined {
  if (content === undefined) return undefined
  const before = edit.before ? authored({ parts: [...edit.before.parts, { text: "\n\n" }] }, edit).parts : []
  const after = edit.after ? authored({ parts: [{ text: "\n\n" }, ...edit.after.parts] }, edit).parts : []
  const around = (form: Content): Content => ({ ...form, parts: [...before, ...form.parts, ...after] })
  if (content.shorter === undefined) return around(content)
  return { ...around(content), shorter: content.shorter.map(around) }
}

function asUpdate(edit: Exclude<Edit, { kind: "add" }>): Content {
  if (edit.kind === "replace") return authored(edit.content, edit)
  if (edit.kind === "remove") return authored({ parts: [{ text: "Disregard this section." }] }, edit)
  const parts = [...(edit.before?.parts ?? []), { text: "\n\n" }, ...(edit.after?.parts ?? [])]
  return authored({ parts }, edit)
}

/** Credits text without provenance to the edit's author, and gives parts without a trust the edit's. */
function authored(content: Content, edit: Edit): Content {
  const sign = (part: Part): Part => {
    if (isSlot(part)) return part
    const trust = part.trust ?? edit.trust
    const signed = part.from === undefined ? { ...part, from: { kind: "edit" as const, by: edit.by } } : part
    return trust === undefined ? signed : { ...signed, trust }
  }
  const parts = content.parts.map(sign)
  if (content.shorter === undefined) return { ...content, parts }
  return { ...content, parts, shorter: content.shorter.map((form) => authored(form, edit)) }
}
