// Passes lines on, but only so many in a minute: what a server writes goes to the record, and one that floods its
// stderr must not fill it. Says how many were left out, and at the end the last of them: why a server ended is there.
export interface BoundedLines {
  add(line: string): void
  /** Nothing more will come. */
  end(): void
}

const WINDOW_MS = 60_000
const MOST_LINES = 100
const LAST_LINES = 20

/** `now`: milliseconds of a clock that never goes back. */
export function boundedLines(tell: (line: string) => void, now: () => number): BoundedLines {
  let since = now()
  let told = 0
  let leftOut = 0
  let last: string[] = []
  const sayLeftOut = () => {
    const unsaid = leftOut - last.length
    if (unsaid > 0) tell(`(${unsaid} ${unsaid === 1 ? "line" : "lines"} left out)`)
    leftOut = 0
  }
  return {
    add(line) {
      if (now() - since >= WINDOW_MS) {
        last = []
        sayLeftOut()
        since = now()
        told = 0
      }
      if (told < MOST_LINES) {
        told += 1
        return tell(line)
      }
      leftOut += 1
      last = [...last, line].slice(-LAST_LINES)
    },
    end() {
      sayLeftOut()
      for (const line of last) tell(line)
      last = []
    },
  }
}
