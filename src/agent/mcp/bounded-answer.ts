// Bounds what an HTTP server answers: no message may be longer than one of a process. An answer is one message; a stream
// of events has one between two blank lines, and may go on for as long as it likes.
import { MOST_MESSAGE } from "./lines.ts"

const LINE_END = 10
const CARRIAGE_RETURN = 13

/** `exceeded` is called once, before the answer breaks off. */
export function boundedFetch(fetch: typeof globalThis.fetch, exceeded: () => void): typeof globalThis.fetch {
  return async (input, init) => {
    const answer = await fetch(input, init)
    if (answer.body === null) return answer
    const isStream = answer.headers.get("content-type")?.includes("text/event-stream") === true
    const { status, statusText, headers } = answer
    return new Response(answer.body.pipeThrough(boundedBytes(isStream, exceeded)), {
      ...{ status, statusText, headers },
    })
  }
}

function boundedBytes(isStream: boolean, exceeded: () => void): TransformStream<Uint8Array, Uint8Array> {
  const sizeAfter = isStream ? eventSize() : totalSize()
  return new TransformStream({
    transform(chunk, controller) {
      if (sizeAfter(chunk) <= MOST_MESSAGE) return controller.enqueue(chunk)
      exceeded()
      controller.error(new Error(`the answer has more than ${MOST_MESSAGE} bytes`))
    },
  })
}

function totalSize(): (chunk: Uint8Array) => number {
  let size = 0
  return (chunk) => {
    size += chunk.length
    return size
  }
}

/** The largest that an event has become with a chunk. */
function eventSize(): (chunk: Uint8Array) => number {
  let size = 0
  let isLineEmpty = true
  return (chunk) => {
    let largest = 0
    for (const byte of chunk) {
      size += 1
      if (byte === LINE_END && isLineEmpty) {
        largest = Math.max(largest, size)
        size = 0
      }
      isLineEmpty = byte === LINE_END || (isLineEmpty && byte === CARRIAGE_RETURN)
    }
    return Math.max(largest, size)
  }
}
