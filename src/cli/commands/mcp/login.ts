// `incipit mcp login`: signs the person in to an MCP server over HTTP, with their browser.

import { IncipitError } from "../../../base/error.ts"
import { secretsAmong } from "../../../record/redact/secret-variables.ts"
import { createSecrets } from "../../../record/redact/secrets.ts"
import { exact } from "../../chat/screen/visible.ts"
import type { Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import { openBrowser } from "../inspect/open-browser.ts"
import { httpServer, namedServers } from "./servers.ts"
import { signInText } from "./status.ts"

/** Long enough to find a password; a forgotten sign-in does not keep a port for ever. */
const LIMIT_MS = 5 * 60_000

export async function run({ words: [name = ""], flags, terminal }: Invocation<"mcp login">): Promise<number> {
  const { servers, signIns } = namedServers(flags, terminal)
  const { url, isApproved, hasOwnKey, place } = httpServer(servers, name)
  // Its address, headers and client come from a file of the folder.
  if (!isApproved)
    throw new IncipitError(
      "not-approved",
      `the MCP server "${name}" is not approved; run: incipit hooks approve ${name}`,
    )
  if (hasOwnKey)
    throw new IncipitError(
      "sign-in-failed",
      `"${name}" has its own Authorization header in incipit.yaml, so it needs no sign-in`,
    )
  const stop = new AbortController()
  void terminal.stopped().then(() => stop.abort(new Error("stopped")))
  // Here, because it brings the protocol.
  const { signIn } = await import("../../../agent/mcp/sign-in/sign-in.ts")
  const { SignInFailed } = await import("../../../agent/mcp/sign-in/failures.ts")
  try {
    const at = place()
    const done = await signIn({
      ...{ url, signIns, limitMs: LIMIT_MS, signal: stop.signal, now: terminal.now },
      ...(at.kind === "http" ? { headers: at.headers, oauth: at.oauth } : { headers: {}, oauth: {} }),
      secrets: createSecrets(secretsAmong(terminal.env)),
      show(page) {
        terminal.err(`To sign in to ${exact(name)}, open this page at ${exact(page.host)}:\n${page.href}\n`)
        terminal.err("Waiting for the browser; Ctrl-C stops.\n")
        if (terminal.streams?.output.isTTY === true) openBrowser(page.href, terminal.env)
      },
    })
    const { expiresAt, scope } = done.tokens ?? {}
    print(
      { flags, terminal },
      { name, url, signedIn: true, scope: scope ?? null, expiresAt: expiresAt ?? null },
      () => [`Signed in to ${exact(name)}: ${signInText(done, terminal)}.`],
    )
    return 0
  } catch (error) {
    if (stop.signal.aborted) {
      terminal.err("Stopped; nobody was signed in.\n")
      return 2
    }
    if (error instanceof SignInFailed)
      throw new IncipitError("sign-in-failed", `not signed in to "${name}": ${error.message}`, {
        cause: error,
      })
    throw error
  }
}
