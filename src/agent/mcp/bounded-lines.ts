// Passes on a limited number of lines per minute: a server's stderr goes to the record, and a flood must not fill it.
// Reports how many lines were left out, and at the end the last of them, since they tell why a server ended.
export interface BoundedLines {
  add(line: string): void
  /** No more lines will come. */
  end(): void
}

const WINDOW_MS = 60_000
const MOST_LINES = 100
const LAST_LINES = 20

/** `now`: milliseconds of a monotonic clock. */
export function boundedLines(tell: (line: string) => void, now: () => number): BoundedLines {
  let since = now()
  let shown = 0
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
        shown = 0
      }
      if (shown < MOST_LINES) {
        shown += 1
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
