// Where the stores of a memory really are, and the gate of their files.
import { basename, dirname, join, relative } from "node:path"
import { openGate } from "../../files/gate/gate.ts"
import { existingPathOf } from "../../files/real-path.ts"
import type { Store, StoreFile, Stores } from "./store.ts"

export interface GivenStores {
  readonly stores: readonly Store[]
  readonly files?: readonly StoreFile[]
  readonly root?: string
  readonly gate?: Stores["gate"]
}

export function placeStores({ stores, files = [], root, gate }: GivenStores): Stores {
  const placed = {
    all: stores.map((store) => ({ ...store, folder: realFolder(store.folder, root) })),
    files: files.map(({ path, store }) => ({
      path: join(realFolder(dirname(path), root), basename(path)),
      store,
    })),
  }
  return { ...placed, gate: gate ?? storesGate(placed) }
}

/** The real path of a folder. With a root, a folder that is a link is not read. */
function realFolder(folder: string, root: string | undefined): string {
  if (root === undefined) return existingPathOf(folder) ?? join(folder)
  return join(existingPathOf(root) ?? root, relative(root, folder))
}

function storesGate({ all, files }: Pick<Stores, "all" | "files">): Stores["gate"] {
  const trusts = new Map(all.map(({ name, trust }) => [name, trust]))
  const further = files.map(({ path, store }) => ({ path, trust: trusts.get(store) ?? "full" }))
  const folders = further.map(({ path }) => path)
  return () => openGate({ stores: all, further, folders })
}
