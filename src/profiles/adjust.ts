// Adjusts a profile to a configuration: sections switched off, changed, replaced, added or reordered.
import type { Diagnostic } from "../base/diagnostic.ts"
import { nearest } from "../base/nearest.ts"
import { type Content, textContent } from "../core/model/content.ts"
import { type OnChange, onChangesFor } from "../core/model/on-change.ts"
import type { Priority } from "../core/model/priority.ts"
import type { Profile } from "../core/model/profile.ts"
import { isSectionId } from "../core/model/profile.ts"
import type { AnySectionSpec } from "../core/model/section.ts"
import type { AgentView } from "../core/model/section-scope.ts"
import { bodyContent, firstOf } from "../core/model/source.ts"
import { unused } from "../core/view/unused.ts"

/** What a configuration says about one section. With `text` or `file` it is a custom section. */
export interface SectionWish {
  readonly priority?: Priority | undefined
  readonly onChange?: OnChange | undefined
  readonly text?: string | undefined
  /** A file of the workspace; it is gathered under the role that `roleOf` returns. */
  readonly file?: string | undefined
  /** The section that it follows. Default: at the end of the stable ones. */
  readonly after?: string | undefined
}

/** What to do with one section: switch it off or on, or change it. */
export type SectionSetting = "off" | "on" | boolean | SectionWish

/** Changes to the sections of a profile, as in `prompt:` of incipit.yaml. */
export interface Adjustment {
  readonly sections?: Readonly<Record<string, SectionSetting>> | undefined
  /** Sections that come first, in this order; the others follow in their original order. */
  readonly order?: readonly string[] | undefined
}

/** The adjusted profile, and what could not be done. */
export interface Adjusted {
  readonly profile: Profile
  readonly diagnostics: readonly Diagnostic[]
}

/** Switches sections of a profile off, changes them, adds some or reorders them. */
export function adjustProfile(profile: Profile, { sections = {}, order = [] }: Adjustment): Adjusted {
  const known = profile.sections.map(({ id }) => id)
  const own = Object.entries(sections).filter(([id, setting]) => isOwn(setting) && isSectionId(id))
  const names = [...known, ...own.map(([id]) => id)]
  const asked = [...Object.keys(sections), ...order]
  if (profile.sealed) return refused(profile, sections, asked)
  const changed = profile.sections.flatMap((spec) => changedSpec(spec, sections[spec.id]))
  const added = own.filter(([id]) => !known.includes(id)).flatMap(([id, setting]) => ownSpec(id, setting))
  const end = changed.findLastIndex(({ pace }) => pace === "stable") + 1
  const wishes = Object.entries(sections).toSorted(([a], [b]) => depthOf(a, sections) - depthOf(b, sections))
  const placed = wishes.reduce(placedAfter, changed.toSpliced(end, 0, ...added))
  const places = Object.values(sections).flatMap((setting) => (isWish(setting) ? (setting.after ?? []) : []))
  return {
    profile: { ...profile, sections: inOrder(placed, order) },
    diagnostics: [
      ...[...asked, ...places]
        .filter((id) => !names.includes(id))
        .map((id) =>
          isSectionId(id) ? unknown(id, profile, names) : ({ code: "section-bad-id", id } as const),
        ),
      ...placed.flatMap((spec) => withoutEffect(spec, sections[spec.id])),
    ],
  }
}

function withoutEffect({ id, pace }: AnySectionSpec, setting: SectionSetting | undefined): Diagnostic[] {
  const onChange = isWish(setting) ? setting.onChange : undefined
  const known = onChangesFor(pace)
  if (onChange === undefined || known.includes(onChange)) return []
  return [{ code: "on-change-without-effect", id, onChange, use: known.join(", ") }]
}

function refused(
  profile: Profile,
  sections: NonNullable<Adjustment["sections"]>,
  asked: readonly string[],
): Adjusted {
  const known = profile.sections.map(({ id }) => id)
  const changes = asked.filter((id) => known.includes(id) && sections[id] !== "on" && sections[id] !== true)
  const strange = asked.filter((id) => !known.includes(id)).map((id) => unknown(id, profile, known))
  const sealed = changes.map((id): Diagnostic => ({ code: "profile-sealed", id, profile: profile.name }))
  return { profile, diagnostics: [...strange, ...sealed] }
}

/** The role under which a section's own file is gathered. */
export function roleOf(id: string): string {
  return `section:${id}`
}

function isWish(setting: SectionSetting | undefined): setting is SectionWish {
  return typeof setting === "object"
}

function isOwn(setting: SectionSetting | undefined): setting is SectionWish {
  return isWish(setting) && (setting.text !== undefined || setting.file !== undefined)
}

function changedSpec(spec: AnySectionSpec, setting: SectionSetting | undefined): readonly AnySectionSpec[] {
  // It keeps its place in the plan, which says why it has no text.
  if (setting === "off" || setting === false)
    return [{ ...spec, build: () => unused({ kind: "switched-off" }) }]
  if (!isWish(setting)) return [spec]
  const facts = factsOf(setting, spec)
  if (!isOwn(setting)) return [{ ...spec, ...facts }]
  // It keeps its place and its pace, although its text now changes only with the file.
  const { bare: _, ...rest } = spec
  const build = ({ agent }: { readonly agent: AgentView }) => ownContent(spec.id, setting, agent)
  return [{ ...rest, ...facts, reads: [roleOf(spec.id)], build }]
}

function ownSpec(id: string, setting: SectionSetting): readonly AnySectionSpec[] {
  if (!isOwn(setting)) return []
  const spec = { id, pace: "stable" } as const
  const build = ({ agent }: { readonly agent: AgentView }) => ownContent(id, setting, agent)
  return [{ ...spec, ...factsOf(setting, spec), reads: [roleOf(id)], build }]
}

/** What the setting overrides. An `onChange` that this pace cannot have is left out; a diagnostic reports it. */
function factsOf(
  { priority, onChange }: SectionWish,
  { pace }: Pick<AnySectionSpec, "pace">,
): Pick<AnySectionSpec, "priority"> & { readonly onChange?: never } {
  const fits = onChange !== undefined && onChangesFor(pace).includes(onChange)
  // Which values fit depends on the pace, which the type of a spread cannot express.
  return { ...(priority && { priority }), ...(fits && { onChange: onChange as never }) }
}

/** How many other sections must be placed before it. In a cycle, as many as there are. */
function depthOf(id: string, sections: NonNullable<Adjustment["sections"]>): number {
  let depth = 0
  for (
    let at: string | undefined = id;
    at !== undefined && depth <= Object.keys(sections).length;
    depth += 1
  ) {
    const setting: SectionSetting | undefined = sections[at]
    at = isWish(setting) ? setting.after : undefined
  }
  return depth
}

/** Moves a section after the one that it names. It stays where it is if that one doesn't exist. */
function placedAfter(
  list: readonly AnySectionSpec[],
  [id, setting]: readonly [string, SectionSetting],
): readonly AnySectionSpec[] {
  const after = isWish(setting) ? setting.after : undefined
  const moved = list.find((spec) => spec.id === id)
  if (after === undefined || moved === undefined || after === id) return list
  const rest = list.filter((spec) => spec !== moved)
  const before = rest.findIndex((spec) => spec.id === after)
  return before === -1 ? list : rest.toSpliced(before + 1, 0, moved)
}

function ownContent(id: string, { text }: SectionWish, agent: AgentView): Content | undefined {
  return text === undefined ? bodyContent(firstOf(agent.files, roleOf(id))) : textContent(text.trim())
}

function inOrder(list: readonly AnySectionSpec[], order: readonly string[]): readonly AnySectionSpec[] {
  if (order.length === 0) return list
  const first = [...new Set(order)].flatMap((id) => list.find((spec) => spec.id === id) ?? [])
  return [...first, ...list.filter((spec) => !first.includes(spec))]
}

function unknown(id: string, { name }: Profile, names: readonly string[]): Diagnostic {
  const [near] = nearest(id, names)
  return { code: "unknown-section", id, profile: name, ...(near !== undefined && { nearest: near }) }
}
