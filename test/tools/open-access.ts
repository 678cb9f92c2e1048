// Access to the files of a folder as tools have it, with the gate of a workspace that has no configuration.
import { basename, dirname, join } from "node:path"
import type { Trust } from "../../src/base/trust.ts"
import { openGate } from "../../src/files/gate/gate.ts"
import { existingPathOf } from "../../src/files/real-path.ts"
import { declaredIn } from "../../src/sources/read/source-file.ts"
import { type FileAccessOptions, openFileAccess } from "../../src/tools/files/file-access.ts"
import type { FileAccess } from "../../src/tools/host.ts"

export interface AccessTo extends Partial<FileAccessOptions> {
  readonly trust?: Trust
  readonly situation?: string
  readonly stores?: readonly { readonly folder: string; readonly trust: Trust }[]
}

export function accessTo(root: string, given: AccessTo = {}): FileAccess {
  const { trust = "full", situation = "dm", stores = [], workspace = root, ...more } = given
  const folder = existingPathOf(workspace) ?? workspace
  const whole = basename(dirname(folder)) === "agents" ? dirname(dirname(folder)) : folder
  const own = stores.map((store) => ({
    ...store,
    // The folder itself may be a link.
    folder: join(existingPathOf(dirname(store.folder)) ?? dirname(store.folder), basename(store.folder)),
  }))
  return openFileAccess({
    directory: root,
    workspace,
    extra: [],
    audience: { trust, situation, mode: "full" },
    gate: openGate({
      root: whole,
      folder,
      home: more.home,
      stores: own,
      folders: [more.directory ?? root],
      declared: {
        own: [whole],
        isRead: (path) => path.endsWith(".md"),
        parse: (text, path) => declaredIn(text, path),
        cache: new Map(),
      },
    }),
    trustOf: () => undefined,
    touched: () => {},
    ...more,
  })
}
