// What a folder brings that could act, and whether the user has approved the folder as its source. Reads the
// configuration and looks for state; runs and approves nothing.
import { IncipitError } from "../base/error.ts"
import { foundState } from "../files/found-state.ts"
import { folderIdentity, folderKey } from "../files/identity.ts"
import { approvables, type Configured } from "./approvable.ts"
import { type ApprovalKind, withApprovals } from "./approvals.ts"
import { approvedFolder, itemKey } from "./approved-in.ts"

export interface Brought {
  readonly kind: ApprovalKind | "state"
  /** As written in the configuration; for state, a path. */
  readonly name: string
  /** A command, an address or a real path; the name if there is nothing more to add. */
  readonly place: string
}

export interface FolderState {
  /** Everything that could act, in display order. */
  readonly brings: readonly Brought[]
  /** What the user has not seen yet; empty if the folder is approved as it is. */
  readonly unseen: readonly Brought[]
  /** The folder is approved, with what it brought at that time. */
  readonly isKnown: boolean
}

/** `profile`: the path of the module, if the configured profile is one. */
export interface FolderOptions {
  readonly home: string | undefined
  readonly profile: string | undefined
}

export function folderState(workspace: Configured, { home, profile }: FolderOptions): FolderState {
  const brings = broughtBy(workspace, profile)
  const approved = approvedFolder(workspace.root, home)
  const seen = new Set(approved?.items)
  const unseen = brings.filter((one) => !seen.has(itemKey(one)))
  return { brings, unseen, isKnown: approved !== undefined }
}

/** Whether it makes the agent ask for approval at start. */
export function isActing({ kind }: Brought): boolean {
  // These have their own approval: a schedule needs one or `run --schedule`, `incipit serve` asks about its settings, and
  // state has to be adopted.
  return kind !== "schedule" && kind !== "serve" && kind !== "state"
}

/** Approves the folder as the source of these things, in addition to those approved before. */
export function approveFolder(
  root: string,
  brings: readonly { readonly kind: string; readonly name: string }[],
  { home, at }: { readonly home: string | undefined; readonly at: number },
): void {
  const identity = folderIdentity(root)
  if (identity === undefined) throw new IncipitError("unreadable-workspace", `cannot open the folder ${root}`)
  const before = approvedFolder(root, home)?.items ?? []
  const items = [...new Set([...before, ...brings.map(itemKey)])]
  withApprovals(home, (approvals) =>
    approvals.approveFolder({ key: folderKey(identity), path: identity.path, items, at }),
  )
}

function broughtBy(workspace: Configured, profile: string | undefined): readonly Brought[] {
  const modules = (workspace.config.hooks ?? []).map((name) => ({ kind: "hook" as const, name, place: name }))
  return [
    ...modules,
    ...(profile === undefined ? [] : [{ kind: "profile" as const, name: profile, place: profile }]),
    ...approvables(workspace).map(({ kind, name, place }) => ({ kind, name, place })),
    // Left by Incipit 0.1.0, or prepared by someone else.
    ...foundState(workspace.root).map(({ shown }) => ({ kind: "state" as const, name: shown, place: shown })),
  ]
}
