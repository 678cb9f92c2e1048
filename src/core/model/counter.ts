// The interface of a tokenizer. Implementations are in `tokens/`, or come from the caller.

/** Counts tokens. Synchronous, never throws, and always gives the same number for the same text. */
export interface Counter {
  /** The name of the encoding, for example "o200k". */
  readonly name: string
  count(text: string): number
  /**
   * The UTF-16 offset at which the first `limit` tokens end. Never splits a surrogate pair. Only a hint for cutting:
   * text cut there may count one or two tokens differently, so the cutter counts again.
   */
  prefix(text: string, limit: number): number
}

/** Makes a counter from a count function; `prefix` bisects. */
export function counterFrom(name: string, count: (text: string) => number): Counter {
  return { name, count, prefix: (text, limit) => bisect(text, limit, count) }
}

function bisect(text: string, limit: number, count: (text: string) => number): number {
  let low = 0
  let high = text.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (count(text.slice(0, middle)) <= limit) low = middle
    else high = middle - 1
  }
  return splitsPair(text, low) ? low - 1 : low
}

function splitsPair(text: string, offset: number): boolean {
  const before = text.charCodeAt(offset - 1)
  const after = text.charCodeAt(offset)
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff
}
