// Whose process is at the other end of a connection on this machine, as Linux tells it. Elsewhere nobody knows.
import { readFileSync } from "node:fs"
import process from "node:process"
import type { BrowserSessions, Ports } from "./browser-sessions.ts"

/**
 * Sign-in for processes of one user only. While a browser starts with a link, the list of processes shows its code to all
 * users of the machine. Root could read everything anyway, and who is root here signs in with the browser of their own user.
 */
export function forUser(sessions: BrowserSessions, user = process.getuid?.() ?? 0): BrowserSessions {
  const isOther = (peer: Ports) => userAt(peer).some((found) => found !== 0 && found !== user)
  return {
    ...sessions,
    begin: async (code, peer) => (user !== 0 && isOther(peer) ? undefined : sessions.begin(code, peer)),
  }
}

/** Connections of IPv4, and those of IPv6, by which IPv4 is reached as well. */
const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"]

/** The users who hold the other end of a connection: one, unless others have the same ports at other addresses. */
export function userAt({ localPort = 0, remotePort = 0 }: Ports): readonly number[] {
  const [ours, theirs] = [hexOf(localPort), hexOf(remotePort)]
  return TABLES.flatMap(linesOf).flatMap((line) => {
    // Its own address, the other one, state, queues, timer, repeats, and the user.
    const [, local = "", remote = "", , , , , user] = line.trim().split(/\s+/)
    return local.endsWith(theirs) && remote.endsWith(ours) ? [Number(user)] : []
  })
}

function hexOf(port: number): string {
  return `:${port.toString(16).toUpperCase().padStart(4, "0")}`
}

function linesOf(table: string): readonly string[] {
  try {
    return readFileSync(table, "utf8").split("\n")
  } catch (error) {
    // Another system, or one that does not tell.
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "EACCES"))
      return []
    throw error
  }
}
