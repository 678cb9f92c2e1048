// Which servers of a configuration may start: those that the user has approved as they stand there. A configuration
// that comes from elsewhere must not start programs, nor send the user's keys to a place of its choice.
import { canonicalJson, type Digest, digestOf } from "../../core/digest.ts"
import { byCodePoint } from "../../core/order.ts"
import type { McpConfig } from "./config.ts"

export interface NamedServer {
  readonly name: string
  readonly digest: Digest
  /** The command or the address, as it is written. */
  readonly place: string
  /** All of it, as data on one line. */
  readonly entry: string
}

/** By name. The folder counts: the same words may start another program elsewhere. */
export function namedServers(config: McpConfig = {}, root: string): readonly NamedServer[] {
  return Object.entries(config)
    .map(([name, server]) => {
      const entry = canonicalJson(server)
      const place = [server.command ?? server.url ?? "", ...(server.args ?? [])].join(" ")
      return { name, digest: digestOf(["mcp", root, name, entry]), place, entry }
    })
    .toSorted((a, b) => byCodePoint(a.name, b.name))
}
