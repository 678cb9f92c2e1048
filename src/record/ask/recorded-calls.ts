// Recorded calls as a provider's cache saw them: tools, system text and parts of the conversation by digest, with the
// marks that were sent, so that they can be simulated under other rules. Knows the fields of all providers.
import { canonicalJson } from "../../base/digest.ts"
import type { Counter } from "../../core/model/counter.ts"
import type { RecordStore } from "../../database/contract/record/record-store.ts"
import { refOf } from "../../database/text-ref.ts"
import { type Tier, ttlOf } from "../../render/cache/cache-rule.ts"
import { ruleFor } from "../../render/cache/cache-rules.ts"
import type { Call, Piece } from "../../render/cache/call.ts"
import { lifetimeOf } from "../write/mark-places.ts"
import { isList, isObject, type Json, type JsonObject, liftMarks, type Mark } from "../write/request-marks.ts"
import { conversationField } from "../write/request-parts.ts"
import { receiptOf, replayOf, textsOf } from "./replay.ts"

/** Which recorded calls are wanted, and how their texts are counted. */
export interface RecordedCallsOptions {
  readonly counter: Counter
  readonly session?: string | undefined
  /** Milliseconds since 1970; `since` is included, `until` is not. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  /** Called for each call whose texts are damaged: its real content is unknown, so it is left out. */
  readonly onDamaged?: (turn: string, step: number) => void
}

/**
 * The calls of a record, for `simulate`: the answered steps of turns, in order; not side requests such as a summary. Token counts do not include a model's
 * factor.
 */
export async function* recordedCalls(
  store: RecordStore,
  options: RecordedCallsOptions,
): AsyncGenerator<Call> {
  const { counter, session, since = 0, until = Number.MAX_SAFE_INTEGER, onDamaged } = options
  const texts = textsOf(store)
  const measure = measurer(counter)
  let start: number | undefined
  for (const row of await store.receipts.answered({ since, until, session })) {
    const receipt = receiptOf(row)
    start ??= receipt.at
    const { request, damaged } = await replayOf(store, receipt, texts)
    if (damaged.length > 0) {
      onDamaged?.(receipt.turn, receipt.step)
      continue
    }
    const { value, marks } = liftMarks(request)
    const body = requestFields(value)
    const units = requestUnits(body)
    const lifetimes = lifetimesOf(units, marks, ttlOf(ruleFor(receipt.model), undefined).name)
    yield {
      at: receipt.at - start,
      output: row.output,
      blocks: units.map(({ tier, value: unit }, at) => ({
        tier,
        pieces: measure(jsonText(unit)),
        ...(lifetimes.has(at) && { breakpoint: lifetimes.get(at) ?? "" }),
      })),
      settings: { ...settingsOf(body), model: receipt.model },
    }
  }
}

/** One provider keeps everything but the conversation in a field of its own. */
function requestFields(value: Json): JsonObject {
  if (!isObject(value)) return {}
  const { config, ...rest } = value
  return isObject(config) ? { ...rest, ...config } : value
}

type Path = readonly (string | number)[]

/** A unit that a cached prefix can end with, and its place in the request. */
interface Unit {
  readonly tier: Tier
  readonly path: Path
  readonly value: Json
}

const SYSTEM_FIELDS = ["system", "systemPrompt", "instructions", "system_instruction", "systemInstruction"]
const TOOL_FIELDS = ["tools", "toolConfig"]

/** In prefix order. */
function requestUnits(body: JsonObject): readonly Unit[] {
  const name = conversationField(body)
  const tools = TOOL_FIELDS.flatMap((field) => leaves("tools", [field], body[field]))
  const system = SYSTEM_FIELDS.flatMap((field) => leaves("system", [field], body[field]))
  const said = name === undefined ? undefined : body[name]
  const items = name !== undefined && isList(said) ? said : []
  return [...tools, ...system, ...items.flatMap((item, at) => contentUnits(item, [name ?? "", at]))]
}

/** Fields in which a provider nests the list. */
const LISTS = ["tools", "functionDeclarations", "parts"]

function leaves(tier: Tier, path: Path, value: Json | undefined): readonly Unit[] {
  if (value === undefined) return []
  if (isList(value)) return value.flatMap((item, at) => leaves(tier, [...path, at], item))
  const list = isObject(value) ? LISTS.find((name) => isList(value[name])) : undefined
  if (!isObject(value) || list === undefined) return [{ tier, path, value }]
  return leaves(tier, [...path, list], value[list])
}

const PARTS = ["content", "parts", "output", "tool_calls"]

/** A text and a list with one text are equal: an SDK writes one or the other, depending on whether it is marked. */
function contentUnits(item: Json, path: Path): readonly Unit[] {
  if (!isObject(item)) return [{ tier: "messages", path, value: item }]
  const tier = item.role === "system" || item.role === "developer" ? "system" : "messages"
  const parts = PARTS.flatMap((field): readonly Unit[] => {
    const value = item[field]
    if (isList(value)) return value.map((part, at) => ({ tier, path: [...path, field, at], value: part }))
    return typeof value === "string" && value !== "" ? [{ tier, path: [...path, field], value }] : []
  })
  return parts.length === 0 ? [{ tier, path, value: item }] : parts
}

function settingsOf(body: JsonObject): Readonly<Record<string, string>> {
  const texts = [...TOOL_FIELDS, ...SYSTEM_FIELDS, conversationField(body)]
  const others = Object.entries(body).filter(([name]) => !texts.includes(name))
  return Object.fromEntries(others.map(([name, value]) => [name, canonicalJson(value)]))
}

/** By unit. A mark is in a part, in the message around it, or after a part as a separate item. */
function lifetimesOf(
  units: readonly Unit[],
  marks: readonly Mark[],
  usual: string,
): ReadonlyMap<number, string> {
  const lifetimes = new Map<number, string>()
  for (const mark of marks) {
    const place = markPath(mark, marks)
    const unit = units.findLastIndex(({ path }) => isWithin(path, place) || isWithin(place, path))
    if (unit !== -1) lifetimes.set(unit, lifetimeOf(mark[2]) ?? usual)
  }
  return lifetimes
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

function jsonText(value: Json): string {
  if (typeof value === "string") return value
  return isObject(value) && typeof value.text === "string" ? value.text : canonicalJson(value)
}

/** Paragraph by paragraph, since some providers match a prefix at any end; each text is measured once. */
function measurer(counter: Counter): (text: string) => readonly Piece[] {
  const known = new Map<string, readonly Piece[]>()
  return (text) => {
    const pieces =
      known.get(text) ??
      text.split(/(?<=\n\n)/).map((part) => ({ key: refOf(part), tokens: counter.count(part) }))
    known.set(text, pieces)
    return pieces
  }
}
