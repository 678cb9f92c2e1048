// Lines of what a process writes: whole ones, of which none may be too long, and pieces of those that never end.
import type { Readable } from "node:stream"

/** Takes in bytes as they come and gives the lines that are complete. A line's bytes are joined once, when it ends. */
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
    if (bytes > mostBytes) throw new RangeError(`more than ${mostBytes} bytes without an end of line`)
    return lines
  }
}

/** A line that never ends is told in pieces. */
export function readLines(stream: Readable, mostLine: number, tell: (line: string) => void): void {
  let rest = ""
  stream.setEncoding("utf8")
  stream.on("data", (text: string) => {
    const lines = (rest + text).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) tell(line.slice(0, mostLine))
    for (; rest.length > mostLine; rest = rest.slice(mostLine)) tell(rest.slice(0, mostLine))
  })
  stream.on("end", () => rest !== "" && tell(rest))
}
