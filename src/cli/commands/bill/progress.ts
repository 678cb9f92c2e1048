// One line on stderr while files are read, written over and over, for a person at a terminal.
import { bytesText } from "../../../base/data-size.ts"
import type { BillProgress } from "../../../capture/bill/question.ts"
import type { FlagsOf } from "../../command-line/invocation.ts"
import type { Terminal } from "../../terminal.ts"

const CLEAR = "\r\u001b[K"
const EVERY_MS = 100

export interface Progress {
  readonly show: (progress: BillProgress) => void
  readonly clear: () => void
}

const DOING = { usage: "Reading", details: "Attributing" } as const

export function progressOn({ json }: Pick<FlagsOf<"bill">, "json">, terminal: Terminal): Progress {
  if (json || terminal.streams?.output.isTTY !== true) return { show: () => {}, clear: () => {} }
  let shownAt = 0
  return {
    show({ phase, doneBytes, bytes }) {
      const now = performance.now()
      if (now - shownAt < EVERY_MS) return
      shownAt = now
      terminal.err(`${CLEAR}${DOING[phase]} ${bytesText(doneBytes)} of ${bytesText(bytes)}`)
    },
    clear() {
      if (shownAt > 0) terminal.err(CLEAR)
    },
  }
}
