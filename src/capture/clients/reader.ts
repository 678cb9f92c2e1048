// What a reader of one client's files is. A reader only reads: it never writes, renames, locks or touches anything in the
// client's folder. Files may be gigabytes long and still growing, and their last line may be half written.
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { CalledUsage, CapturedCall, Client } from "../call.ts"

/** The environment that a reader looks for its client's files in. */
export interface ReaderMachine {
  readonly home: string
  readonly variables: Readonly<Record<string, string | undefined>>
}

/** One file of a client, or one database. */
export interface CaptureFile {
  readonly client: Client
  readonly path: string
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly changedAt: number
}

/** Where reading stopped: everything before it never changes. What it means is the reader's own. */
export type Place = number

/** `note`: something that could not be read, said once per kind and file. */
export type Read<T> =
  | { readonly kind: "call"; readonly call: T; readonly after: Place }
  | { readonly kind: "note"; readonly diagnostic: Diagnostic }

export interface CaptureReader {
  readonly client: Client
  /** The client's name as people write it. */
  readonly title: string
  /** Where the client keeps its files on this machine, whether they exist or not. */
  folders(machine: ReaderMachine): readonly string[]
  /**
   * The files below a folder that this reader understands, or the file itself if one is named. Empty if there is
   * nothing. `note` takes what could not be looked at.
   */
  files(folder: string, note?: (diagnostic: Diagnostic) => void): Promise<readonly CaptureFile[]>
  /**
   * What each call used, in the order of the file, from a place on. A call that was still being written may be read
   * again from there, with the same id and more tokens: then that counts.
   */
  usage(file: CaptureFile, from?: Place): AsyncIterable<Read<CalledUsage>>
  /** The same calls with their requests. Starts at the beginning: a request may need what was said before. */
  calls(file: CaptureFile): AsyncIterable<Read<CapturedCall>>
}
