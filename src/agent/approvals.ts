// What the owner has allowed, by digest: a thing that changes has another digest, and waits again.
import type { Digest } from "../core/digest.ts"
import type { Database } from "../sqlite/database.ts"

/** What can be approved. */
export type ApprovalKind = "hook"

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

export function openApprovals(database: Database): Approvals {
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
