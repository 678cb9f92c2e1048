// What the user has approved, by digest: a thing that changes gets another digest and needs approval again. Stored in
// the user's home folder, never in the workspace: a folder from elsewhere must not bring its own approvals.
import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { dirname } from "node:path"
import type { Digest } from "../base/digest.ts"
import type { Database } from "../database/sqlite/database.ts"
import type { Migration } from "../database/sqlite/migrations.ts"
import { openDatabase } from "../database/sqlite/open-database.ts"
import { makeStateFolder } from "../files/own-folder.ts"
import { approvalsFile } from "../files/paths.ts"

const MIGRATIONS: readonly Migration[] = [
  `CREATE TABLE approvals (
  kind   TEXT NOT NULL,
  digest TEXT NOT NULL,
  name   TEXT NOT NULL,
  at     INTEGER NOT NULL,
  PRIMARY KEY (kind, digest)
) WITHOUT ROWID`,
  // Earlier approvals are no longer valid: their digests did not cover the folder.
  `ALTER TABLE approvals ADD COLUMN form INTEGER NOT NULL DEFAULT 1`,
  `CREATE TABLE folders (
  key   TEXT NOT NULL PRIMARY KEY,
  path  TEXT NOT NULL,
  items TEXT NOT NULL,
  at    INTEGER NOT NULL
) WITHOUT ROWID`,
]

/** The form of digests that cover the folder and everything that runs. */
const FORM = 2

export type ApprovalKind =
  | "hook"
  | "profile"
  | "mcp"
  | "provider"
  | "otlp"
  | "database"
  | "directory"
  | "rules"
  | "schedule"
  | "serve"
  | "sandbox"

export interface ApprovedThing {
  readonly kind: ApprovalKind
  readonly digest: Digest
  readonly name: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface Approvals {
  approve(thing: ApprovedThing): void
  /** Revokes everything ever approved under that name. Returns the number of approvals. */
  revoke(kind: ApprovalKind, name: string): number
  /** By name, latest first. */
  list(kind: ApprovalKind): readonly ApprovedThing[]
  /** Replaces an earlier approval of the same folder. */
  approveFolder(folder: ApprovedFolder): void
  /** Revokes every folder ever approved at that path. Returns the number of approvals. */
  revokeFolder(path: string): number
  /** By path, latest first. */
  folders(): readonly ApprovedFolder[]
}

/** A folder that the user has reviewed. This approves none of the things it brings. */
export interface ApprovedFolder {
  /** Identifies the folder, as written by `folderKey`. */
  readonly key: string
  readonly path: string
  /** What it brought when it was approved, as written by `itemKey`. */
  readonly items: readonly string[]
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Opens the user's approvals, calls `ask`, and always closes them. */
export function withApprovals<T>(home: string | undefined, ask: (approvals: Approvals) => T): T {
  const path = fileIn(home)
  makeStateFolder(dirname(path))
  return asking(openDatabase(path, { migrations: MIGRATIONS }), ask)
}

/** The same without writing anything. Returns undefined if nothing was ever approved. */
export function readApprovals<T>(home: string | undefined, ask: (approvals: Approvals) => T): T | undefined {
  const path = fileIn(home)
  if (!existsSync(path)) return undefined
  const database = openDatabase(path, { migrations: MIGRATIONS, readOnly: true })
  const version = Number(database.get("PRAGMA user_version")?.user_version)
  if (version === MIGRATIONS.length) return asking(database, ask)
  database.close()
  // Written by an earlier Incipit: none of it is valid any more.
  return undefined
}

/** Names approved with an earlier Incipit, in any folder, to explain to users why they need approval again. */
export function outdatedNames(home: string | undefined, kind: ApprovalKind): ReadonlySet<string> {
  const path = fileIn(home)
  if (!existsSync(path)) return new Set()
  const database = openDatabase(path, { migrations: MIGRATIONS, readOnly: true })
  try {
    const isOld = database.get("PRAGMA user_version")?.user_version === 1
    const rows = database.all(
      `SELECT name FROM approvals WHERE kind = ?${isOld ? "" : " AND form = 1"}`,
      kind,
    )
    return new Set(rows.map(({ name }) => String(name)))
  } finally {
    database.close()
  }
}

/** Digests of approved things. Writes nothing; empty if there is no file. */
export function approvedDigests(home: string | undefined, kind: ApprovalKind): ReadonlySet<string> {
  return (
    readApprovals(home, (approvals) => new Set(approvals.list(kind).map(({ digest }) => digest))) ?? new Set()
  )
}

function fileIn(home: string | undefined): string {
  return approvalsFile(home ?? homedir())
}

function asking<T>(database: Database, ask: (approvals: Approvals) => T): T {
  try {
    return ask(approvalsIn(database))
  } finally {
    database.close()
  }
}

function approvalsIn(database: Database): Approvals {
  return {
    approve({ kind, digest, name, at }) {
      database.run(
        "INSERT OR REPLACE INTO approvals (kind, digest, name, at, form) VALUES (?, ?, ?, ?, ?)",
        ...[kind, digest, name, at, FORM],
      )
    },
    revoke: (kind, name) =>
      database.run("DELETE FROM approvals WHERE kind = ? AND name = ?", kind, name).changes,
    list: (kind) =>
      database
        .all(
          "SELECT digest, name, at FROM approvals WHERE kind = ? AND form = ? ORDER BY name, at DESC, digest",
          ...[kind, FORM],
        )
        // Only `approve` writes here, and it takes a digest.
        .map(({ digest, name, at }) => ({
          kind,
          digest: digest as Digest,
          name: String(name),
          at: Number(at),
        })),
    ...foldersIn(database),
  }
}

function foldersIn(database: Database): Pick<Approvals, "approveFolder" | "revokeFolder" | "folders"> {
  return {
    approveFolder({ key, path, items, at }) {
      database.run(
        "INSERT OR REPLACE INTO folders (key, path, items, at) VALUES (?, ?, ?, ?)",
        ...[key, path, JSON.stringify(items), at],
      )
    },
    revokeFolder: (path) => database.run("DELETE FROM folders WHERE path = ?", path).changes,
    folders: () =>
      database
        .all("SELECT key, path, items, at FROM folders ORDER BY path, at DESC")
        .map(({ key, path, items, at }) => ({
          ...{ key: String(key), path: String(path), at: Number(at) },
          // Only `approveFolder` writes here, and it takes a list of strings.
          items: JSON.parse(String(items)) as readonly string[],
        })),
  }
}
