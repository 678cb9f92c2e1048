// `incipit mcp status`: the MCP servers of incipit.yaml, and who is signed in. Contacts none of them.
import type { SignIn } from "../../../agent/mcp/sign-in/stored-sign-ins.ts"
import { durationText } from "../../../record/ask/log.ts"
import { exact } from "../../chat/screen/visible.ts"
import { asTyped } from "../../command-line/as-typed.ts"
import type { Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import type { Terminal } from "../../terminal.ts"
import { painter } from "../../views/colour.ts"
import { cells } from "../../views/widths.ts"
import { type NamedServer, namedServers } from "./servers.ts"

export async function run({ flags, terminal }: Invocation<"mcp status">): Promise<number> {
  const { servers } = namedServers(flags, terminal)
  const listed = servers.map((server) => {
    const { name, at, isApproved, signIn } = server
    const { scope = null, expiresAt = null } = signIn?.tokens ?? {}
    return { name, at, approved: isApproved, state: stateOf(server, terminal), scope, expiresAt }
  })
  if (listed.length === 0 && !flags.json) terminal.err("incipit.yaml names no MCP servers.\n")
  else print({ flags, terminal }, listed, () => lines(servers, terminal))
  return 0
}

/** A token that can be renewed has no end that anybody has to know. */
type State = "program" | "own-key" | "signed-in" | "expired" | "not-signed-in"

function stateOf({ url, hasOwnKey, signIn }: NamedServer, { now }: Terminal): State {
  if (url === undefined) return "program"
  if (hasOwnKey) return "own-key"
  if (signIn === undefined) return "not-signed-in"
  const { expiresAt, refresh } = signIn.tokens ?? { expiresAt: 0, refresh: undefined }
  return refresh === undefined && expiresAt !== undefined && expiresAt <= now() ? "expired" : "signed-in"
}

function lines(servers: readonly NamedServer[], terminal: Terminal): readonly string[] {
  const paint = painter(terminal)
  const widest = Math.max(...servers.map(({ name }) => cells(exact(name))))
  return servers.map((server) => {
    const { name, at, isApproved } = server
    const state = stateOf(server, terminal)
    const said = {
      program: "program",
      "own-key": "has its own key",
      "signed-in": server.signIn === undefined ? "" : signInText(server.signIn, terminal),
      expired: asTyped(`sign-in expired; run: incipit mcp login ${exact(name)}`, terminal),
      "not-signed-in": "not signed in",
    }[state]
    const waits = isApproved ? "" : "; waits for approval"
    const padded = `${exact(name)}${" ".repeat(widest - cells(exact(name)))}`
    const line = `${padded}  ${said}${waits}  ${exact(at)}`
    return state === "expired" || !isApproved ? paint("yellow", line) : line
  })
}

export function signInText({ tokens, wanted }: SignIn, { now }: Pick<Terminal, "now">): string {
  const { refresh, expiresAt, scope } = tokens ?? {}
  const left =
    expiresAt === undefined || refresh !== undefined ? "" : ` for ${durationText(expiresAt - now())}`
  const rights = scope === undefined ? "" : ` with the rights ${exact(scope)}`
  return `signed in${left}${rights}${wanted === undefined ? "" : ", and it wants more: sign in again"}`
}
