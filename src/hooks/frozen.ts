// Immutable copies, for what a hook receives and what it returns.

/** A frozen deep copy of lists and plain objects; other values, such as functions, are kept as they are. */
export function frozenCopy<T>(value: T): T {
  // A copy of a list or a plain object has the same type.
  return copyOf(value, new Map()) as T
}

function copyOf(value: unknown, known: Map<object, unknown>): unknown {
  if (typeof value !== "object" || value === null) return value
  const seen = known.get(value)
  if (seen !== undefined) return seen
  if (Array.isArray(value)) {
    const list: unknown[] = []
    known.set(value, list)
    for (const item of value) list.push(copyOf(item, known))
    return Object.freeze(list)
  }
  if (!isPlain(value)) return value
  const record: Record<string, unknown> = Object.create(null)
  known.set(value, record)
  for (const [key, item] of Object.entries(value)) record[key] = copyOf(item, known)
  // Set last: until then, a key such as "__proto__" is an ordinary key.
  return Object.freeze(Object.setPrototypeOf(record, Object.prototype))
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
