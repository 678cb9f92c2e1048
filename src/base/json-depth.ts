// How deep a value of JSON goes. Values from elsewhere are looked at before anything walks through them: what is deep
// enough overflows the stack of whoever does, JSON.stringify among them.

/** Far deeper than anything that people or programs mean. */
export const MAX_JSON_DEPTH = 64

export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1))
}
