// Memory documents in a database, as an interface that a driver implements: texts that several processes read and write.
// One method is one transaction. Who may see a document is decided by the caller, which asks only for what it may see.
import type { Digest } from "../../../base/digest.ts"
import type { Trust } from "../../../base/trust.ts"

/** Counts the changes of one part. Grows with each of them, in the transaction that makes it. */
export type Version = number

/**
 * The documents of a store that require the same trust by their own declaration. Versions are counted for each part, so
 * that a change in one that a reader may not see changes nothing in what the reader asks.
 */
export interface DocumentPart {
  readonly store: string
  /** What the document itself declares; `public` if it declares nothing. The trust of its store comes on top. */
  readonly needs: Trust
}

export interface DocumentId {
  readonly store: string
  /** Relative to the store, with forward slashes. */
  readonly path: string
}

export interface PartVersion extends DocumentPart {
  /** 0: nothing of it is known. */
  readonly version: Version
}

/** What happened in a part after a version. `version`: the one that the part has then. */
export interface PartChanges extends PartVersion {
  /** Paths. */
  readonly changed: readonly string[]
  /** Removed, or moved to a part that requires other trust. */
  readonly removed: readonly string[]
}

export interface DocumentChanges {
  /** Identifies the database: versions of another one mean nothing here. */
  readonly origin: string
  /** A part that was asked for and has never had a document has version 0. */
  readonly parts: readonly PartChanges[]
}

export interface NewDocument extends DocumentId, DocumentPart {
  readonly text: string
}

/** A document without its text. */
export interface DocumentEntry extends DocumentId, DocumentPart {
  readonly version: Version
  readonly digest: Digest
  readonly bytes: number
  /** When it was last written, by the database's clock, in milliseconds since 1970. */
  readonly writtenAt: number
}

export interface StoredDocument extends DocumentEntry {
  readonly text: string
}

/**
 * What a document must still be for a change to be made: the digest of the text that the new one was made from. A digest
 * instead of a version, because a document that moves to another part gets versions of another count.
 */
export interface Expected {
  readonly expects: Digest | "absent"
}

/** The documents of one agent. All methods throw an `IncipitError` if the database cannot be used. */
export interface Documents {
  /**
   * What changed after these versions, in one consistent look. A version that the part has not reached yet, as after a
   * restored backup, counts as 0. `others`: of all other parts as well, from the beginning.
   */
  changes(since: readonly PartVersion[], options?: { readonly others?: boolean }): Promise<DocumentChanges>
  /** Those that exist, in no order. */
  read(ids: readonly DocumentId[]): Promise<readonly StoredDocument[]>
  /** All documents without their texts, by store and path. For the owner. */
  list(): Promise<readonly DocumentEntry[]>
  /** Returns the version of its part. The same text again is no change. */
  write(document: NewDocument, expected: Expected): Promise<Version | "conflict">
  /** A document that does not exist is a conflict. */
  remove(id: DocumentId, expected: { readonly expects: Digest }): Promise<Version | "conflict">
}
