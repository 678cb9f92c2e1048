// `incipit folder`: which folders may be opened by commands that act. What they bring is approved one by one (`incipit
// hooks`).
import { resolve } from "node:path"
import { readApprovals, withApprovals } from "../../../approval/approvals.ts"
import { approveFolder } from "../../../approval/folder.ts"
import { IncipitError } from "../../../base/error.ts"
import { plural } from "../../../base/text/figures.ts"
import { folderIdentity, folderKey } from "../../../files/identity.ts"
import { existingPathOf } from "../../../files/real-path.ts"
import { openWorkspace } from "../../../sources/workspace.ts"
import { exact } from "../../chat/screen/visible.ts"
import type { Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import { printDiagnostics } from "../../command-line/print-diagnostics.ts"
import { homeFolder, workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { approvalState, askFolder } from "./folder-question.ts"

export async function approve({
  words: [wanted],
  flags,
  terminal,
}: Invocation<"folder approve">): Promise<number> {
  const home = homeFolder(flags, terminal)
  const workspace = openWorkspace(folderOf(wanted, terminal), { home })
  printDiagnostics(workspace.diagnostics, terminal)
  const state = approvalState(workspace, home)
  const { root } = workspace
  if (state.brings.length === 0) approveFolder(root, [], { home, at: terminal.now() })
  else if (state.unseen.length > 0 || !state.isKnown)
    await askFolder(workspace, { state, terminal, home, isYes: flags.yes })
  const report = { path: root, items: state.brings.map(({ kind, name }) => ({ kind, name })) }
  print({ flags, terminal }, report, () => [`Approved ${exact(root)}.`])
  return 0
}

export async function list({ flags, terminal }: Invocation<"folder list">): Promise<number> {
  const folders = readApprovals(homeFolder(flags, terminal), (approvals) => approvals.folders()) ?? []
  const listed = folders.map(({ key, path, items, at }) => ({
    ...{ path, items, at: new Date(at).toISOString() },
    // Another folder may be at this path by now.
    status: isAt(path, key) ? "approved" : "gone",
  }))
  if (listed.length === 0 && !flags.json)
    terminal.err("No folder is approved yet. `incipit folder approve` approves one.\n")
  else
    print({ flags, terminal }, listed, () =>
      listed.map(
        ({ path, items, at, status }) =>
          `${at.slice(0, 10)}  ${exact(path)}  ${plural(items.length, "item")}${status === "gone" ? ", no longer there" : ""}`,
      ),
    )
  return 0
}

export async function revoke({
  words: [wanted],
  flags,
  terminal,
}: Invocation<"folder revoke">): Promise<number> {
  const home = homeFolder(flags, terminal)
  const folder = folderOf(wanted, terminal)
  const path = existingPathOf(folder) ?? folder
  const known = readApprovals(home, (approvals) => approvals.folders()) ?? []
  const isAny = known.some((one) => one.path === path)
  const revoked = isAny ? withApprovals(home, (approvals) => approvals.revokeFolder(path)) : 0
  if (revoked === 0) throw new IncipitError("no-folder", `the folder ${exact(path)} is not approved`)
  print({ flags, terminal }, { path, revoked }, () => [`Revoked the approval of ${exact(path)}.`])
  return 0
}

function folderOf(wanted: string | undefined, terminal: Terminal): string {
  return wanted === undefined ? workspaceFolder({}, terminal) : resolve(terminal.cwd, wanted)
}

function isAt(path: string, key: string): boolean {
  const identity = folderIdentity(path)
  return identity !== undefined && folderKey(identity) === key
}
