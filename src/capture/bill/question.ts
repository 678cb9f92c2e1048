// What a bill is asked for, and how its making is told.
import type { Price } from "../../render/cache/price.ts"
import type { CalledUsage, Client } from "../call.ts"
import type { CaptureReader, ReaderMachine } from "../clients/reader.ts"

export interface BillQuestion {
  readonly machine: ReaderMachine
  /** If two of them find the same call, the earlier one's counts: those that know requests exactly come first. */
  readonly readers: readonly CaptureReader[]
  /** Where every reader looks; by default the folders of each reader. */
  readonly folders?: readonly string[] | undefined
  readonly client?: Client | undefined
  /** Milliseconds since 1970; `since` is included, `until` is not. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  /** As the client names it, or the beginning of it. */
  readonly session?: string | undefined
  /** What else a call has to be. */
  readonly isAsked?: ((call: CalledUsage) => boolean) | undefined
  readonly timeZone: string
  readonly priceOf: (model: string, at: number) => Price | null
  /** False: only sums, which are fast; no owners, misses or advice. */
  readonly details?: boolean | undefined
  readonly onProgress?: ((progress: BillProgress) => void) | undefined
  /** Ends reading: nobody waits for the bill. */
  readonly signal?: AbortSignal | undefined
}

/** Told while files are read, often enough for a line that moves. */
export interface BillProgress {
  readonly phase: "usage" | "details"
  readonly files: number
  readonly doneFiles: number
  readonly bytes: number
  readonly doneBytes: number
}
