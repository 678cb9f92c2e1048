// What of a configuration is used only after the user has approved it as it stands there: MCP servers, addresses, folders
// outside of the workspace, and in a chat what is scheduled. One that comes from elsewhere must not start programs, nor
// choose who gets keys and texts, which files are read, or what is asked of a model by itself.
import { canonicalJson, type Digest, digestOf } from "../base/digest.ts"
import { byCodePoint } from "../base/order.ts"
import { folderIdentity, folderKey } from "../files/folder-identity.ts"
import type { Config } from "../sources/config/config-schema.ts"
import { namedDirectories } from "../sources/config/directories.ts"
import type { Workspace } from "../sources/workspace.ts"
import type { ApprovalKind } from "./approvals.ts"
import { approvedIn } from "./approved-in.ts"
import { type Looking, lookingAtServers, type ServerFile, serverFiles } from "./server-files.ts"

export interface Approvable {
  readonly kind: Exclude<ApprovalKind, "hook" | "profile">
  readonly name: string
  readonly digest: Digest
  /** The command or the address, as it is written; where a folder really is. */
  readonly place: string
  /** All of it, as data on one line. */
  readonly entry: string
  /** Of the workspace, what a server's command would run. */
  readonly files: readonly ServerFile[]
}

/** What is read of a workspace. */
export type Configured = Pick<Workspace, "config" | "root" | "home">

/** By kind and name. The folder counts: the same words may start another program elsewhere. */
export function approvables(workspace: Configured): readonly Approvable[] {
  const all = [
    ...servers(workspace),
    ...addresses(workspace),
    ...folders(workspace),
    ...scheduleItem(workspace),
  ]
  return all.toSorted((a, b) => byCodePoint(a.kind, b.kind) || byCodePoint(a.name, b.name))
}

/** What is not approved yet. `home`: where approvals are kept. */
export function waitingIn(workspace: Configured, home: string | undefined): readonly Approvable[] {
  const all = approvables(workspace)
  const isApproved = all.length === 0 ? () => true : approvedIn(workspace.root, home)
  return all.filter((one) => !isApproved(one))
}

/** The same, of MCP servers alone. */
export function waitingServers(workspace: Configured, home: string | undefined): readonly Approvable[] {
  const all = servers(workspace)
  const isApproved = all.length === 0 ? () => true : approvedIn(workspace.root, home)
  return all.filter((one) => !isApproved(one))
}

/** Real paths of folders outside of the workspace that may be used. Not to be kept: a link may lead elsewhere later. */
export function approvedDirectories(workspace: Configured, home: string | undefined): ReadonlySet<string> {
  const all = folders(workspace)
  const isApproved = all.length === 0 ? () => false : approvedIn(workspace.root, home)
  return new Set(all.filter(isApproved).map(({ place }) => place))
}

/** Whether what the configuration schedules may run where nobody has asked for just that. */
export function isScheduleApproved(workspace: Configured, home: string | undefined): boolean {
  return scheduleItem(workspace).every(approvedIn(workspace.root, home))
}

/** Whether a server may start now, as it was configured: its files may be others than they were. */
export function isServerApproved(workspace: Configured, name: string, home: string | undefined): boolean {
  const server = workspace.config.mcp?.[name]
  return server !== undefined && approvedIn(workspace.root, home)(serverThing(workspace, { name, server }))
}

function servers(workspace: Configured): readonly Approvable[] {
  const looking = lookingAtServers()
  return Object.entries(workspace.config.mcp ?? {}).map(([name, server]) =>
    serverThing(workspace, { name, server, looking }),
  )
}

interface NamedServer {
  readonly name: string
  readonly server: McpEntry
  readonly looking?: Looking
}

function serverThing(workspace: Configured, { name, server, looking }: NamedServer): Approvable {
  const place = [server.command ?? server.url ?? "", ...(server.args ?? [])].join(" ")
  return thing(workspace, {
    kind: "mcp",
    name,
    place,
    what: server,
    files: serverFiles(server, workspace.root, looking),
  })
}

type McpEntry = NonNullable<Config["mcp"]>[string]

/** On this machine, too: any program may listen on a port here, and act on what it is sent. */
function addresses(workspace: Configured): readonly Approvable[] {
  const { providers = {}, record } = workspace.config
  const own = Object.entries(providers).map(([name, provider]) =>
    thing(workspace, { kind: "provider", name, place: provider.url, what: provider }),
  )
  const otlp = record?.otlp
  if (otlp === undefined) return own
  return [...own, thing(workspace, { kind: "otlp", name: "record.otlp", place: otlp.endpoint, what: otlp })]
}

function folders(workspace: Configured): readonly Approvable[] {
  if (workspace.config.directories === undefined) return []
  return namedDirectories(workspace)
    .filter(({ isOutside }) => isOutside)
    .map(({ name, real }) => thing(workspace, { kind: "directory", name, place: real, what: { path: real } }))
}

function scheduleItem(workspace: Configured): readonly Approvable[] {
  const { schedule = [] } = workspace.config
  if (schedule.length === 0) return []
  const place = schedule.map(({ run }) => run).join("; ")
  return [thing(workspace, { kind: "schedule", name: "schedule", place, what: schedule })]
}

interface Facts {
  readonly kind: Approvable["kind"]
  readonly name: string
  readonly place: string
  readonly what: object
  readonly files?: readonly ServerFile[]
}

function thing({ root }: Configured, { kind, name, place, what, files = [] }: Facts): Approvable {
  const entry = canonicalJson(what)
  const identity = folderIdentity(root)
  const digests = files.flatMap((file) => [file.path, file.digest])
  return {
    kind,
    name,
    digest: digestOf([kind, identity ? folderKey(identity) : "", name, entry, ...digests]),
    place,
    entry,
    files,
  }
}
