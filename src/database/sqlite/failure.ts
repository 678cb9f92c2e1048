// Classifies SQLite failures: another process holds a lock, the file is damaged, or something else. Uses SQLite's
// primary result codes, never message texts.
import { setTimeout as pause } from "node:timers/promises"

const BUSY = 5
const LOCKED = 6
const READONLY = 8
const CORRUPT = 11
const CANTOPEN = 14
const PROTOCOL = 15
const NOT_A_DATABASE = 26
/** SQL error, too big, constraint, mismatch, misuse, range. */
const ABOUT_DATA: ReadonlySet<number> = new Set([1, 18, 19, 20, 21, 25])

/** Includes failing to take a lock because another process was faster. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error)
  return code === BUSY || code === LOCKED || code === PROTOCOL
}

/** SQLite reports that the file is malformed or not a database. */
export function isDamaged(error: unknown): boolean {
  const code = codeOf(error)
  return code === CORRUPT || code === NOT_A_DATABASE
}

/** A file that SQLite needs next to the database cannot be opened or created. */
export function isUnopenable(error: unknown): boolean {
  const code = codeOf(error)
  return code === CANTOPEN || code === READONLY
}

/** Any error from SQLite. */
export function isFromDatabase(error: unknown): error is Error {
  return codeOf(error) !== undefined
}

/** The failure concerns the data to be written, not the file: other rows may still be written. */
export function isAboutData(error: unknown): boolean {
  const code = codeOf(error)
  return code === undefined || ABOUT_DATA.has(code)
}

/** The primary code: the low byte of the extended code. */
function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff
  return codeOf(error.cause)
}

const PAUSE_MS = 10
/** About fifteen seconds, including the connection's own wait: far longer than any of our transactions. */
const PATIENCE = 500

/** Retries while another process holds the lock, without blocking the event loop. */
export async function retryWhileBusy<T>(work: () => T, tries = PATIENCE): Promise<T> {
  for (let left = tries; ; left -= 1) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || left <= 1) throw error
    }
    // Random, so that processes do not keep colliding.
    await pause(PAUSE_MS * (0.5 + Math.random()))
  }
}

/** The synchronous version: blocks while it waits. */
export function retryBlocking<T>(work: () => T, waitMs: number): T {
  for (let left = Math.ceil(waitMs / PAUSE_MS); ; left -= 1) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || left <= 1) throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS * (0.5 + Math.random()))
  }
}
