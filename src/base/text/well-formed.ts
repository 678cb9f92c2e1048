// Replaces unpaired surrogates. Providers refuse a whole request for one of them, and every later request of the
// conversation that contains it. Each becomes U+FFFD, so lengths and offsets don't change.
import { oncePerObject } from "../memo/once.ts"
import { privateField } from "../memo/private-field.ts"

/**
 * Returns the same value if it is well-formed. Results are kept per element of a list, such as a message of a request or
 * a tool, so don't mutate one afterwards.
 */
export function wellFormed<T>(value: T): T {
  // Strings stay strings, and objects keep their fields, except that an ill-formed key may be renamed.
  return repaired(value, repairedElement) as T
}

type Repair = (value: unknown) => unknown

/** `element`: for what is in a list. */
function repaired(value: unknown, element: Repair): unknown {
  if (typeof value === "string") return value.toWellFormed()
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value
  return Array.isArray(value) ? repairedList(value, element) : repairedFields(value, element)
}

/** Requests have the same elements again and again. What they consist of isn't kept: each entry delays the collector. */
const onceRepaired = oncePerObject((value: object) => repaired(value, repairedWithin), privateField())

function repairedElement(value: unknown): unknown {
  return typeof value === "object" && value !== null ? onceRepaired(value) : repaired(value, repairedWithin)
}

function repairedWithin(value: unknown): unknown {
  return repaired(value, repairedWithin)
}

function repairedList(list: readonly unknown[], element: Repair): readonly unknown[] {
  const items = list.map((item) => element(item))
  return items.every((item, at) => item === list[at]) ? list : items
}

function repairedFields(value: object, element: Repair): object {
  const fields = Object.entries(value)
  const items = fields.map(([, item]) => repaired(item, element))
  const isSame = fields.every(([name, item], at) => name.isWellFormed() && item === items[at])
  if (isSame) return value
  const taken = new Set(fields.map(([name]) => name))
  return Object.fromEntries(fields.map(([name], at) => [freeName(name, taken), items[at]]))
}

/** The well-formed name, with underscores appended if another field already has it. */
function freeName(name: string, taken: Set<string>): string {
  if (name.isWellFormed()) return name
  let free = name.toWellFormed()
  while (taken.has(free)) free += "_"
  taken.add(free)
  return free
}
