// Moves documents between a folder and a database, both ways. Compares digests, so that nothing depends on clocks: a
// document that exists on the other side with another text stays as it is, unless told otherwise.
import { type Digest, digest } from "../../base/digest.ts"
import { byCodePoint } from "../../base/order.ts"
import { errorCode, systemReason } from "../../base/system-error.ts"
import type { DocumentEntry, Documents, StoredDocument } from "../../database/contract/memory/documents.ts"
import { pathBelow } from "../../files/files-below.ts"
import { markdownFiles } from "../../files/markdown-files.ts"
import { namesIn } from "../../files/names-in.ts"
import { NotReplaced, replaceFile } from "../../files/replace-file.ts"
import { DOCUMENT_STORES, documentNeeds, documentStore } from "../../sources/documents.ts"
import { type FileRead, readSource } from "../../sources/read/file.ts"
import type { Workspace } from "../../sources/workspace.ts"

/**
 * `differs`: it exists there with another text, and was left alone. `skipped`: it cannot be moved, for the given reason.
 */
export type Fate = "written" | "same" | "differs" | "skipped"

export interface Moved {
  readonly path: string
  readonly fate: Fate
  readonly reason?: string
}

export interface Transfer {
  /** By path. */
  readonly documents: readonly Moved[]
  /** How many of those that were written were read again, and have the digest of what they were written from. */
  readonly verified: number
}

export interface TransferOptions {
  /** Real path. */
  readonly folder: string
  /** Replaces what differs. */
  readonly isForced: boolean
  /** Changes nothing. */
  readonly isDry: boolean
}

export interface ImportOptions extends TransferOptions {
  readonly workspace: Workspace
  /** Instructions and people's files as well. */
  readonly isAll: boolean
}

export async function importDocuments(documents: Documents, options: ImportOptions): Promise<Transfer> {
  const stored = new Map((await documents.list()).map((entry) => [entry.path, entry]))
  const paths = documentPaths(options.folder).filter((path) => options.isAll || isMemory(path))
  const moved: Moved[] = []
  const written = new Map<string, Digest>()
  for (const path of paths) {
    const found = readSource(pathBelow(options.folder, path), {
      ...{ roots: [options.folder], shown: path, followsLinks: false },
    })
    const one = await importOne(documents, { path, found, stored: stored.get(path) }, options)
    moved.push(one)
    if (one.fate === "written" && found.kind === "read") written.set(path, found.digest)
  }
  if (options.isDry) return { documents: moved, verified: 0 }
  const now = new Map((await documents.list()).map((entry) => [entry.path, entry.digest]))
  return checked(moved, (path) => now.get(path) === written.get(path))
}

interface Found {
  readonly path: string
  readonly found: FileRead
  readonly stored: DocumentEntry | undefined
}

async function importOne(
  documents: Documents,
  { path, found, stored }: Found,
  { workspace, isForced, isDry }: ImportOptions,
): Promise<Moved> {
  const problem = problemOf(found)
  if (found.kind !== "read" || problem !== undefined)
    return { path, fate: "skipped", reason: problem ?? "it is gone" }
  const { text } = found
  if (stored?.digest === found.digest) return { path, fate: "same" }
  if (stored !== undefined && !isForced) return { path, fate: "differs" }
  if (isDry) return { path, fate: "written" }
  const document = {
    store: documentStore(path) ?? "",
    path,
    needs: documentNeeds(workspace, path, text),
    text,
  }
  const version = await documents.write(document, { expects: stored?.digest ?? "absent" })
  if (version !== "conflict") return { path, fate: "written" }
  return { path, fate: "skipped", reason: "it was changed in the database meanwhile; try again" }
}

/** Why a file cannot become a document. */
function problemOf(found: FileRead): string | undefined {
  if (found.kind === "absent") return "it is gone"
  if (found.kind === "unavailable") return found.reason
  if (found.kind === "refused") return REFUSED[found.diagnostic.code] ?? found.diagnostic.code
  if (found.diagnostics.length > 0) return "it is not UTF-8 text"
  return found.text.includes("\0") ? "it has a NUL character" : undefined
}

const REFUSED: Readonly<Record<string, string>> = {
  "outside-roots": "it is a link that leads elsewhere",
  "not-a-regular-file": "it is not a regular file",
  "file-too-large": "it is larger than 1 MB",
  "foreign-file": "it belongs to another user",
}

export async function exportDocuments(documents: Documents, options: TransferOptions): Promise<Transfer> {
  const entries = (await documents.list()).toSorted((a, b) => byCodePoint(a.path, b.path))
  const moved: Moved[] = []
  const written = new Map<string, Digest>()
  for (const { store, path } of entries) {
    const [document] = await documents.read([{ store, path }])
    const one = document === undefined ? undefined : exportOne(document, options)
    if (one !== undefined) moved.push(one)
    if (one?.fate === "written" && document !== undefined) written.set(path, document.digest)
  }
  if (options.isDry) return { documents: moved, verified: 0 }
  return checked(moved, (path) => digestAt(options.folder, path) === written.get(path))
}

function exportOne(document: StoredDocument, { folder, isForced, isDry }: TransferOptions): Moved {
  const { store, path, text } = document
  // Nothing that a database says is written to any other place.
  if (documentStore(path) !== store)
    return { path, fate: "skipped", reason: "it is not the path of a document" }
  if (digest(text) !== document.digest)
    return { path, fate: "skipped", reason: "its text does not have the digest that the database has for it" }
  const there = digestAt(folder, path)
  if (there === document.digest) return { path, fate: "same" }
  if (there !== undefined && !isForced) return { path, fate: "differs" }
  if (isDry) return { path, fate: "written" }
  try {
    const before = there === undefined ? undefined : "any"
    replaceFile({ path: pathBelow(folder, path), before, after: Buffer.from(text), mode: 0o600 })
    return { path, fate: "written" }
  } catch (error) {
    if (!(error instanceof NotReplaced) && errorCode(error) === undefined) throw error
    const reason = error instanceof NotReplaced ? error.message : systemReason(error)
    return { path, fate: "skipped", reason }
  }
}

/** Of the text of a file; `other` if there is something else, undefined if there is nothing. */
function digestAt(folder: string, path: string): Digest | "other" | undefined {
  const found = readSource(pathBelow(folder, path), { roots: [folder], shown: path, followsLinks: false })
  if (found.kind === "absent") return undefined
  return found.kind === "read" ? found.digest : "other"
}

function checked(moved: readonly Moved[], isSame: (path: string) => boolean): Transfer {
  const documents = moved.map((one): Moved => {
    if (one.fate !== "written" || isSame(one.path)) return one
    return { path: one.path, fate: "skipped", reason: "it was written, but is not the same now" }
  })
  return { documents, verified: documents.filter(({ fate }) => fate === "written").length }
}

function isMemory(path: string): boolean {
  return !DOCUMENT_STORES.includes(documentStore(path) ?? "")
}

/** The documents in a folder with the layout of an agent's. Links are listed, so that the report names them. */
function documentPaths(folder: string): readonly string[] {
  const below = (name: string) => {
    const { paths, links } = markdownFiles(pathBelow(folder, name), { skipsHidden: true })
    return [...paths, ...links].map((path) => (path === "" ? name : `${name}/${path}`))
  }
  const named = ["MEMORY.md", "AGENTS.md", "USER.md"].filter((name) => namesIn(folder).includes(name))
  const found = [...named, ...["memory", "users"].flatMap(below)]
  return [...new Set(found)].filter((path) => documentStore(path) !== undefined).toSorted(byCodePoint)
}
