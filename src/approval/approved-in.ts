// Whether a thing from a folder may be used: the folder is approved, it had this thing when it was approved, and the
// thing is approved as it is now. Everything that uses such a thing goes through this check.
import type { Digest } from "../base/digest.ts"
import { folderIdentity, folderKey } from "../files/identity.ts"
import { type ApprovalKind, type ApprovedFolder, readApprovals } from "./approvals.ts"

export interface Item {
  readonly kind: ApprovalKind
  /** As written in the configuration. */
  readonly name: string
}

/** How a folder's approval records what it brought. */
export function itemKey({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${kind} ${name}`
}

/** For one folder, with the current approvals. Do not cache. */
export function approvedIn(
  root: string,
  home: string | undefined,
): (item: Item & { readonly digest: Digest }) => boolean {
  const folder = approvedFolder(root, home)
  const shown = new Set(folder?.items)
  const digests = new Map<ApprovalKind, ReadonlySet<string>>()
  return ({ kind, name, digest }) => {
    if (!shown.has(itemKey({ kind, name }))) return false
    const known = digests.get(kind) ?? digestsOf(home, kind)
    digests.set(kind, known)
    return known.has(digest)
  }
}

/** The approval of exactly this folder. Returns undefined if it is not approved. */
export function approvedFolder(root: string, home: string | undefined): ApprovedFolder | undefined {
  const identity = folderIdentity(root)
  if (identity === undefined) return undefined
  const key = folderKey(identity)
  return readApprovals(home, (approvals) => approvals.folders().find((one) => one.key === key))
}

function digestsOf(home: string | undefined, kind: ApprovalKind): ReadonlySet<string> {
  return readApprovals(home, (all) => new Set(all.list(kind).map(({ digest }) => digest))) ?? new Set()
}
