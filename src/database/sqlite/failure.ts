// What SQLite means by a failure: another process is at it, the file is damaged, or something else. The codes are its
// own primary result codes; nothing is read out of messages.
import { setTimeout as pause } from "node:timers/promises"

const BUSY = 5
const LOCKED = 6
const READONLY = 8
const CORRUPT = 11
const CANTOPEN = 14
const PROTOCOL = 15
const NOT_A_DATABASE = 26
/** Error in a statement, too big, constraint, mismatch, misuse, range. */
const ABOUT_DATA: ReadonlySet<number> = new Set([1, 18, 19, 20, 21, 25])

/** Also the failure of an attempt to take a lock that others were faster to take. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error)
  return code === BUSY || code === LOCKED || code === PROTOCOL
}

/** SQLite itself says that the file is malformed, or that it is none of its own. */
export function isDamaged(error: unknown): boolean {
  const code = codeOf(error)
  return code === CORRUPT || code === NOT_A_DATABASE
}

/** A file that it needs beside the database cannot be opened or made. */
export function isUnopenable(error: unknown): boolean {
  const code = codeOf(error)
  return code === CANTOPEN || code === READONLY
}

/** SQLite said it, whatever it was. */
export function isFromDatabase(error: unknown): error is Error {
  return codeOf(error) !== undefined
}

/** It is about what was to be written, not about the file: other rows may well be written. */
export function isAboutData(error: unknown): boolean {
  const code = codeOf(error)
  return code === undefined || ABOUT_DATA.has(code)
}

/** The primary code: the low byte of the extended one. */
function codeOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  if ("errcode" in error && typeof error.errcode === "number") return error.errcode & 0xff
  return codeOf(error.cause)
}

const PAUSE_MS = 10
/** Some fifteen seconds, with what the connection itself waits: far longer than any transaction of ours takes. */
const PATIENCE = 500

/** Tries again while another process is at it, and lets others work in the meantime. */
export async function patiently<T>(work: () => T, tries = PATIENCE): Promise<T> {
  for (let left = tries; ; left -= 1) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || left <= 1) throw error
    }
    // Not in step with the others, or the same ones would meet again.
    await pause(PAUSE_MS * (0.5 + Math.random()))
  }
}

/** The same where nothing else can be done meanwhile. */
export function stubbornly<T>(work: () => T, waitMs: number): T {
  for (let left = Math.ceil(waitMs / PAUSE_MS); ; left -= 1) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || left <= 1) throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS * (0.5 + Math.random()))
  }
}
