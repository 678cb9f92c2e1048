// Whose process is at the other end of a connection on this machine, as Linux tells it. Elsewhere nobody knows.
import { readFileSync } from "node:fs"
import { SocketAddress } from "node:net"
import { endianness } from "node:os"
import process from "node:process"
import type { BrowserSessions, Connection } from "./browser-sessions.ts"

/**
 * Sign-in for processes of one user only. While a browser starts with a link, the list of processes shows its code to all
 * users of the machine. Root could read everything anyway, and who is root here signs in with the browser of their own user.
 */
export function forUser(sessions: BrowserSessions, user = process.getuid?.() ?? 0): BrowserSessions {
  const mayUse = (holder: Holder) => holder === 0 || holder === user || holder === "unknown"
  return {
    ...sessions,
    begin: async (code, connection) =>
      user === 0 || mayUse(holderOf(connection)) ? sessions.begin(code, connection) : undefined,
  }
}

/** A user's number; or nobody any more; or somebody whom this system does not name. */
export type Holder = number | "gone" | "unknown"

/** Connections of IPv4, and those of IPv6, by which IPv4 is reached as well. */
const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"]
const ESTABLISHED = "01"

/**
 * Who holds the other end. Both ends of a connection of this machine are listed while it is open, so somebody who has
 * closed theirs is refused: they could hide who they were and use the code up. An open connection of which only our end is
 * listed comes through a port that was forwarded from another network namespace, where the processes are not of this table.
 */
export function holderOf(connection: Connection, tables: readonly string[] = TABLES.map(textOf)): Holder {
  const { localAddress, localPort = 0, remoteAddress, remotePort = 0, destroyed } = connection
  if (destroyed || localAddress === undefined || remoteAddress === undefined) return "gone"
  const [ours, theirs] = [placeAt(localAddress, localPort), placeAt(remoteAddress, remotePort)]
  const rows = tables.flatMap((table) => rowsIn(table, localPort))
  const other = rows.find(({ local, remote }) => local === theirs && remote === ours)
  // A closed one may stay in the list, as root's, whoever had it.
  if (other !== undefined) return other.inode === 0 ? "gone" : other.user
  const own = rows.find(({ local, remote }) => local === ours && remote === theirs)
  if (own?.state === ESTABLISHED) return "unknown"
  // A table without the socket that listens here says nothing of anybody.
  return rows.length > 0 ? "gone" : "unknown"
}

interface Row {
  readonly local: string
  readonly remote: string
  readonly state: string
  readonly user: number
  readonly inode: number
}

/** Those with this port at one of their ends. */
function rowsIn(table: string, port: number): readonly Row[] {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, "0")}`
  return table.split("\n").flatMap((line) => {
    // Its own address, the other one, state, queues, timer, repeats, user, timeouts, and the inode, which is 0 once closed.
    const [, local = "", remote = "", state = "", , , , user, , inode] = line.trim().split(/\s+/)
    if (!local.endsWith(ending) && !remote.endsWith(ending)) return []
    return [
      { local: placeIn(local), remote: placeIn(remote), state, user: Number(user), inode: Number(inode) },
    ]
  })
}

/** As in a table: the address in words of four bytes, each as the processor has it, and the port. */
function placeIn(text: string): string {
  const [address = "", port = ""] = text.split(":")
  const bytes = (address.match(/.{8}/g) ?? []).flatMap((word) => {
    const found = word.match(/../g) ?? []
    return endianness() === "LE" ? found.toReversed() : found
  })
  const shown =
    bytes.length === 4
      ? bytes.map((byte) => Number.parseInt(byte, 16)).join(".")
      : new SocketAddress({ family: "ipv6", address: bytes.join("").match(/.{4}/g)?.join(":") ?? "::" })
          .address
  return placeAt(shown, Number.parseInt(port, 16))
}

/** A socket of IPv6 has addresses of IPv4 with a prefix. */
function placeAt(address: string, port: number): string {
  return `${address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "")} ${port}`
}

function textOf(table: string): string {
  try {
    return readFileSync(table, "utf8")
  } catch (error) {
    // Another system, or one that does not tell.
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "EACCES"))
      return ""
    throw error
  }
}
