// A profile as a configuration wants it: sections switched off, changed, replaced, added, or in another order.
import { type Content, textContent } from "../core/content.ts"
import type { Diagnostic } from "../core/diagnostic.ts"
import { nearest } from "../core/nearest.ts"
import type { Need } from "../core/need.ts"
import type { Profile } from "../core/profile.ts"
import { isSectionId } from "../core/profile.ts"
import { type AnySectionSpec, type Freshness, section } from "../core/section.ts"
import { bodyContent, firstOf } from "../core/source.ts"
import type { AgentView } from "../core/view.ts"

/** What a configuration says about one section. With `text` or `file` it is a section of one's own. */
export interface SectionWish {
  readonly need?: Need | undefined
  readonly freshness?: Freshness | undefined
  readonly text?: string | undefined
  /** A file of the workspace; it is gathered under the role that `roleOf` gives. */
  readonly file?: string | undefined
  /** The section that it follows; at the end of the stable ones if absent. */
  readonly after?: string | undefined
}

export type SectionSetting = "off" | "on" | boolean | SectionWish

export interface Adjustment {
  readonly sections?: Readonly<Record<string, SectionSetting>> | undefined
  /** Sections that come first, in this order; the others follow as they were. */
  readonly order?: readonly string[] | undefined
}

export interface Adjusted {
  readonly profile: Profile
  readonly diagnostics: readonly Diagnostic[]
}

export function adjustProfile(profile: Profile, { sections = {}, order = [] }: Adjustment): Adjusted {
  const asked = [...Object.keys(sections), ...order]
  const known = profile.sections.map(({ id }) => id)
  if (profile.sealed) {
    const changes = asked.filter((id) => known.includes(id) && sections[id] !== "on" && sections[id] !== true)
    const refused = changes.map((id): Diagnostic => ({ code: "profile-sealed", id, profile: profile.name }))
    const strange = asked.filter((id) => !known.includes(id)).map((id) => unknown(id, profile, known))
    return { profile, diagnostics: [...strange, ...refused] }
  }
  const own = Object.entries(sections).filter(([id, setting]) => isOwn(setting) && isSectionId(id))
  const names = [...known, ...own.map(([id]) => id)]
  const changed = profile.sections.flatMap((spec) => changedSpec(spec, sections[spec.id]))
  const added = own
    .filter(([id]) => !known.includes(id))
    .reduce<readonly AnySectionSpec[]>((list, [id, setting]) => withAdded(list, id, setting), changed)
  return {
    profile: { ...profile, sections: inOrder(added, order) },
    diagnostics: asked.filter((id) => !names.includes(id)).map((id) => unknown(id, profile, names)),
  }
}

/** The role under which a section's own file is gathered. */
export function roleOf(id: string): string {
  return `section:${id}`
}

function isOwn(setting: SectionSetting | undefined): setting is SectionWish {
  return typeof setting === "object" && (setting.text !== undefined || setting.file !== undefined)
}

function changedSpec(spec: AnySectionSpec, setting: SectionSetting | undefined): readonly AnySectionSpec[] {
  if (setting === "off" || setting === false) return []
  if (typeof setting !== "object") return [spec]
  const { need = spec.need, freshness = spec.freshness } = setting
  const facts = { need, ...(freshness && { freshness }) }
  if (!isOwn(setting)) return [{ ...spec, ...facts }]
  const { build: _, reads: __, bare: ___, ...rest } = spec
  const own = { ...rest, ...facts, reads: [roleOf(spec.id)] }
  // What is replaced stays where it was; its text depends on nothing faster than a file.
  return [{ ...own, pace: "stable", build: ({ agent }) => ownContent(spec.id, setting, agent) }]
}

function withAdded(
  list: readonly AnySectionSpec[],
  id: string,
  setting: SectionSetting,
): readonly AnySectionSpec[] {
  if (!isOwn(setting)) return list
  const { need = "medium", freshness, after } = setting
  const spec = section({
    id,
    pace: "stable",
    need,
    trust: "public",
    cut: "lines",
    reads: [roleOf(id)],
    ...(freshness && { freshness }),
    build: ({ agent }) => ownContent(id, setting, agent),
  })
  const before = list.findIndex((one) => one.id === after)
  const end = before === -1 ? list.findLastIndex(({ pace }) => pace === "stable") : before
  return list.toSpliced(end + 1, 0, spec)
}

function ownContent(id: string, { text }: SectionWish, agent: AgentView): Content | undefined {
  return text === undefined ? bodyContent(firstOf(agent.files, roleOf(id))) : textContent(text.trim())
}

function inOrder(list: readonly AnySectionSpec[], order: readonly string[]): readonly AnySectionSpec[] {
  if (order.length === 0) return list
  const first = order.flatMap((id) => list.find((spec) => spec.id === id) ?? [])
  return [...first, ...list.filter((spec) => !first.includes(spec))]
}

function unknown(id: string, { name }: Profile, names: readonly string[]): Diagnostic {
  const near = nearest(id, names)
  return { code: "unknown-section", id, profile: name, ...(near !== undefined && { nearest: near }) }
}
