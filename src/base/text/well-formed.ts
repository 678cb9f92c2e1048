// Replaces unpaired surrogates. Providers refuse a whole request for one of them, and every later request of the
// conversation that contains it. Each becomes U+FFFD, so lengths and offsets don't change.
import { oncePerObject } from "../once.ts"

/** Returns the same value if it is well-formed. Results are kept per object, so don't mutate one afterwards. */
export function wellFormed<T>(value: T): T {
  // Strings stay strings, and objects keep their fields, except that an ill-formed key may be renamed.
  return repaired(value) as T
}

function repaired(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed()
  const isPlain = typeof value === "object" && value !== null && !ArrayBuffer.isView(value)
  return isPlain ? repairedObject(value) : value
}

const repairedObject = oncePerObject((value: object): object =>
  Array.isArray(value) ? repairedList(value) : repairedFields(value),
)

function repairedList(list: readonly unknown[]): readonly unknown[] {
  const items = list.map(repaired)
  return items.every((item, at) => item === list[at]) ? list : items
}

function repairedFields(value: object): object {
  const fields = Object.entries(value)
  const items = fields.map(([, item]) => repaired(item))
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
