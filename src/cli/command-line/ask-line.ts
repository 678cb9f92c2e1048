// Asks a person at a terminal for one line.
import { createInterface } from "node:readline"
import type { Streams } from "../terminal.ts"

export interface AskOptions {
  /** Lines above the prompt. They can be answered as soon as they show: the terminal is already in raw mode. */
  readonly above?: string
  readonly stopping?: AbortSignal
}

/**
 * Returns undefined if the input ended or the user wants to stop. Between two questions, Ctrl-C is handled by the
 * terminal.
 */
export function askLine(
  { input, output }: Streams,
  prompt: string,
  { above = "", stopping }: AskOptions = {},
): Promise<string | undefined> {
  // An input that has ended emits no further events.
  if (stopping?.aborted || input.readableEnded) return Promise.resolve(undefined)
  const lines = createInterface({ input, output, prompt, historySize: 0 })
  return new Promise((done) => {
    const end = (line: string | undefined) => {
      stopping?.removeEventListener("abort", stop)
      // Its own listeners must see the end, or it would keep echoing under the next question.
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
