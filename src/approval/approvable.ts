// The parts of a configuration that need the user's approval before use: MCP servers, addresses, folders outside the
// workspace, who may reach the server, rules that allow actions without a question, the sandbox, and in a chat the schedule. A
// configuration from elsewhere must not start programs, choose who receives keys and texts or which files are read, open
// the machine to others, or send requests to a model unprompted.
import { defined } from "../base/defined.ts"
import { canonicalJson, type Digest, digestOf } from "../base/digest.ts"
import { byCodePoint } from "../base/order.ts"
import { shownUrl } from "../database/postgres/database-url.ts"
import { folderIdentity, folderKey } from "../files/identity.ts"
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
  /** The command or address as written; for a folder, its real path. */
  readonly place: string
  /** The whole entry as JSON on one line. */
  readonly entry: string
  /** The workspace files that a server's command would run. */
  readonly files: readonly ServerFile[]
}

/** The parts of a workspace that are read. */
export type Configured = Pick<Workspace, "config" | "root" | "home">

/** By kind and name. The digest includes the folder: elsewhere, the same words may start another program. */
export function approvables(workspace: Configured): readonly Approvable[] {
  const all = [
    ...servers(workspace),
    ...addresses(workspace),
    ...databaseItem(workspace),
    ...folders(workspace),
    ...rulesItem(workspace),
    ...scheduleItem(workspace),
    ...serveItem(workspace),
    ...sandboxItem(workspace),
  ]
  return all.toSorted((a, b) => byCodePoint(a.kind, b.kind) || byCodePoint(a.name, b.name))
}

/** What is not approved yet. `home`: where approvals are kept. */
export function waitingIn(workspace: Configured, home: string | undefined): readonly Approvable[] {
  const all = approvables(workspace)
  const isApproved = all.length === 0 ? () => true : approvedIn(workspace.root, home)
  return all.filter((one) => !isApproved(one))
}

/** The same, for MCP servers only. */
export function waitingServers(workspace: Configured, home: string | undefined): readonly Approvable[] {
  const all = servers(workspace)
  const isApproved = all.length === 0 ? () => true : approvedIn(workspace.root, home)
  return all.filter((one) => !isApproved(one))
}

/** Real paths of folders outside the workspace that may be used. Do not cache: a link may lead elsewhere later. */
export function approvedDirectories(workspace: Configured, home: string | undefined): ReadonlySet<string> {
  const all = folders(workspace)
  const isApproved = all.length === 0 ? () => false : approvedIn(workspace.root, home)
  return new Set(all.filter(isApproved).map(({ place }) => place))
}

/** Whether the configured database may be used. */
export function isDatabaseApproved(workspace: Configured, home: string | undefined): boolean {
  return databaseItem(workspace).every(approvedIn(workspace.root, home))
}

/** Whether the configured schedule may run when the user has not asked for it explicitly. */
export function isScheduleApproved(workspace: Configured, home: string | undefined): boolean {
  return scheduleItem(workspace).every(approvedIn(workspace.root, home))
}

/** Whether the rules that allow actions without a question may be used. */
export function areRulesApproved(workspace: Configured, home: string | undefined): boolean {
  return rulesItem(workspace).every(approvedIn(workspace.root, home))
}

/** Whether the settings of the sandbox count in full, and not only as far as they restrict. */
export function isSandboxApproved(workspace: Configured, home: string | undefined): boolean {
  return sandboxItem(workspace).every(approvedIn(workspace.root, home))
}

/** Whether a server may start now: its files may have changed since it was configured. */
export function isServerApproved(workspace: Configured, name: string, home: string | undefined): boolean {
  const server = workspace.config.mcp?.[name]
  return server !== undefined && approvedIn(workspace.root, home)(serverThing(workspace, { name, server }))
}

/** Whether the folder says who may reach the server. */
export function needsServeApproval(workspace: Configured): boolean {
  return serveItem(workspace).length > 0
}

/** Whether what it says is approved; false if it no longer says anything. */
export function isServeApproved(workspace: Configured, home: string | undefined): boolean {
  return needsServeApproval(workspace) && serveItem(workspace).every(approvedIn(workspace.root, home))
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

/** Includes addresses on this machine: any program may listen on a local port and act on what it receives. */
function addresses(workspace: Configured): readonly Approvable[] {
  const { providers = {}, record } = workspace.config
  const own = Object.entries(providers).map(([name, provider]) =>
    thing(workspace, { kind: "provider", name, place: provider.url, what: provider }),
  )
  const otlp = record?.otlp
  if (otlp === undefined) return own
  return [...own, thing(workspace, { kind: "otlp", name: "record.otlp", place: otlp.endpoint, what: otlp })]
}

/** Where all conversations go, and whose password is sent there. */
function databaseItem(workspace: Configured): readonly Approvable[] {
  const { database } = workspace.config
  if (database === undefined) return []
  const place = shownUrl(database)
  return [thing(workspace, { kind: "database", name: "database", place, what: { database } })]
}

function folders(workspace: Configured): readonly Approvable[] {
  if (workspace.config.directories === undefined) return []
  return namedDirectories(workspace)
    .filter(({ isOutside }) => isOutside)
    .map(({ name, real }) => thing(workspace, { kind: "directory", name, place: real, what: { path: real } }))
}

/** Rules that ask or deny take nothing away from the user, so they need no approval. */
function rulesItem(workspace: Configured): readonly Approvable[] {
  const { allow = [] } = workspace.config.approve ?? {}
  if (allow.length === 0) return []
  const place = allow.map((rule) => (typeof rule === "string" ? rule : canonicalJson(rule))).join("; ")
  return [thing(workspace, { kind: "rules", name: "approve.allow", place, what: allow })]
}

function scheduleItem(workspace: Configured): readonly Approvable[] {
  const { schedule = [] } = workspace.config
  if (schedule.length === 0) return []
  const place = schedule.map(({ run }) => run).join("; ")
  return [thing(workspace, { kind: "schedule", name: "schedule", place, what: schedule })]
}

/** With it, commands run without a question, and what they see and reach is up to it. */
function sandboxItem(workspace: Configured): readonly Approvable[] {
  const { sandbox } = workspace.config
  if (sandbox === undefined || (sandbox.mode ?? "off") === "off" || sandbox.mode === false) return []
  const place = Object.entries(sandbox)
    .map(([key, value]) => `${key}: ${typeof value === "object" ? canonicalJson(value) : value}`)
    .join("; ")
  return [thing(workspace, { kind: "sandbox", name: "sandbox", place, what: sandbox })]
}

/** What opens the machine to others, and who they are then. Ports and limits don't. */
function serveItem(workspace: Configured): readonly Approvable[] {
  const { host, hosts, origins, proxies, tls, channels, owner } = workspace.config.serve ?? {}
  const opening = defined({ host, hosts, origins, proxies, tls, channels, owner })
  if (Object.keys(opening).length === 0) return []
  const { users, rooms, situations } = workspace.config
  const named = Object.entries({ ...opening, ...defined({ users, rooms, situations }) })
  const place = named.map(([key, value]) => `${key}: ${namesIn(value)}`).join("; ")
  const what = { ...opening, ...peopleIn(workspace.config) }
  return [thing(workspace, { kind: "serve", name: "serve", place, what })]
}

/** What decides with which trust somebody talks. Users in their order: the first whose identity matches counts. */
export function peopleIn({ users, rooms, situations }: Config): object {
  const inOrder = users && Object.entries(users).map(([id, user]) => ({ id, ...user }))
  return defined({ users: inOrder, rooms, situations })
}

function namesIn(value: string | object): string {
  if (typeof value === "string") return value
  return (Array.isArray(value) ? value : Object.keys(value)).join(", ")
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
