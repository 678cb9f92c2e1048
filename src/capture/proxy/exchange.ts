// A copy of one request and its answer while they pass, up to a limit. Keeps references to what is forwarded anyway, and
// looks into nothing: that is done afterwards.
import type { RawHeaders } from "./headers.ts"

/** What passed, once it is over. */
export interface Exchange {
  readonly method: string
  /** As the client asked for it. */
  readonly path: string
  readonly requestHeaders: RawHeaders
  /** Undefined if it was too large. */
  readonly request: Buffer | undefined
  readonly status: number
  readonly responseHeaders: RawHeaders
  readonly response: Buffer | undefined
  /** When the request came and when the answer ended, in milliseconds since 1970. */
  readonly from: number
  readonly at: number
}

/** Bytes of one body, and of all copies that are not looked at yet. */
export interface CopyLimits {
  readonly body: number
  readonly all: number
}

export const COPY_LIMITS: CopyLimits = { body: 64 << 20, all: 512 << 20 }

/** What all copies of a proxy take. */
export interface CopyRoom {
  readonly limits: CopyLimits
  used: number
  /** Something has just been forwarded. */
  readonly onPass: () => void
}

export interface Copy {
  take(chunk: Buffer): void
  /** Undefined if there was not enough room. */
  whole(): Buffer | undefined
  /** Gives its room back. */
  drop(): void
}

export function createCopy(room: CopyRoom): Copy {
  let chunks: Buffer[] | undefined = []
  let bytes = 0
  const drop = () => {
    room.used -= bytes
    bytes = 0
    chunks = undefined
  }
  return {
    take(chunk) {
      room.onPass()
      if (chunks === undefined) return
      const isTooMuch = bytes + chunk.length > room.limits.body || room.used + chunk.length > room.limits.all
      if (isTooMuch) return drop()
      bytes += chunk.length
      room.used += chunk.length
      chunks.push(chunk)
    },
    whole() {
      const [first, second] = chunks ?? []
      if (chunks === undefined || (first !== undefined && second === undefined)) return first
      const all = Buffer.concat(chunks)
      chunks = [all]
      return all
    },
    drop,
  }
}
