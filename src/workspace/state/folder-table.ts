// The user's table of folders and their state. A folder is identified by real path, inode and birth time, so that
// neither a copy nor another folder at the same path is mistaken for it.
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import type { Database, Row } from "../../database/sqlite/database.ts"
import type { Migration } from "../../database/sqlite/migrations.ts"
import { openDatabase } from "../../database/sqlite/open-database.ts"
import type { FolderIdentity } from "../../files/identity.ts"
import { makeStateFolder } from "../../files/own-folder.ts"
import { foldersFile } from "../../files/paths.ts"

const MIGRATIONS: readonly Migration[] = [
  `CREATE TABLE folders (
  id         TEXT PRIMARY KEY,
  path       TEXT NOT NULL,
  device     TEXT NOT NULL,
  inode      TEXT NOT NULL,
  born       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at    INTEGER NOT NULL
) WITHOUT ROWID

CREATE INDEX idx_folders_path ON folders(path)

CREATE INDEX idx_folders_inode ON folders(inode)`,
]

export interface KnownFolder extends FolderIdentity {
  /** The name of its folder in the state directory. Random, so that it cannot be predicted. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly usedAt: number
}

export interface FolderTable {
  /** Most recently used first. */
  list(): readonly KnownFolder[]
  byId(id: string): KnownFolder | undefined
  at(path: string): readonly KnownFolder[]
  /** At any path. */
  withInode(inode: string): readonly KnownFolder[]
  add(folder: FolderIdentity, now: number): KnownFolder
  /** From now on, the row belongs to this folder. */
  bind(id: string, folder: FolderIdentity, now: number): void
  forget(id: string): boolean
  /** Runs `work` completely or not at all, isolated from other processes. */
  transaction<T>(work: () => T): T
}

/** Opens the table, calls `ask`, and always closes it. */
export function withFolders<T>(stateHome: string, ask: (folders: FolderTable) => T): T {
  makeStateFolder(stateHome)
  return asking(openDatabase(foldersFile(stateHome), { migrations: MIGRATIONS }), ask)
}

/** The same for a query that writes nothing. Returns undefined if there is no table yet. */
export function readFolders<T>(stateHome: string, ask: (folders: FolderTable) => T): T | undefined {
  const path = foldersFile(stateHome)
  if (!existsSync(path)) return undefined
  return asking(openDatabase(path, { migrations: MIGRATIONS, readOnly: true }), ask)
}

function asking<T>(database: Database, ask: (folders: FolderTable) => T): T {
  try {
    return ask(tableIn(database))
  } finally {
    database.close()
  }
}

function tableIn(database: Database): FolderTable {
  const rows = (rest: string, ...values: readonly string[]) =>
    database.all(`SELECT * FROM folders ${rest}`, ...values).map(folderOf)
  return {
    list: () => rows("ORDER BY used_at DESC, id"),
    byId: (id) => rows("WHERE id = ?", id)[0],
    at: (path) => rows("WHERE path = ? ORDER BY used_at DESC, id", path),
    withInode: (inode) => rows("WHERE inode = ? ORDER BY used_at DESC, id", inode),
    add({ path, device, inode, born }, now) {
      const id = randomBytes(10).toString("hex")
      database.run(
        "INSERT INTO folders VALUES (?, ?, ?, ?, ?, ?, ?)",
        id,
        path,
        device,
        inode,
        born,
        now,
        now,
      )
      return { id, path, device, inode, born, createdAt: now, usedAt: now }
    },
    bind(id, { path, device, inode, born }, now) {
      database.run(
        "UPDATE folders SET path = ?, device = ?, inode = ?, born = ?, used_at = ? WHERE id = ?",
        ...[path, device, inode, born, now, id],
      )
    },
    forget: (id) => database.run("DELETE FROM folders WHERE id = ?", id).changes > 0,
    transaction: database.transaction,
  }
}

function folderOf({ id, path, device, inode, born, created_at, used_at }: Row): KnownFolder {
  return {
    ...{
      id: String(id),
      path: String(path),
      device: String(device),
      inode: String(inode),
      born: String(born),
    },
    createdAt: Number(created_at),
    usedAt: Number(used_at),
  }
}
