// Limits the answers of an HTTP server: no message may be longer than one from a process. A plain answer is one
// message; an event stream has one between two blank lines, and the stream itself may be endless.
import { MOST_MESSAGE } from "../lines.ts"

const LINE_END = 10
const CARRIAGE_RETURN = 13

/** Calls `exceeded` once, before the answer breaks off. */
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

/** The largest size that an event reached within a chunk. */
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
