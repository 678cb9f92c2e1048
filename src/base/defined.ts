// Optional properties are left out rather than undefined, which are two things to the type checker and to JSON.

/** The fields that have a value. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  // Entries of an object with its undefined ones taken out: the type says just that.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
