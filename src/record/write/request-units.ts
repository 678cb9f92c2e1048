// A request of any provider as the units that a cached prefix can end with: each tool, each block of system text, each
// part of a message, with the cache mark at its end. Says where things are and not what they mean. Pure.
import { canonicalJson } from "../../base/digest.ts"
import { isDeeperThan } from "../../base/json-depth.ts"
import type { Tier } from "../../render/cache/cache-rule.ts"
import { lifetimeOf } from "./mark-places.ts"
import {
  DEEPEST,
  isList,
  isMarkItem,
  isObject,
  type Json,
  type JsonObject,
  liftMarks,
  type Mark,
} from "./request-marks.ts"
import { conversationField } from "./request-parts.ts"

export type Path = readonly (string | number)[]

/** A cache mark; without a lifetime, the provider's default counts. */
export interface UnitMark {
  readonly ttl: string | undefined
}

export interface RequestUnit {
  readonly tier: Tier
  /** In the request without its marks. */
  readonly path: Path
  /** Without marks, like `around`. */
  readonly value: Json
  /** The item of the conversation, or the group of tools, that it is part of. */
  readonly around?: JsonObject | undefined
  readonly mark?: UnitMark | undefined
}

/** The units of one field, or of one item of the conversation. */
export type UnitGroup = readonly RequestUnit[]

export interface RequestUnits {
  /** In prefix order. */
  readonly groups: readonly UnitGroup[]
  /** Everything that is not text: the model, the tool choice, the effort. */
  readonly settings: Readonly<Record<string, string>>
  /** Of the request itself; it stands for the end of the last unit. */
  readonly mark: UnitMark | undefined
}

/** Returns the group that was made before for the same value at the same place, or makes it. */
export type RememberGroup = (value: Json, place: string, make: () => UnitGroup) => UnitGroup

const SYSTEM_FIELDS = ["system", "systemPrompt", "instructions", "system_instruction", "systemInstruction"]
const TOOL_FIELDS = ["tools", "toolConfig"]

export function requestUnits(
  request: Json,
  remember: RememberGroup = (_value, _place, make) => make(),
): RequestUnits {
  const body = requestFields(request)
  const { name, items } = conversationOf(body)
  const fields = [
    ...TOOL_FIELDS.map((field) => ({ tier: "tools", field }) as const),
    ...SYSTEM_FIELDS.map((field) => ({ tier: "system", field }) as const),
  ].filter(({ field }) => isText(field, body[field]))
  const inFields = fields.map(({ tier, field }) => {
    const value = body[field] ?? null
    return remember(value, field, () => fieldUnits(tier, [field], value))
  })
  const inItems = itemGroups(name, items, remember)
  const groups = [...inFields, ...inItems]
  const isLeading = (group: UnitGroup) => group[0]?.tier === "tools"
  const texts = new Set([name, ...fields.map(({ field }) => field)])
  const others = Object.fromEntries(Object.entries(body).filter(([field]) => !texts.has(field)))
  const { value, marks } = liftMarks(others)
  const own = marks.find(([path]) => path.length === 0)
  return {
    groups: [...groups.filter(isLeading), ...groups.filter((group) => !isLeading(group))],
    settings: settingsOf(isObject(value) ? value : {}),
    mark: own && markOf(own),
  }
}

/** Some clients keep everything but the conversation, or the whole request, in a field of its own. */
function requestFields(value: Json): JsonObject {
  if (!isObject(value)) return {}
  const { config, request, ...rest } = value
  if (isObject(request) && conversationField(value) === undefined) return { ...rest, ...request }
  return isObject(config) ? { ...rest, ...config } : value
}

/** Whether a field holds tools or text: one provider has a setting of that name. */
function isText(field: string, value: Json | undefined): boolean {
  if (value === undefined || value === null) return false
  return field !== "toolConfig" || (isObject(value) && isList(value.tools))
}

interface Conversation {
  readonly name: string
  readonly items: readonly Json[]
}

function conversationOf(body: JsonObject): Conversation {
  const name = conversationField(body)
  const items = name === undefined ? undefined : body[name]
  if (name !== undefined && isList(items)) return { name, items }
  if (typeof body.input === "string") return { name: "input", items: [{ role: "user", content: body.input }] }
  return { name: name ?? "", items: [] }
}

function itemGroups(name: string, items: readonly Json[], remember: RememberGroup): readonly UnitGroup[] {
  const groups: UnitGroup[] = []
  let isLate = false
  let at = 0
  for (const item of items) {
    const path = [name, at]
    if (isMarkItem(item)) {
      markEnd(groups, { ttl: lifetimeOf(item) })
      continue
    }
    const late = isLate
    const group = remember(item, `${name} ${late ? "late" : "first"} ${at}`, () =>
      itemUnits(item, path, late),
    )
    groups.push(group)
    isLate ||= group.some(({ tier }) => tier === "messages")
    at += 1
  }
  return groups
}

/** A mark that is an item of the conversation counts for the item before it. */
function markEnd(groups: UnitGroup[], mark: UnitMark): void {
  const last = groups.pop()
  if (last !== undefined)
    groups.push(last.map((unit, at) => (at === last.length - 1 ? { ...unit, mark } : unit)))
}

function fieldUnits(tier: Tier, path: Path, field: Json): UnitGroup {
  const { value, marks } = liftMarks(field)
  return marked(leaves({ tier, path, value }), marks, path)
}

/** Fields in which a provider nests the list. */
const LISTS = ["tools", "functionDeclarations", "parts"]

function leaves(unit: RequestUnit): UnitGroup {
  const { tier, path, value } = unit
  if (path.length > DEEPEST) return [unit]
  if (isList(value)) return value.flatMap((item, at) => leaves({ ...unit, path: [...path, at], value: item }))
  const list = isObject(value) ? LISTS.find((name) => isList(value[name])) : undefined
  if (!isObject(value) || list === undefined) return [unit]
  const { [list]: items = [], ...around } = value
  // A group of tools has a name and a description of its own.
  const own: UnitGroup = typeof around.name === "string" ? [{ tier, path, value: around }] : []
  return [...own, ...leaves({ tier, path: [...path, list], value: items, around })]
}

const PARTS = ["reasoning_content", "content", "parts", "output", "refusal", "tool_calls"]

/** Tools that come before the first message are part of the list of tools; later ones stay where they are. */
function itemUnits(given: Json, path: Path, isLate: boolean): UnitGroup {
  const { value: item, marks } = liftMarks(given)
  if (!isObject(item)) return [{ tier: "messages", path, value: item }]
  if (item.type === "additional_tools" && isList(item.tools))
    return marked(leaves({ tier: isLate ? "messages" : "tools", path, value: item }), marks, path)
  return marked(contentUnits(item, path), marks, path)
}

/** A text and a list with one text are equal: an SDK writes one or the other, depending on whether it is marked. */
function contentUnits(item: JsonObject, path: Path): UnitGroup {
  const tier = item.role === "system" || item.role === "developer" ? "system" : "messages"
  // Its encrypted text and its summaries belong together.
  if (item.type === "reasoning") return [{ tier, path, value: item, around: item }]
  const parts = PARTS.flatMap((field): UnitGroup => {
    const value = item[field]
    if (isList(value))
      return value.map((part, at) => ({ tier, path: [...path, field, at], value: part, around: item }))
    return typeof value === "string" && value !== ""
      ? [{ tier, path: [...path, field], value, around: item }]
      : []
  })
  return parts.length === 0 ? [{ tier, path, value: item, around: item }] : parts
}

/** A mark is in a part, in the message around it, or after a part as a separate item. */
function marked(units: UnitGroup, marks: readonly Mark[], at: Path): UnitGroup {
  if (marks.length === 0) return units
  const all = [...units]
  for (const mark of marks) {
    const place = [...at, ...markPath(mark, marks)]
    const index = all.findLastIndex(({ path }) => isWithin(path, place) || isWithin(place, path))
    const unit = all[index]
    if (unit !== undefined) all[index] = { ...unit, mark: markOf(mark) }
  }
  return all
}

function markOf([, , value]: Mark): UnitMark {
  return { ttl: lifetimeOf(value) }
}

/** For a separate item: the part before it, not counting other marks in the list. */
function markPath([path, at, , key]: Mark, marks: readonly Mark[]): Path {
  if (key !== undefined) return path
  const isBefore = ([list, item, , other]: Mark) =>
    other === undefined && item < at && list.length === path.length && isWithin(list, path)
  return [...path, Math.max(0, at - marks.filter(isBefore).length - 1)]
}

function isWithin(path: Path, outer: Path): boolean {
  return outer.every((key, at) => path[at] === key)
}

/** Settings that a provider nests, by the name that the rules of its cache have for them. */
const NESTED: readonly (readonly [field: string, key: string, name: string])[] = [
  ["output_config", "effort", "effort"],
  ["reasoning", "effort", "reasoning_effort"],
  ["text", "verbosity", "verbosity"],
  ["text", "format", "response_format"],
]

function settingsOf(others: JsonObject): Readonly<Record<string, string>> {
  const entries = Object.entries(others).flatMap(([field, value]): readonly (readonly [string, Json])[] => {
    if (!isObject(value)) return [[field, value]]
    const named = NESTED.filter(([outer, key]) => outer === field && value[key] !== undefined)
    const rest = Object.entries(value).filter(([key]) => !named.some(([, inner]) => inner === key))
    return [
      ...named.map(([, key, name]): readonly [string, Json] => [name, value[key] ?? null]),
      ...(rest.length > 0 || named.length === 0 ? [[field, Object.fromEntries(rest)] as const] : []),
    ]
  })
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isDeeperThan(value, DEEPEST) ? "" : canonicalJson(value)]),
  )
}
