// What of a configuration is used only after the user has approved it as it stands there: MCP servers, and addresses
// outside of this machine. One that comes from elsewhere must not start programs, nor choose who gets keys and texts.
import { canonicalJson, type Digest, digestOf } from "../core/digest.ts"
import { byCodePoint } from "../core/order.ts"
import type { Config } from "../sources/config-schema.ts"
import { type ApprovalKind, approvedDigests } from "./approvals.ts"

export interface Approvable {
  readonly kind: Exclude<ApprovalKind, "hook" | "profile">
  readonly name: string
  readonly digest: Digest
  /** The command or the address, as it is written. */
  readonly place: string
  /** All of it, as data on one line. */
  readonly entry: string
}

/** By kind and name. The folder counts: the same words may start another program elsewhere. */
export function approvables(
  { mcp = {}, providers = {}, record }: Config,
  root: string,
): readonly Approvable[] {
  const thing = (kind: Approvable["kind"], name: string, place: string, what: object): Approvable => {
    const entry = canonicalJson(what)
    return { kind, name, digest: digestOf([kind, root, name, entry]), place, entry }
  }
  const servers = Object.entries(mcp).map(([name, server]) =>
    thing("mcp", name, [server.command ?? server.url ?? "", ...(server.args ?? [])].join(" "), server),
  )
  const addresses = [
    ...Object.entries(providers).map(([name, provider]) => thing("provider", name, provider.url, provider)),
    ...(record?.otlp ? [thing("otlp", "record.otlp", record.otlp.endpoint, record.otlp)] : []),
  ].filter(({ place }) => isElsewhere(place))
  return [...servers, ...addresses].toSorted(
    (a, b) => byCodePoint(a.kind, b.kind) || byCodePoint(a.name, b.name),
  )
}

/** What is not approved yet. */
export function waitingIn(config: Config, root: string, home: string | undefined): readonly Approvable[] {
  return approvables(config, root).filter(({ kind, digest }) => !approvedDigests(home, kind).has(digest))
}

/** What goes to this machine does not leave it. */
function isElsewhere(address: string): boolean {
  const host = URL.canParse(address) ? new URL(address).hostname : ""
  return !/^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(host)
}
