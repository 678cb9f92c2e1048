// What is piped into a command. A terminal is never waited for; a pipe that nobody writes to or closes, as some CI systems
// leave one open, only for a moment.
import type { Readable } from "node:stream"
import { MOST_BYTES, tooLarge } from "./attachment.ts"

export interface PipedOptions {
  /** How long to wait for the first byte; undefined to wait as long as it takes. */
  readonly waitMs: number | undefined
}

/** Returns undefined if nothing came in time. Throws if more comes than a message can take. */
export async function readPiped(input: Readable, { waitMs }: PipedOptions): Promise<Buffer | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = waitMs === undefined ? undefined : setTimeout(() => resolve(undefined), waitMs)
  try {
    return await Promise.race([readAll(input, () => clearTimeout(timer)), late])
  } finally {
    clearTimeout(timer)
    // An open pipe would keep the process running.
    input.destroy()
  }
}

async function readAll(input: Readable, began: () => void): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of input) {
    began()
    chunks.push(Buffer.from(chunk))
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw tooLarge("stdin", MOST_BYTES)
  }
  return Buffer.concat(chunks)
}
