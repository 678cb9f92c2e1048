// Documents: the files of a workspace that the agent itself writes. With a database they are rows in it, and a folder in
// the state directory holds a copy of them with the same layout, which is read in place of the agent's folder.
import { join, relative, sep } from "node:path"
import type { Trust } from "../base/trust.ts"
import { asTrust } from "../files/gate/requirement.ts"
import { isInside } from "../files/inside.ts"
import { isPlainName } from "../files/plain-name.ts"
import { existingPathOf } from "../files/real-path.ts"
import { configuredTrust } from "./config/configured-trust.ts"
import { declaredIn } from "./read/source-file.ts"
import type { Workspace } from "./workspace.ts"

/**
 * Documents that are not memory, and the trust that they require unless they declare another. The name of a memory store
 * has no slash.
 */
const OTHER_STORES = {
  "workspace/instructions": "familiar",
  "workspace/people": "inner",
} as const satisfies Readonly<Record<string, Trust>>

export const DOCUMENT_STORES: readonly string[] = Object.keys(OTHER_STORES)

/** No path in a database is longer. */
const LONGEST = 1_024

/**
 * The store of a document, by its path relative to the agent's folder. Returns undefined if the path is not that of a
 * document: a row of a database with such a path is not used.
 */
export function documentStore(path: string): string | undefined {
  const names = path.split("/")
  if (path.length > LONGEST || !path.endsWith(".md")) return undefined
  if (path === "MEMORY.md") return "private"
  if (path === "AGENTS.md") return "workspace/instructions"
  if (path === "USER.md") return "workspace/people"
  if (!names.every(isPlainName)) return undefined
  if (names[0] === "users" && names.length === 3 && names[2] === "USER.md") return "workspace/people"
  return names[0] === "memory" && names.length > 2 ? names[1] : undefined
}

/** What the text of a document itself requires; the trust of a memory store comes on top of it. */
export function documentNeeds(workspace: Workspace, path: string, text: string): Trust {
  const declared = declaredIn(text, path)
  if (declared !== undefined) return asTrust(declared)
  const configured = configuredTrust(join(workspace.folder, path), workspace)?.trust
  if (configured !== undefined) return configured
  const store = documentStore(path)
  return Object.entries(OTHER_STORES).find(([name]) => name === store)?.[1] ?? "public"
}

/** The folder that holds memory: the agent's, or the copy of what is in the database. */
export function documentsFolder({ folder, documents }: Pick<Workspace, "folder" | "documents">): string {
  return documents ?? folder
}

/**
 * Where a file of the agent's folder is read. Memory comes from the copy alone. Instructions and people's files come from
 * the agent's folder until they are in the database.
 */
export function readPlace(
  { folder, documents }: Pick<Workspace, "folder" | "documents">,
  path: string,
): string {
  if (documents === undefined || !isInside(path, folder)) return path
  const way = relative(folder, path).split(sep).join("/")
  const store = documentStore(way)
  if (store === undefined) return path
  const copy = join(documents, way)
  return DOCUMENT_STORES.includes(store) && existingPathOf(copy) === undefined ? path : copy
}

/**
 * Whether tools leave a file alone: with the documents in a database there may be several gateways, each with a folder of
 * its own, and a change in one would not reach the others.
 */
export function isFixed({ root, documents, config }: Workspace, path: string): boolean {
  return documents !== undefined && config.workspace_writes !== true && isInside(path, root)
}

/** Completes the sentence "FILE was not written: …". */
export const FIXED =
  "its folder belongs to the workspace, of which other gateways have copies, and workspace_writes is not set"
