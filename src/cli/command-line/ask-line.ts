// Asks a person at a terminal for one line.
import { createInterface } from "node:readline"
import type { Streams } from "../views/terminal.ts"

export interface AskOptions {
  /** Lines above the prompt. Whoever reads them can answer: the terminal already gives every key as it is typed. */
  readonly above?: string
  readonly stopping?: AbortSignal
}

/** Nothing if the input ended, or if somebody wants to stop. Between two questions Ctrl-C is the terminal's own. */
export function askLine(
  { input, output }: Streams,
  prompt: string,
  { above = "", stopping }: AskOptions = {},
): Promise<string | undefined> {
  // Of an input that has ended nobody would ever hear again.
  if (stopping?.aborted || input.readableEnded) return Promise.resolve(undefined)
  const lines = createInterface({ input, output, prompt, historySize: 0 })
  return new Promise((done) => {
    const end = (line: string | undefined) => {
      stopping?.removeEventListener("abort", stop)
      // Its own listeners must hear of the end, or it would go on echoing under the next question.
      lines.off("close", stop)
      lines.close()
      if (line === undefined) output.write("\n")
      done(line)
    }
    const stop = () => end(undefined)
    stopping?.addEventListener("abort", stop)
    lines.once("line", end).once("SIGINT", stop).once("close", stop)
    output.write(above)
    lines.prompt()
  })
}
