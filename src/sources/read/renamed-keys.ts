// Keys and values that version 0.1 called something else. They are understood for one more version; a warning names
// the new form.
import type { OnChange } from "../../core/model/on-change.ts"

const KEYS = { need: "priority", freshness: "on_change" } as const
const ON_CHANGE_BEFORE = { update: "append", hold: "wait", rebase: "rebuild" } as const
/** The values of `freshness`. */
export const FRESHNESS = ["update", "hold", "rebase", "turn", "step", "always"] as const

export interface RenamedKey {
  readonly key: string
  /** As it was written, and as it is written now: `need: low` and `priority: low`, or the keys alone. */
  readonly was: string
  readonly now: string
}

/** If both forms are there, the new one counts. */
export function withNewKeys(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { need, freshness, ...rest } = fields
  return {
    ...(need !== undefined && { priority: need }),
    ...(freshness !== undefined && { on_change: newOnChange(freshness) }),
    ...rest,
  }
}

export function renamedKeys(fields: Readonly<Record<string, unknown>>): readonly RenamedKey[] {
  return Object.entries(KEYS).flatMap(([key, name]) => {
    const value = fields[key]
    if (typeof value !== "string") return []
    // Any other value is wrong in both forms, and may be long or take several lines.
    if (!/^[a-z]{1,20}$/.test(value)) return [{ key, was: key, now: name }]
    return [{ key, was: `${key}: ${value}`, now: `${name}: ${key === "need" ? value : newOnChange(value)}` }]
  })
}

export function newOnChange(value: (typeof FRESHNESS)[number]): OnChange
export function newOnChange(value: unknown): unknown
export function newOnChange(value: unknown): unknown {
  if (value === "update" || value === "hold" || value === "rebase") return ON_CHANGE_BEFORE[value]
  return value
}
