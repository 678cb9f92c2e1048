// `incipit mcp logout`: forgets a sign-in, here and at the service.
import { exact } from "../../chat/screen/visible.ts"
import type { Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import { httpServer, namedServers } from "./servers.ts"

export async function run({
  words: [name = ""],
  flags,
  terminal,
}: Invocation<"mcp logout">): Promise<number> {
  const { servers, signIns } = namedServers(flags, terminal)
  const { url } = httpServer(servers, name)
  const stop = new AbortController()
  void terminal.stopped().then(() => stop.abort())
  // Here, because it brings the protocol.
  const { signOut } = await import("../../../agent/mcp/sign-in/sign-out.ts")
  const { wasSignedIn, told } = await signOut(url, signIns, stop.signal)
  print({ flags, terminal }, { name, url, wasSignedIn, revoked: told ?? null }, () => [
    wasSignedIn ? `Signed out of ${exact(name)}.` : `Nobody was signed in to ${exact(name)}.`,
  ])
  if (told === false && !flags.json)
    terminal.err("The service could not be told, so it may accept the old token until it expires.\n")
  return 0
}
