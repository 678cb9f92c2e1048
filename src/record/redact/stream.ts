// Takes secrets out of a text that comes piece by piece: what may be the beginning of a value is held back until it is
// known to be one or not. Everything else is let through at once.

export interface SecretStream {
  /** What may be shown now. */
  push(text: string): string
  /** What was held back and turned out to be no value. */
  end(): string
}

export interface Needles {
  /** The longest first. */
  readonly needles: readonly string[]
  /** Finds the first of them, and of those that begin there the longest; nothing if there are none. */
  readonly pattern: RegExp | undefined
}

/** `least`: how much of the beginning of a value is held back; any of it if absent. */
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
        // One that begins where text is held back may turn out to be a longer one.
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

/** Where the longest end of the text starts that is the beginning of a value. */
function holdFrom(text: string, from: number, needles: readonly string[], least: number): number {
  const longest = needles[0]?.length ?? 0
  for (let at = Math.max(from, text.length - longest + 1); at <= text.length - least; at += 1) {
    const end = text.slice(at)
    if (needles.some((needle) => needle.length > end.length && needle.startsWith(end))) return at
  }
  return text.length
}
