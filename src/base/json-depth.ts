// How deeply a JSON value is nested. Check values from outside before walking them: deep nesting overflows the stack of
// any recursive function, JSON.stringify included.

/** Far deeper than any real value. */
export const MAX_JSON_DEPTH = 64

export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1))
}
