// The order in which a model reads the items of a conversation, for every driver.
import type { StoredItem } from "./transcripts.ts"

/**
 * Moves items that came from outside during a turn to after it. They may be stored between a call and its result, and
 * the model reads them with the next turn.
 */
export function inOrder(items: readonly StoredItem[]): readonly StoredItem[] {
  const ends = new Map(items.map(({ turn }, at) => [turn, at]))
  const ordered: StoredItem[] = []
  let held: readonly StoredItem[] = []
  let end = -1
  for (const [at, item] of items.entries()) {
    if (item.turn !== undefined) end = Math.max(end, ends.get(item.turn) ?? at)
    if (item.turn === undefined && at < end) held = [...held, item]
    else ordered.push(item)
    if (at < end) continue
    ordered.push(...held)
    held = []
  }
  return ordered
}
