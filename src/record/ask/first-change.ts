// Finds the first part of a request that differs from the previous call: a tool, a section with its file and lines, a
// field of the request, or a message. From there on, the provider's cache no longer helps.
import { type Difference, diff, type Owner } from "../../core/read/diff.ts"
import type { Report } from "../../core/read/report.ts"
import type { RecordStore } from "../../database/contract/record/record-store.ts"
import type { CacheRule } from "../../render/cache/cache-rule.ts"
import { isList, isObject, type Json, type JsonObject } from "../write/request-marks.ts"
import { conversationField } from "../write/request-parts.ts"
import { type Receipt, reportOf } from "./replay.ts"
import { changedFields, sharedItems, unmarked } from "./turn-diff.ts"

export interface Change {
  /** `setting`: not text, but part of the prefix, such as the effort. */
  readonly what: "tool" | "section" | "field" | "setting" | "message"
  /** An id, a name, or a JSON pointer into the request. */
  readonly name: string
  readonly how: "came" | "went" | "changed" | "moved"
  readonly path?: string
  /** The line that differs, and the lines that the text around it came from. */
  readonly line?: number
  readonly lines?: readonly [number, number]
  /** Short excerpts from the first difference. Untrusted data. */
  readonly before?: string
  readonly after?: string
}

/** Returns undefined if the previous call is a prefix of this one. In prefix order: tools, head, conversation. */
export async function firstChange(
  store: RecordStore,
  before: Receipt,
  after: Receipt,
  rule: CacheRule,
): Promise<Change | undefined> {
  const was = await unmarked(store, before)
  const is = await unmarked(store, after)
  const wasReport = (await reportOf(store, before))?.report
  const isReport = (await reportOf(store, after))?.report
  const planned = wasReport && isReport && plannedChange(headOf(wasReport), headOf(isReport), was, is)
  return (
    planned ?? fieldChange(was, is, rule) ?? messageChange(was, is, await sharedItems(store, before, after))
  )
}

/** Without the tail, which is part of the conversation. */
function headOf(report: Report): Report {
  const blocks = report.blocks.filter(({ placement }) => placement === "head")
  const sections = report.sections.map((section) => ({
    ...section,
    spans: section.spans.filter(({ block }) => block < blocks.length),
  }))
  return { ...report, blocks, sections }
}

function plannedChange(before: Report, after: Report, was: JsonObject, is: JsonObject): Change | undefined {
  const difference = diff(before, after)
  const { first, tools } = difference
  if (first === undefined) return undefined
  if (first.kind === "tool") {
    const name = changedTool(first.name, before, tools)
    const how = howOf(name, tools)
    // For a definition that was added, removed or moved, the name is enough.
    const excerpts = how === "changed" ? leafExcerpts(toolOf(was, name), toolOf(is, name)) : {}
    return { what: "tool", name, how, ...excerpts }
  }
  const owner = changedOwner(difference, first.before, first.after)
  const { block, offset } = first.after ?? first.before ?? { block: 0, offset: 0 }
  const texts = [before, after].map(({ blocks }) => blocks[block]?.text ?? "")
  return {
    what: "section",
    name: owner?.section ?? "",
    how: howOf(owner?.section ?? "", difference),
    ...originOf(owner === first.before ? before : after, owner),
    before: excerpt(texts[0] ?? "", offset),
    after: excerpt(texts[1] ?? "", offset),
  }
}

/** If a tool was removed, the next one takes its position and is not the cause. */
function changedTool(name: string, before: Report, tools: Difference["tools"]): string {
  if (howOf(name, tools) !== "moved") return name
  return before.tools.find((tool) => tools.removed.includes(tool.name))?.name ?? name
}

/** Of the two sections that meet at the first difference, the one that was not merely shifted. */
function changedOwner(
  { added, removed, changed }: Difference,
  before: Owner | undefined,
  after: Owner | undefined,
): Owner | undefined {
  if (before !== undefined && removed.includes(before.section)) return before
  if (after !== undefined && [...added, ...changed].includes(after.section)) return after
  if (before !== undefined && changed.includes(before.section)) return before
  return after ?? before
}

function howOf(
  name: string,
  { added, removed, changed }: Pick<Difference, "added" | "removed" | "changed">,
): Change["how"] {
  if (added.includes(name)) return "came"
  if (removed.includes(name)) return "went"
  return changed.includes(name) ? "changed" : "moved"
}

/** If the texts differ in one of our tags, use the file of the text inside it. */
function originOf(report: Report, owner: Owner | undefined): Pick<Change, "path" | "line" | "lines"> {
  if (owner === undefined) return {}
  const section = report.sections.find(({ id }) => id === owner.section)
  const spans = section?.spans.filter(({ block, end }) => block === owner.block && owner.offset < end) ?? []
  for (const { from } of spans.toSorted((a, b) => a.start - b.start)) {
    if (from === undefined || !("path" in from)) continue
    return { path: from.path, line: owner.line ?? from.lines[0], lines: from.lines }
  }
  return {}
}

/** The definition of a tool, wherever the provider puts it. */
function toolOf(value: Json, name: string, depth = 0): Json | undefined {
  if (depth > 6 || typeof value !== "object" || value === null) return undefined
  if (isObject(value) && value.name === name) return value
  // Don't look for a tool in the conversation.
  const list = depth === 0 && isObject(value) ? conversationField(value) : undefined
  for (const [key, item] of Object.entries(value)) {
    const found = key === list ? undefined : toolOf(item, name, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** Fields with text or tools, for any provider. The host may have added to them. */
const TEXT_FIELDS =
  /^(?:tools|toolConfig|system|systemPrompt|system_instruction|instructions|toolOrder|config)$/
/** Fields that control where a prefix is cached, and for how long. */
const CACHE_SETTING = /cache_(?:key|retention|options)/

function fieldChange(was: JsonObject, is: JsonObject, rule: CacheRule): Change | undefined {
  const list = conversationField(is)
  const names = changedFields(was, is)
    .filter((name) => name !== list)
    .toSorted((a, b) => Number(TEXT_FIELDS.test(b)) - Number(TEXT_FIELDS.test(a)))
  for (const field of names) {
    const place = firstPlace(was[field], is[field], [field])
    const isText = TEXT_FIELDS.test(field)
    if (!isText && !place.some((key, at) => isSetting(key, place[at - 1], rule))) continue
    const [before, after] = [valueAt(was, place), valueAt(is, place)]
    return {
      what: isText ? "field" : "setting",
      name: `/${place.join("/")}`,
      how: before === undefined ? "came" : after === undefined ? "went" : "changed",
      ...leafExcerpts(before, after),
    }
  }
  return undefined
}

function isSetting(key: string, above: string | undefined, { invalidates }: CacheRule): boolean {
  return key in invalidates || `${above}_${key}` in invalidates || CACHE_SETTING.test(key)
}

/** The path to the first value that differs. */
function firstPlace(was: Json | undefined, is: Json | undefined, path: readonly string[]): readonly string[] {
  const isBranch = (isObject(was) && isObject(is)) || (isList(was) && isList(is))
  if (!isBranch || path.length > 20) return path
  const [one, other] = [namedEntries(was), namedEntries(is)]
  const names = new Set([...one.keys(), ...other.keys()])
  for (const name of names) {
    const [before, after] = [one.get(name), other.get(name)]
    if (JSON.stringify(before) !== JSON.stringify(after)) return firstPlace(before, after, [...path, name])
  }
  return path
}

function namedEntries(value: Json | undefined): ReadonlyMap<string, Json> {
  return new Map(Object.entries(value ?? {}))
}

function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((inner, key) => namedEntries(inner).get(key), value)
}

/** Excerpts of the first string or other value that differs, so that people read text rather than JSON. */
function leafExcerpts(was: Json | undefined, is: Json | undefined): Pick<Change, "before" | "after"> {
  const place = firstPlace(was, is, [])
  return excerpts(stringOf(valueAt(was, place)), stringOf(valueAt(is, place)))
}

/** Fields in which messages hold their text, for any provider. */
const SAID = ["text", "content", "parts", "output"] as const

function stringOf(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : (saidIn(value) ?? JSON.stringify(value))
}

function saidIn(value: Json | undefined): string | undefined {
  if (typeof value === "string") return value
  if (isList(value)) return saidIn(value[0])
  if (!isObject(value)) return undefined
  return saidIn(SAID.map((name) => value[name]).find((item) => item !== undefined))
}

/** A message that was sent before and has changed or is gone. */
function messageChange(
  was: JsonObject,
  is: JsonObject,
  { shared, before, after }: { readonly shared: number; readonly before: number; readonly after: number },
): Change | undefined {
  if (shared === before) return undefined
  const list = conversationField(was) ?? ""
  const [old, now] = [was, is].map((request) => valueAt(request, [list, `${shared}`]))
  return {
    what: "message",
    name: `/${list}/${shared}`,
    how: shared >= after ? "went" : "changed",
    ...leafExcerpts(old, now),
  }
}

const EXCERPT = 80

/** Starting at the first difference. */
function excerpts(before: string | undefined, after: string | undefined): Pick<Change, "before" | "after"> {
  let at = 0
  const [one, other] = [before ?? "", after ?? ""]
  while (at < one.length && at < other.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1
  return {
    ...(before !== undefined && { before: excerpt(before, at) }),
    ...(after !== undefined && { after: excerpt(after, at) }),
  }
}

/** The line around an offset, shortened; never splits a character. */
function excerpt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1
  const start = Math.max(lineStart, offset - EXCERPT / 4)
  const lineEnd = text.indexOf("\n", Math.max(offset, start + 1))
  const end = Math.min(lineEnd === -1 ? text.length : lineEnd, start + EXCERPT)
  return text.slice(start, end).toWellFormed()
}
