// `incipit serve`: opens the workspace's agents behind a server, prints a link with a one-time code, and runs until it
// is asked to stop. A second signal ends it at once.
import { resolve } from "node:path"
import { IncipitError } from "../../../base/error.ts"
import { unreadable } from "../../../base/system-error.ts"
import { MAX_TEXT_BYTES, readBounded } from "../../../files/read-bounded.ts"
import { makeSignInCode } from "../../../serve/auth/sign-in-code.ts"
import { addressOf, type ServeSettings, serveSettings } from "../../../serve/http/settings.ts"
import { visible } from "../../chat/screen/visible.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { approveServing } from "./approve-serving.ts"
import type { Served } from "./open-served.ts"
import { withExistingStore, withStore } from "./serve-store.ts"

export async function run({ flags, terminal }: Invocation<"serve">): Promise<number> {
  if (flags.link) return printLink(flags, terminal)
  const workspace = workspaceFolder(flags, terminal)
  const approved = await approveServing(flags, terminal)
  const settings = serveSettings(approved, flags, (path) => readFrom(workspace, path))
  return withStore(flags, terminal, async (store, state) => {
    const { openServed } = await import("./open-served.ts")
    const served = await openServed({ flags, terminal, approved, settings, store, state })
    showLink(served, flags, terminal)
    if (!flags.json) terminal.err(`${noticesOf(served, settings, workspace).join("\n")}\n`)
    await terminal.stopped()
    if (!flags.json)
      terminal.err("Stopping: waiting for current answers. Press Ctrl-C again to stop at once.\n")
    await served.close()
    return 0
  })
}

/** A new link, for a server that runs elsewhere with the same state. Its host gets the code, so it must be approved. */
async function printLink(flags: FlagsOf<"serve">, terminal: Terminal): Promise<number> {
  const settings = serveSettings(await approveServing(flags, terminal), flags, () => "")
  const code = await withExistingStore(flags, terminal, ({ tokens }) => makeSignInCode(tokens))
  if (code === undefined)
    throw new IncipitError("bad-argument", "--link is for a server that is running, and none has run here")
  showLink({ url: addressOf(settings, settings.port), code }, flags, terminal)
  if (!flags.json)
    terminal.err(
      "The code works once, for an hour; earlier codes stay valid. If the server runs with --host or --port, give them here, too.\n",
    )
  return 0
}

function readFrom(workspace: string, path: string): string {
  try {
    return readBounded(resolve(workspace, path), MAX_TEXT_BYTES)
  } catch (error) {
    throw unreadable(path, error)
  }
}

function showLink(
  { url, code }: Pick<Served, "url" | "code">,
  { json }: FlagsOf<"serve">,
  { out }: Terminal,
) {
  out(json ? `${JSON.stringify({ url, code })}\n` : `${url}/login?code=${code}\n`)
}

const NOBODY_ASKED =
  "hint: questions for approval are not sent to a channel, and count as refused without an answer. To get them, set serve.owner, such as telegram:4711."

function noticesOf(
  { agents, channels, offline, hints }: Served,
  settings: ServeSettings,
  workspace: string,
): readonly string[] {
  const { host, origins, tls, proxies, owner } = settings
  return [
    `Serving ${agents.map(visible).join(", ")} from ${visible(workspace)}. Open the link to sign in as the owner; its code works once, for an hour.`,
    ...(offline === undefined ? [] : [offline]),
    ...hints,
    ...(channels.length === 0 ? [] : [`Channels: ${channels.map(visible).join(", ")}`]),
    ...(channels.length === 0 || owner !== undefined ? [] : [NOBODY_ASKED]),
    ...(origins.length === 0 ? [] : [`Pages that may call this server with a token: ${origins.join(", ")}`]),
    ...(isLoopback(host) || tls !== undefined || proxies.length > 0
      ? []
      : [
          `warning: ${host} can be reached from other machines, and tokens are sent unencrypted. Set serve.tls, or serve.proxies if a proxy encrypts.`,
        ]),
  ]
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\./.test(host)
}
