// Documents that several processes share through a database, with a local copy that is brought up to date before it is
// read. A reader's look asks only about what the reader may see, so that hidden documents do not change how long it
// takes.
import { mkdirSync } from "node:fs"
import type { Digest } from "../../base/digest.ts"
import { atLeast, TRUSTS, type Trust } from "../../base/trust.ts"
import type {
  DocumentChanges,
  DocumentPart,
  Documents,
  PartVersion,
  StoredDocument,
  Version,
} from "../../database/contract/memory/documents.ts"
import { realPath } from "../../files/real-path.ts"
import { memoryStores } from "../../sources/config/memory-stores.ts"
import { DOCUMENT_STORES, documentNeeds, documentStore } from "../../sources/documents.ts"
import type { Workspace } from "../../sources/workspace.ts"
import { type LocalCopy, openLocalCopy, partKey } from "./local-copy.ts"

export interface SharedDocuments {
  /** The rows themselves. */
  readonly stored: Documents
  /** The folder of the copy, as a real path. */
  readonly folder: string
  /** Copies what has changed, as far as this trust may see it. Throws if the database cannot be used. */
  catchUp(options: { readonly trust: Trust }): Promise<void>
  /** Of the text in the database that a file of the copy has, by its path in the agent's folder. */
  digestOf(path: string): Digest | undefined
  /** `expects`: what `digestOf` said before the new text was made. */
  write(
    path: string,
    text: string,
    expected: { readonly expects: Digest | undefined },
  ): Promise<Version | "conflict">
  close(): Promise<void>
}

/** Texts that are fetched and written at once; other work of the process runs in between. */
const SLICE = 50

/** `workspace`: as it is at the time of a call. */
export function openSharedDocuments(
  documents: Documents,
  folder: string,
  workspace: () => Workspace,
): SharedDocuments {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const real = realPath(folder)
  const copy = openLocalCopy(real)
  return {
    ...{ stored: documents, folder: real },
    catchUp: ({ trust }) => catchUp(documents, copy, { parts: partsFor(workspace(), trust), trust }),
    digestOf: (path) => copy.digestOf(path),
    async write(path, text, { expects }) {
      const store = documentStore(path)
      if (store === undefined) throw new Error(`${path} is not a document`)
      const needs = documentNeeds(workspace(), path, text)
      return documents.write({ store, path, needs, text }, { expects: expects ?? "absent" })
    },
    close: async () => copy.close(),
  }
}

/** The parts that a trust may see: what a store requires, and what its documents require beyond that. */
function partsFor(workspace: Workspace, trust: Trust): readonly DocumentPart[] {
  const memory = [...memoryStores(workspace).value].flatMap(([name, least]) =>
    atLeast(trust, least) ? [name] : [],
  )
  return [...memory, ...DOCUMENT_STORES].flatMap((store) =>
    TRUSTS.filter((needs) => atLeast(trust, needs)).map((needs) => ({ store, needs })),
  )
}

interface Look {
  readonly parts: readonly DocumentPart[]
  readonly trust: Trust
}

async function catchUp(documents: Documents, copy: LocalCopy, look: Look): Promise<void> {
  // Stores that this process has never heard of are the owner's: nothing configures them.
  const isOwner = look.trust === "full"
  const options = { others: isOwner }
  const parts = isOwner ? distinct([...look.parts, ...copy.parts()]) : look.parts
  const before = copy.versions(parts)
  const found = await documents.changes(before, options)
  const isSame = copy.origin() === found.origin
  const since = isSame ? before : copy.versions(parts, found.origin)
  const changes = isSame ? found : await documents.changes(since, options)
  if (!hasChanged(changes, since)) return
  const ids = changes.parts.flatMap(({ store, changed }) => changed.map((path) => ({ store, path })))
  const fetched: StoredDocument[] = []
  for (let at = 0; at < ids.length; at += SLICE) {
    const some = await documents.read(ids.slice(at, at + SLICE))
    if (ids.length > SLICE) copy.prepare({ since, changes, documents: some })
    fetched.push(...some)
  }
  copy.apply({ since, changes, documents: fetched })
}

function distinct(parts: readonly DocumentPart[]): readonly DocumentPart[] {
  return [...new Map(parts.map((part) => [partKey(part), part])).values()]
}

function hasChanged({ parts }: DocumentChanges, since: readonly PartVersion[]): boolean {
  const known = new Map(since.map((part) => [partKey(part), part.version]))
  return parts.some((part) => part.version !== (known.get(partKey(part)) ?? 0))
}
