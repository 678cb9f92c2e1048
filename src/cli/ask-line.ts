// Asks a person at a terminal for one line.
import { createInterface } from "node:readline"
import type { Streams } from "./terminal.ts"

/** Nothing if the input ended, or if somebody wants to stop. Between two questions Ctrl-C is the terminal's own. */
export function askLine(
  { input, output }: Streams,
  prompt: string,
  stopping?: AbortSignal,
): Promise<string | undefined> {
  if (stopping?.aborted) return Promise.resolve(undefined)
  const lines = createInterface({ input, output, prompt, historySize: 0 })
  return new Promise((done) => {
    const end = (line: string | undefined) => {
      stopping?.removeEventListener("abort", stop)
      lines.removeAllListeners("close")
      lines.close()
      if (line === undefined) output.write("\n")
      done(line)
    }
    const stop = () => end(undefined)
    stopping?.addEventListener("abort", stop)
    lines.once("line", end).once("SIGINT", stop).once("close", stop)
    lines.prompt()
  })
}
