// Removes secrets from streamed text: holds back what may be the beginning of a value until it is clear. Lets
// everything else through at once.

export interface SecretStream {
  /** Returns what may be shown now. */
  push(text: string): string
  /** Returns the held-back text that turned out not to be a value. */
  end(): string
}

export interface Needles {
  /** Longest first. */
  readonly needles: readonly string[]
  /** Matches the first of them, and the longest at that position; undefined if there are none. */
  readonly pattern: RegExp | undefined
}

/** `least`: how many characters of a value's beginning are held back. Default: 1. */
export function createSecretStream(known: () => Needles, mark: string, least = 1): SecretStream {
  let held = ""
  return {
    push(text) {
      const { needles, pattern } = known()
      if (pattern === undefined) return text
      const waiting = held + text
      let shown = ""
      for (let at = 0; ; ) {
        const hold = holdFrom(waiting, at, needles, least)
        pattern.lastIndex = at
        const found = pattern.exec(waiting)
        // A match where text is held back may turn out to be a longer one.
        if (found === null || found.index >= hold) {
          held = waiting.slice(hold)
          return shown + waiting.slice(at, hold)
        }
        shown += waiting.slice(at, found.index) + mark
        at = found.index + found[0].length
      }
    },
    end() {
      const { pattern } = known()
      const rest = pattern === undefined ? held : held.replaceAll(pattern, mark)
      held = ""
      return rest
    },
  }
}

/** The start of the longest suffix that is the beginning of a value. */
function holdFrom(text: string, from: number, needles: readonly string[], least: number): number {
  const longest = needles[0]?.length ?? 0
  for (let at = Math.max(from, text.length - longest + 1); at <= text.length - least; at += 1) {
    const end = text.slice(at)
    if (needles.some((needle) => needle.length > end.length && needle.startsWith(end))) return at
  }
  return text.length
}
