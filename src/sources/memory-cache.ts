// What was listed of memory files before, so that a file is read again only if something has changed.
import type { Diagnostic } from "../base/diagnostic.ts"
import type { MemoryFile } from "../core/model/inputs.ts"

/** What became of one file. */
export interface MemoryOutcome {
  /** Undefined if the menu leaves it out. */
  readonly listed: MemoryFile | undefined
  readonly diagnostics: readonly Diagnostic[]
}

export interface KnownMemory extends MemoryOutcome {
  /** The state of the file when it was read. */
  readonly state: string
  /** What else decided on it: see `groundsFor` of the gate. */
  readonly grounds: string
}

/** By store, then by path. */
export type MemoryCache = Map<string, ReadonlyMap<string, KnownMemory>>
