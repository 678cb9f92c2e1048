// Goes through files call by call, tells how far it is, and collects what could not be read. A file that fails is said
// and left; the others are still read.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { IncipitError } from "../../base/error.ts"
import { errorCode, systemReason } from "../../base/system-error.ts"
import type { CalledUsage } from "../call.ts"
import type { Read } from "../clients/reader.ts"
import type { FoundFile, FoundFiles } from "./found-files.ts"
import type { BillProgress, BillQuestion } from "./question.ts"

export interface ReadFilesOptions<T> {
  readonly phase: BillProgress["phase"]
  readonly found: FoundFiles
  readonly open: (found: FoundFile) => AsyncIterable<Read<T>>
  readonly onProgress: BillQuestion["onProgress"]
  readonly onNote: (diagnostic: Diagnostic) => void
  /** Throws its reason once it is aborted. */
  readonly signal?: AbortSignal | undefined
}

/** Progress is told after this many calls, and after each file. */
const CALLS_A_STEP = 256

export async function* readFiles<T extends CalledUsage>(options: ReadFilesOptions<T>): AsyncGenerator<T> {
  const { phase, found, open, onProgress, onNote, signal } = options
  const { files, bytes } = found
  let done = 0
  for (const [at, one] of files.entries()) {
    const tell = (doneFiles: number, within: number) =>
      onProgress?.({ phase, files: files.length, doneFiles, bytes, doneBytes: done + within })
    let calls = 0
    try {
      for await (const read of open(one)) {
        if (read.kind === "note") {
          onNote(read.diagnostic)
          continue
        }
        signal?.throwIfAborted()
        calls += 1
        // For most readers a place is an offset. It moves a line on a terminal, and nothing else depends on it.
        if (calls % CALLS_A_STEP === 0) tell(at, Math.min(read.after, one.file.bytes))
        if (isUsable(read.call)) yield read.call
      }
    } catch (error) {
      if (signal?.aborted) throw error
      if (!(error instanceof IncipitError) && errorCode(error) === undefined) throw error
      onNote({ code: "capture-unreadable", path: one.file.path, why: systemReason(error) })
    }
    done += one.file.bytes
    tell(at + 1, 0)
  }
}

/** The last millisecond that a date can have. */
const LAST_DATE = 8.64e15

/** A time and numbers of tokens that sums can be made of, whatever is in a file. */
function isUsable({ at, usage }: CalledUsage): boolean {
  const { uncached, read, output, write } = usage
  if (!(Math.abs(at) <= LAST_DATE)) return false
  // A price is looked up by the name of a lifetime.
  if (Object.keys(write).some((ttl) => ttl in Object.prototype)) return false
  return [uncached, read, output, ...Object.values(write)].every((tokens) => tokens >= 0 && tokens < 1e12)
}
