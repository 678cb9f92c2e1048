// Splits a process's output into lines: whole lines up to a length limit, and pieces of lines that never end.
import type { Readable } from "node:stream"
import type { SecretStream } from "../../record/redact/stream.ts"

/** In bytes; no message of a server needs more. */
export const MOST_MESSAGE = 10 * 1024 * 1024

/** Takes bytes as they arrive and returns the complete lines. A line's bytes are joined once, when it ends. */
export function wholeLines(mostBytes: number): (chunk: Buffer) => readonly string[] {
  let parts: Buffer[] = []
  let bytes = 0
  return (chunk) => {
    const lines: string[] = []
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      parts.push(chunk.subarray(from, end))
      lines.push(Buffer.concat(parts).toString("utf8").replace(/\r$/, ""))
      parts = []
      bytes = 0
      from = end + 1
    }
    const rest = chunk.subarray(from)
    parts.push(rest)
    bytes += rest.length
    if (bytes > mostBytes) throw new RangeError(`more than ${mostBytes} bytes without a line break`)
    return lines
  }
}

export interface LineOptions {
  readonly mostLine: number
  readonly tell: (line: string) => void
  /** Removes the agent's own keys before any cut: half a key is no longer recognised. */
  readonly secrets: SecretStream
}

/** Passes an endless line on in pieces. */
export function readLines(stream: Readable, { mostLine, tell, secrets }: LineOptions): void {
  let rest = ""
  stream.setEncoding("utf8")
  stream.on("data", (text: string) => {
    const lines = (rest + secrets.push(text)).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) tell(line.slice(0, mostLine))
    for (; rest.length > mostLine; rest = rest.slice(mostLine)) tell(rest.slice(0, mostLine))
  })
  stream.on("end", () => {
    const last = rest + secrets.end()
    if (last !== "") tell(last.slice(0, mostLine))
  })
}
