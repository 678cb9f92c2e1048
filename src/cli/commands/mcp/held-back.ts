// The input of a client, held back while its answers wait to be read: a client that asks and never reads must not fill the
// memory.
import { once } from "node:events"
import { type Readable, Transform, type Writable } from "node:stream"

/** Answers that wait to be read. */
const MOST_WAITING_BYTES = 4_000_000

export function heldBack(input: Readable, output: Writable): Readable {
  const gate = new Transform({
    async transform(chunk, _encoding, done) {
      while (output.writableLength > MOST_WAITING_BYTES && !output.destroyed) await drained(output)
      done(null, chunk)
    },
  })
  // A client that is gone needs no answer; the end of its input ends the server.
  output.on("error", () => gate.end())
  return input.pipe(gate)
}

async function drained(output: Writable): Promise<void> {
  try {
    await once(output, "drain")
  } catch {
    // It failed, and `destroyed` says so.
  }
}
