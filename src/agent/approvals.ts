// What the user has allowed, by digest: a thing that changes has another digest, and waits again. Kept in the user's home
// folder, never in the workspace: a folder that comes from elsewhere must not bring its own approvals.
import { existsSync } from "node:fs"
import { homedir } from "node:os"
import type { Digest } from "../core/digest.ts"
import { approvalsFile } from "../files/paths.ts"
import { type Database, openDatabase } from "../sqlite/database.ts"
import type { Migration } from "../sqlite/migrations.ts"

const MIGRATIONS: readonly Migration[] = [
  `CREATE TABLE approvals (
  kind   TEXT NOT NULL,
  digest TEXT NOT NULL,
  name   TEXT NOT NULL,
  at     INTEGER NOT NULL,
  PRIMARY KEY (kind, digest)
) WITHOUT ROWID`,
]

/** What can be approved. */
export type ApprovalKind = "hook" | "profile" | "mcp" | "provider" | "otlp" | "directory" | "schedule"

export interface ApprovedThing {
  readonly kind: ApprovalKind
  readonly digest: Digest
  readonly name: string
  /** Milliseconds since 1970. */
  readonly at: number
}

export interface Approvals {
  isApproved(kind: ApprovalKind, digest: Digest): boolean
  approve(thing: ApprovedThing): void
  /** Takes back everything of that name that was ever approved. Returns how many there were. */
  revoke(kind: ApprovalKind, name: string): number
  /** By name, the latest first. */
  list(kind: ApprovalKind): readonly ApprovedThing[]
}

/** Opens the user's approvals, asks, and closes them again, whatever happens. */
export function withApprovals<T>(home: string | undefined, ask: (approvals: Approvals) => T): T {
  return asking(openDatabase(fileIn(home), { migrations: MIGRATIONS }), ask)
}

/** Digests of what is approved. Writes nothing; without a file nothing is. */
export function approvedDigests(home: string | undefined, kind: ApprovalKind): ReadonlySet<string> {
  const path = fileIn(home)
  if (!existsSync(path)) return new Set()
  const database = openDatabase(path, { migrations: MIGRATIONS, readOnly: true })
  return asking(database, (approvals) => new Set(approvals.list(kind).map(({ digest }) => digest)))
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
    isApproved: (kind, digest) =>
      database.get("SELECT 1 FROM approvals WHERE kind = ? AND digest = ?", kind, digest) !== undefined,
    approve({ kind, digest, name, at }) {
      database.run(
        "INSERT OR REPLACE INTO approvals (kind, digest, name, at) VALUES (?, ?, ?, ?)",
        kind,
        digest,
        name,
        at,
      )
    },
    revoke: (kind, name) =>
      database.run("DELETE FROM approvals WHERE kind = ? AND name = ?", kind, name).changes,
    list: (kind) =>
      database
        .all("SELECT digest, name, at FROM approvals WHERE kind = ? ORDER BY name, at DESC, digest", kind)
        // Only `approve` writes here, and it takes a digest.
        .map(({ digest, name, at }) => ({
          kind,
          digest: digest as Digest,
          name: String(name),
          at: Number(at),
        })),
  }
}
