// Omits optional properties instead of setting them to undefined: the type checker and JSON treat the two differently.

/** The fields that have a value. */
export function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  // `fromEntries` loses the keys' types; removing the undefined fields leaves exactly the return type.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
