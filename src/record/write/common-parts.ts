// Parts that many receipts share word for word: the tools, and a run of sections that did not change. Each is parsed
// and split once, and found again by its JSON.
import type { Json } from "./request-marks.ts"
import { containsBlock, type StoredPart, stringsOf, type Taking, takeWhole } from "./request-parts.ts"

export interface CommonPart {
  /** The same object for the same JSON, while it is kept. */
  readonly value: Json
  readonly strings: ReadonlySet<string>
  /** As it is stored where nothing in it is redacted, and no block occurs in it. */
  readonly stored: StoredPart
}

/** Of JSON, in all parts together: enough for those of several hundred sessions. A part takes about twice as much. */
const MOST_CHARACTERS = 8_000_000
/** A longer part is split at each call, so that it doesn't take the place of many others. */
const LONGEST = 200_000
/** What a part takes in addition to its JSON. */
const OVERHEAD = 500

export function createCommonParts(): (json: string) => CommonPart {
  const parts = new Map<string, CommonPart>()
  let held = 0
  return (json) => {
    const known = parts.get(json)
    if (known !== undefined) return known
    const part = readPart(json)
    const size = json.length + OVERHEAD
    if (size > LONGEST) return part
    if (held + size > MOST_CHARACTERS) {
      parts.clear()
      held = 0
    }
    parts.set(json, part)
    held += size
    return part
  }
}

function readPart(json: string): CommonPart {
  // Written as JSON, so it parses as JSON.
  const value = JSON.parse(json) as Json
  return { value, strings: stringsOf(value), stored: takeWhole(value) }
}

/** The parts that are stored the same way in this receipt, by value. */
export function storedAlike(
  parts: readonly CommonPart[],
  changed: ReadonlyMap<string, string>,
  blocks: Taking["blocks"],
): ReadonlyMap<Json, StoredPart> {
  const alike = parts.filter(({ strings }) => !isChanged(strings, changed) && !containsBlock(strings, blocks))
  return new Map(alike.map(({ value, stored }) => [value, stored]))
}

export function isChanged(strings: ReadonlySet<string>, changed: ReadonlyMap<string, string>): boolean {
  return changed.size > 0 && [...changed.keys()].some((text) => strings.has(text))
}
