// Pure functions that are computed once for each argument. The result depends on the argument alone, so nobody can tell
// that it was kept, and it is forgotten with the argument. Anything else that is cached belongs to an owner with a
// lifetime: a turn, a session, a compiler, an open file.
import type { PrivateField } from "./private-field.ts"

/**
 * For arguments that are never changed. A result lives as long as its argument. A function that lives as long as the
 * program, with an argument for each message, keeps its results in a `privateField`.
 */
export function oncePerObject<K extends object, V>(
  make: (key: K) => V,
  made: PrivateField<K, { readonly value: V }> = new WeakMap(),
): (key: K) => V {
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known.value
    const value = make(key)
    made.set(key, { value })
    return value
  }
}

/** For arguments that a program may change: the result is made again once one of these fields has another value. */
export function oncePerFields<K extends object, V>(
  fields: readonly (keyof K)[],
  make: (key: K) => V,
): (key: K) => V {
  const made = new WeakMap<K, { readonly values: readonly unknown[]; readonly value: V }>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined && fields.every((field, at) => key[field] === known.values[at]))
      return known.value
    const value = make(key)
    made.set(key, { values: fields.map((field) => key[field]), value })
    return value
  }
}

/** For texts. Keeps at most `most` results, and begins again when there are more. */
export function oncePerText<V>(most: number, make: (text: string) => V): (text: string) => V {
  const made = new Map<string, { readonly value: V }>()
  return (text) => {
    const known = made.get(text)
    if (known !== undefined) return known.value
    const value = make(text)
    if (made.size >= most) made.clear()
    made.set(text, { value })
    return value
  }
}
