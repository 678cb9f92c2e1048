// What a folder brings that could act, and whether the user has approved the folder as the place that brings it. Reads
// the configuration and looks for state; runs nothing and approves nothing by itself.
import { IncipitError } from "../base/error.ts"
import { folderIdentity, folderKey } from "../files/folder-identity.ts"
import { foundState } from "../files/found-state.ts"
import { approvables, type Configured } from "./approvable.ts"
import { type ApprovalKind, withApprovals } from "./approvals.ts"
import { approvedFolder, itemKey } from "./approved-in.ts"

export interface Brought {
  readonly kind: ApprovalKind | "state"
  /** As the configuration writes it; a path for state. */
  readonly name: string
  /** A command, an address, a real path; the same as the name where there is no more to say. */
  readonly place: string
}

export interface FolderState {
  /** All that could act, in the order in which it is shown. */
  readonly brings: readonly Brought[]
  /** What nobody has seen yet; empty if the folder is approved as it is. */
  readonly unseen: readonly Brought[]
  /** It was approved, with whatever it brought then. */
  readonly isKnown: boolean
}

/** `profile`: the path of a module, if the configured profile is one. */
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

/** What raises the question when the agent is run. */
export function isActing({ kind }: Brought): boolean {
  // Both wait by themselves: a schedule for its own yes or for `run --schedule`, state for being taken over.
  return kind !== "schedule" && kind !== "state"
}

/** Approves the folder as the place that brings these things, besides those that it brought before. */
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
    // As Incipit 0.1.0 kept it, or as somebody prepared it.
    ...foundState(workspace.root).map(({ shown }) => ({ kind: "state" as const, name: shown, place: shown })),
  ]
}
