// Splits a request of any provider into its parts, normalised: a string equals one block of text, cache marks are lifted,
// and what a client changes on every call without changing the prompt is no part. Two requests share a cached prefix as
// far as the digests of their parts agree from the start. Does not say whose text a part is.
import { isDeeperThan } from "../../base/json-depth.ts"
import type { Counter } from "../../core/model/counter.ts"
import { type Ref, refOf } from "../../database/text-ref.ts"
import type { Json, JsonObject } from "../../record/write/request-marks.ts"
import {
  type RememberGroup,
  type RequestUnit,
  requestUnits,
  type UnitGroup,
} from "../../record/write/request-units.ts"
import { ttlOf } from "../../render/cache/cache-rule.ts"
import { ruleFor } from "../../render/cache/cache-rules.ts"
import type { Format } from "../call.ts"
import { describeUnit, type UnitDescription } from "./describe-unit.ts"
import type { CallPart } from "./part.ts"

export interface SplitCall {
  /** In prefix order: tools, system text, messages. */
  readonly parts: readonly CallPart[]
  /** What is not text but invalidates caches, such as the model or the tool choice, as canonical JSON. */
  readonly settings: Readonly<Record<string, string>>
}

export type Splitter = (request: JsonObject, format: Format) => SplitCall

/**
 * Keeps what it has counted by digest, so that the same part is counted once for all calls; and what it has split by
 * object, so that a request that shares its messages with the one before costs only what is new.
 */
export function createSplitter(options: { readonly counter: Counter }): Splitter {
  const { counter } = options
  const remember = rememberGroups()
  const described = new WeakMap<UnitGroup, readonly DescribedUnit[]>()
  const tokensOf = new Map<Ref, number>()
  const count = ({ text, unread = 0 }: UnitDescription, digest: Ref) => {
    const known = tokensOf.get(digest) ?? counter.count(text) + unread
    tokensOf.set(digest, known)
    return known
  }
  const describeGroup = (group: UnitGroup) => {
    const known = described.get(group) ?? group.flatMap((unit) => describedUnit(unit, count))
    described.set(group, known)
    return known
  }
  return (request, format) => {
    const { groups, settings, mark } = requestUnits(request, remember)
    const usual = usualLifetime(request, format)
    const calls = new Map<string, Asked>()
    const parts = groups.flatMap(describeGroup).map((unit) => partOf(unit, usual, calls))
    const last = parts.pop()
    if (last !== undefined) parts.push(mark ? { ...last, breakpoint: mark.ttl ?? usual } : last)
    return { parts, settings }
  }
}

/**
 * By the object that a group was made from, as long as it stays at its place; and for requests that come from the wire,
 * by what the last one had at that place.
 */
function rememberGroups(): RememberGroup {
  const byObject = new WeakMap<object, { readonly place: string; readonly group: UnitGroup }>()
  const byPlace = new Map<string, { readonly json: string; readonly group: UnitGroup }>()
  return (value, place, make) => {
    if (typeof value !== "object" || value === null) return make()
    const kept = byObject.get(value)
    if (kept?.place === place) return kept.group
    const json = isDeeperThan(value, DEEPEST) ? undefined : JSON.stringify(value)
    const last = byPlace.get(place)
    if (json !== undefined && last?.json === json) return last.group
    const group = make()
    byObject.set(value, { place, group })
    if (json !== undefined) byPlace.set(place, { json, group })
    return group
  }
}

interface DescribedUnit {
  readonly part: CallPart
  /** Links a call and its result. */
  readonly call: string | undefined
  /** Whether it ends with a mark that names no lifetime. */
  readonly isUsual: boolean
}

/** Far deeper than any real request. Deeper values are not looked into. */
const DEEPEST = 128

function describedUnit(
  given: RequestUnit,
  count: (description: UnitDescription, digest: Ref) => number,
): readonly DescribedUnit[] {
  const unit = isDeeperThan(given.value, DEEPEST) ? { ...given, value: "[too deeply nested]" } : given
  const value = withoutBillingLine(unit)
  if (value === "") return []
  const description = describeUnit({ ...unit, value })
  const { kind, role, tool, call, input, text, identity } = description
  const digest = refOf(identity)
  const { tier, path, mark } = unit
  const tokens = count(description, digest)
  const part = { tier, kind, path, role, tool, input, text, digest, tokens, breakpoint: mark?.ttl }
  return [{ part, call, isUsual: mark !== undefined && mark.ttl === undefined }]
}

/** The line by which Claude Code is billed: it differs on every call, and the provider does not count it. */
const BILLING_LINE = /^x-anthropic-billing-header:[^\n]*\n*/

function withoutBillingLine({ tier, value }: RequestUnit): Json {
  if (tier !== "system") return value
  if (typeof value === "string") return value.replace(BILLING_LINE, "")
  if (typeof value !== "object" || value === null || !("text" in value)) return value
  const { text } = value
  if (typeof text !== "string" || !BILLING_LINE.test(text)) return value
  const rest = text.replace(BILLING_LINE, "")
  return rest === "" ? "" : { ...value, text: rest }
}

/** The lifetime of a mark that names none. */
function usualLifetime(request: JsonObject, format: Format): string {
  if (format === "anthropic") return "5m"
  return ttlOf(ruleFor(typeof request.model === "string" ? request.model : undefined), undefined).name
}

/** Calls that are linked to results in the same way. */
interface Asked {
  readonly waiting: CallPart[]
  /** The one that was answered last. */
  last: CallPart | undefined
}

/** With what only the whole request says: the default lifetime, and the call that a result answers. */
function partOf(unit: DescribedUnit, usual: string, calls: Map<string, Asked>): CallPart {
  const { part, isUsual } = unit
  // Some calls have no id; the first result of a tool answers its first call.
  const link = unit.call ?? (part.tool === undefined ? "" : `tool ${part.tool}`)
  if (part.kind === "tool-call") {
    const known = calls.get(link) ?? { waiting: [], last: undefined }
    known.waiting.push(part)
    calls.set(link, known)
  }
  const asked = part.kind === "tool-result" ? answered(calls.get(link)) : undefined
  if (asked === undefined && !isUsual) return part
  return {
    ...part,
    ...(asked && { tool: asked.tool, input: asked.input }),
    ...(isUsual && { breakpoint: usual }),
  }
}

/** Some clients send a result twice: without a call that waits, it is the last one's. */
function answered(asked: Asked | undefined): CallPart | undefined {
  if (asked === undefined) return undefined
  asked.last = asked.waiting.shift() ?? asked.last
  return asked.last
}
