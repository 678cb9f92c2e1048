// Whether something of a folder may be used: the folder is approved, it showed this thing when it was, and the thing
// itself is approved as it is now. One question, which everybody asks who would use any of it.
import type { Digest } from "../base/digest.ts"
import { folderIdentity, folderKey } from "../files/folder-identity.ts"
import { type ApprovalKind, type ApprovedFolder, readApprovals } from "./approvals.ts"

export interface Item {
  readonly kind: ApprovalKind
  /** As the configuration writes it. */
  readonly name: string
}

/** How an approval of a folder remembers what it showed. */
export function itemKey({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${kind} ${name}`
}

/** For one folder, as the approvals are now. Not to be kept. */
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

/** What was said of this very folder; undefined if nobody has approved it. */
export function approvedFolder(root: string, home: string | undefined): ApprovedFolder | undefined {
  const identity = folderIdentity(root)
  if (identity === undefined) return undefined
  const key = folderKey(identity)
  return readApprovals(home, (approvals) => approvals.folders().find((one) => one.key === key))
}

function digestsOf(home: string | undefined, kind: ApprovalKind): ReadonlySet<string> {
  return readApprovals(home, (all) => new Set(all.list(kind).map(({ digest }) => digest))) ?? new Set()
}
