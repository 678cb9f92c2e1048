// Where two requests of a conversation first differ, as a provider's cache sees them: in a setting, a tool, or a part of
// the text; and how much of what had to be paid for again was there before. Pure.
import type { CacheRule, Tier } from "../../../render/cache/cache-rule.ts"
import { TIERS } from "../../../render/cache/cache-rule.ts"
import { jsonObject } from "../../json-object.ts"
import type { CallPart } from "../../split/part.ts"
import type { SplitCall } from "../../split/splitter.ts"

export type Difference =
  | { readonly kind: "setting"; readonly name: string; readonly before: string; readonly after: string }
  | {
      readonly kind: "part"
      readonly how: "came" | "went" | "changed" | "moved"
      /** Index in the earlier and in the later request, of the part that it is about. */
      readonly before: number | undefined
      readonly after: number | undefined
    }

/**
 * Undefined if the later request only adds to the earlier one, or if what differs comes after the last mark of the
 * earlier one, which left nothing of it in the cache.
 */
export function firstDifference(
  before: SplitCall,
  after: SplitCall,
  rule: CacheRule,
): Difference | undefined {
  const at = sharedParts(before, after)
  const setting = changedSetting(before, after, rule)
  const end = keptParts(before, rule)
  if (setting !== undefined && (at >= end || isBefore(setting.tier, before.parts[at])))
    return setting.difference
  return at >= end ? undefined : partDifference(before.parts, after.parts, at)
}

/** How many parts agree from the start. */
export function sharedParts(before: SplitCall, after: SplitCall): number {
  const most = Math.min(before.parts.length, after.parts.length)
  let at = 0
  while (at < most && before.parts[at]?.digest === after.parts[at]?.digest) at += 1
  return at
}

/** How many of the parts that the earlier request left in the cache are not in the later one. */
export function goneParts(before: SplitCall, after: SplitCall, rule: CacheRule): number {
  const [shared, end] = [sharedParts(before, after), keptParts(before, rule)]
  if (shared >= end) return 0
  const later = new Set(after.parts.slice(shared).map(({ digest }) => digest))
  return before.parts.slice(shared, end).filter(({ digest }) => !later.has(digest)).length
}

/** How many parts of a request stay in the cache: up to its last mark, where marks decide. */
function keptParts({ parts }: SplitCall, rule: CacheRule): number {
  if (rule.lookup !== "breakpoint" || rule.implicit) return parts.length
  const last = parts.findLastIndex(({ breakpoint }) => breakpoint !== undefined)
  return last === -1 ? parts.length : last + 1
}

function isBefore(tier: Tier, part: CallPart | undefined): boolean {
  return part === undefined || TIERS.indexOf(tier) <= TIERS.indexOf(part.tier)
}

function partDifference(before: readonly CallPart[], after: readonly CallPart[], at: number): Difference {
  const [was, is] = [before[at], after[at]]
  const isLater = (parts: readonly CallPart[], part: CallPart | undefined) =>
    part !== undefined && parts.some(({ digest }, index) => index > at && digest === part.digest)
  const [stays, wasThere] = [isLater(after, was), isLater(before, is)]
  if (stays && wasThere) return { kind: "part", how: "moved", before: at, after: at }
  if (is === undefined || wasThere) return { kind: "part", how: "went", before: at, after: undefined }
  if (stays) return { kind: "part", how: "came", before: undefined, after: at }
  if (was?.tier === "tools" || is.tier === "tools") return toolDifference(before, after, at)
  return { kind: "part", how: "changed", before: at, after: at }
}

/** Tools have names, so that one that was replaced is told from one that was edited. */
function toolDifference(before: readonly CallPart[], after: readonly CallPart[], at: number): Difference {
  const [was, is] = [before[at], after[at]]
  const named = (parts: readonly CallPart[], part: CallPart | undefined) =>
    part === undefined || part.tier !== "tools"
      ? -1
      : parts.findIndex(({ tier, tool }) => tier === "tools" && tool === part.tool)
  const [wasIn, isIn] = [named(after, was), named(before, is)]
  if (was?.tier === "tools" && wasIn === -1)
    return { kind: "part", how: "went", before: at, after: undefined }
  if (is?.tier === "tools" && isIn === -1) return { kind: "part", how: "came", before: undefined, after: at }
  return { kind: "part", how: "changed", before: at, after: wasIn === -1 ? at : wasIn }
}

interface ChangedSetting {
  readonly tier: Tier
  readonly difference: Difference
}

/** Fields that say where and for how long a prefix is cached. */
const CACHE_SETTING = /cache_(?:key|retention|options)/

/** The setting that invalidates most. The model is not one of them: it has a cause of its own. */
function changedSetting(before: SplitCall, after: SplitCall, rule: CacheRule): ChangedSetting | undefined {
  const names = new Set([...Object.keys(before.settings), ...Object.keys(after.settings)])
  const changed = [...names].flatMap((name): readonly ChangedSetting[] => {
    const [was, is] = [before.settings[name] ?? "", after.settings[name] ?? ""]
    const tier = was === is || name === "model" ? undefined : invalidatedTier(name, was, is, rule)
    return tier === undefined ? [] : [{ tier, difference: { kind: "setting", name, before: was, after: is } }]
  })
  return changed.toSorted((one, other) => TIERS.indexOf(one.tier) - TIERS.indexOf(other.tier))[0]
}

/** From which tier on a changed field invalidates the cache: by its own name, or by the name of a field in it. */
function invalidatedTier(name: string, was: string, is: string, rule: CacheRule): Tier | undefined {
  if (CACHE_SETTING.test(name)) return "tools"
  const own = tierOf(name, rule)
  if (own !== undefined) return own
  const [one, other] = [jsonObject(was) ?? {}, jsonObject(is) ?? {}]
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    if (JSON.stringify(one[key]) === JSON.stringify(other[key])) continue
    const tier = tierOf(key, rule) ?? tierOf(`${name}_${key}`, rule)
    if (tier !== undefined) return tier
  }
  return undefined
}

function tierOf(name: string, { invalidates }: CacheRule): Tier | undefined {
  return Object.hasOwn(invalidates, name) ? invalidates[name] : undefined
}

/**
 * Of the parts behind what was read, the tokens that the earlier request had, too, as a share of the later request. A
 * part that was edited counts as a whole, and so does a tool or a system text that changed as well.
 */
export function resentShare(
  before: SplitCall,
  after: SplitCall,
  { readShare, edited }: { readonly readShare: number; readonly edited: number | undefined },
): number {
  const known = new Set(before.parts.map(({ digest }) => digest))
  const still = new Set(after.parts.map(({ digest }) => digest))
  const gone = new Set(before.parts.filter(({ digest }) => !still.has(digest)).map(replacedName))
  const all = after.parts.reduce((sum, { tokens }) => sum + tokens, 0)
  let end = 0
  let again = 0
  for (const [at, part] of after.parts.entries()) {
    const { tokens, digest, tier } = part
    end += tokens
    const isReplaced = tier !== "messages" && gone.has(replacedName(part))
    if (at === edited || known.has(digest) || isReplaced)
      again += Math.max(0, Math.min(tokens, end - readShare * all))
  }
  return all === 0 ? 0 : again / all
}

/** The same for a tool or a system text before and after it was edited. */
function replacedName({ tier, tool = "" }: CallPart): string {
  return `${tier} ${tool}`
}
