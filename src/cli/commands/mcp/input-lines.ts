// The lines of a stream, each as text, without more of it in memory than one line may have.
import { Buffer } from "node:buffer"

/** Text, or why it isn't one. */
export type InputLine =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "too-long" }
  | { readonly kind: "not-utf-8" }

const NEWLINE = 10

/** Without empty lines. The last one needs no end. */
export async function* inputLines(
  input: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<InputLine> {
  let kept: Uint8Array[] = []
  let bytes = 0
  const keep = (part: Uint8Array) => {
    bytes += part.length
    if (bytes > mostBytes) kept = []
    else kept.push(part)
  }
  const whole = (): InputLine[] => {
    const line: InputLine = bytes > mostBytes ? { kind: "too-long" } : decoded(Buffer.concat(kept))
    kept = []
    bytes = 0
    return line.kind === "text" && line.text.trim() === "" ? [] : [line]
  }
  for await (const chunk of input) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, end))
      start = end + 1
      yield* whole()
    }
    keep(chunk.subarray(start))
  }
  yield* whole()
}

/** Text that isn't UTF-8 would be kept otherwise than it was meant. */
function decoded(bytes: Uint8Array): InputLine {
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) }
  } catch (error) {
    if (error instanceof TypeError) return { kind: "not-utf-8" }
    throw error
  }
}
