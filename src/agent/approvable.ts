// What of a configuration is used only after the user has approved it as it stands there: MCP servers, addresses outside
// of this machine, folders outside of the workspace, and in a chat what is scheduled. One that comes from elsewhere must
// not start programs, nor choose who gets keys and texts, which files are read, or what is asked of a model by itself.
import { canonicalJson, type Digest, digestOf } from "../core/digest.ts"
import { byCodePoint } from "../core/order.ts"
import { namedDirectories } from "../sources/directories.ts"
import type { Workspace } from "../sources/workspace.ts"
import { type ApprovalKind, approvedDigests } from "./approvals.ts"

export interface Approvable {
  readonly kind: Exclude<ApprovalKind, "hook" | "profile">
  readonly name: string
  readonly digest: Digest
  /** The command or the address, as it is written; where a folder really is. */
  readonly place: string
  /** All of it, as data on one line. */
  readonly entry: string
}

/** What is read of a workspace. */
type Configured = Pick<Workspace, "config" | "root" | "home">

/** By kind and name. The folder counts: the same words may start another program elsewhere. */
export function approvables(workspace: Configured): readonly Approvable[] {
  const { mcp = {}, providers = {}, record, schedule = [] } = workspace.config
  const thing = (kind: Approvable["kind"], name: string, place: string, what: object): Approvable => {
    const entry = canonicalJson(what)
    return { kind, name, digest: digestOf([kind, workspace.root, name, entry]), place, entry }
  }
  const servers = Object.entries(mcp).map(([name, server]) =>
    thing("mcp", name, [server.command ?? server.url ?? "", ...(server.args ?? [])].join(" "), server),
  )
  const addresses = [
    ...Object.entries(providers).map(([name, provider]) => thing("provider", name, provider.url, provider)),
    ...(record?.otlp ? [thing("otlp", "record.otlp", record.otlp.endpoint, record.otlp)] : []),
  ].filter(({ place }) => isElsewhere(place))
  const folders = namedDirectories(workspace)
    .filter(({ isOutside }) => isOutside)
    .map(({ name, real }) => thing("directory", name, real, { path: real }))
  const runs = schedule.map(({ run }) => run).join("; ")
  const timetable = schedule.length === 0 ? [] : [thing("schedule", "schedule", runs, schedule)]
  return [...servers, ...addresses, ...folders, ...timetable].toSorted(
    (a, b) => byCodePoint(a.kind, b.kind) || byCodePoint(a.name, b.name),
  )
}

/** What is not approved yet. `home`: where approvals are kept. */
export function waitingIn(workspace: Configured, home: string | undefined): readonly Approvable[] {
  return approvables(workspace).filter(({ kind, digest }) => !approvedDigests(home, kind).has(digest))
}

/** Real paths of folders outside of the workspace that may be used. Not to be kept: a link may lead elsewhere later. */
export function approvedDirectories(workspace: Configured, home: string | undefined): ReadonlySet<string> {
  if (workspace.config.directories === undefined) return new Set()
  const folders = approvables(workspace).filter(({ kind }) => kind === "directory")
  const approved = folders.length === 0 ? new Set() : approvedDigests(home, "directory")
  return new Set(folders.flatMap(({ digest, place }) => (approved.has(digest) ? [place] : [])))
}

/** Whether what the configuration schedules may run where nobody has asked for just that. */
export function isScheduleApproved(workspace: Configured, home: string | undefined): boolean {
  return waitingIn(workspace, home).every(({ kind }) => kind !== "schedule")
}

/** What goes to this machine does not leave it. */
function isElsewhere(address: string): boolean {
  const host = URL.canParse(address) ? new URL(address).hostname : ""
  return !/^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(host)
}
