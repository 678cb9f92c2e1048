// `incipit token`: makes, lists and revokes the tokens of the server.
import { parseDuration } from "../../../base/duration.ts"
import { IncipitError } from "../../../base/error.ts"
import { type ListedToken, listTokens, makeToken } from "../../../serve/auth/stored-tokens.ts"
import type { Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import type { Terminal } from "../../terminal.ts"
import { oneLine } from "../../views/widths.ts"
import { checkedConfig, withExistingStore, withStore } from "./serve-store.ts"

const DEFAULT_SCOPES = ["talk", "read"] as const

export async function add({ flags, terminal }: Invocation<"token add">): Promise<number> {
  const { user, situation, name, scopes = DEFAULT_SCOPES } = flags
  const expiresInMs = expiryOf(flags.expires)
  checkedConfig(flags, terminal, { as: user, situation })
  const { token, secret } = await withStore(flags, terminal, (store) =>
    makeToken(store.tokens, { user, situation, scopes: [...new Set(scopes)], name, expiresInMs }),
  )
  print({ flags, terminal }, { ...reportOf(token), token: secret }, () => [secret])
  if (!flags.json)
    terminal.err(
      `Token ${oneLine(tokenLine(token, terminal))}. It is shown only now; keep it like a password.\n`,
    )
  return 0
}

export async function list({ flags, terminal }: Invocation<"token list">): Promise<number> {
  const tokens = (await withExistingStore(flags, terminal, (store) => listTokens(store.tokens))) ?? []
  if (tokens.length === 0 && !flags.json) {
    terminal.err("There are no tokens. To make one, run `incipit token add`.\n")
    return 0
  }
  print({ flags, terminal }, tokens.map(reportOf), () => tokens.map((token) => tokenLine(token, terminal)))
  return 0
}

export async function revoke({ words, flags, terminal }: Invocation<"token revoke">): Promise<number> {
  const [id = ""] = words
  const isRevoked = await withExistingStore(flags, terminal, (store) => store.tokens.revoke(id))
  if (!isRevoked) throw new IncipitError("no-such-token", `there is no valid token ${id}`)
  print({ flags, terminal }, { revoked: id }, () => [`revoked ${id}`])
  return 0
}

function expiryOf(text: string): number | undefined {
  if (text === "never") return undefined
  const ms = parseDuration(text)
  if (ms !== undefined && ms > 0) return ms
  throw new IncipitError("bad-argument", `--expires must be a duration such as 90d, or never, not ${text}`)
}

function reportOf({ id, name, user, situation, scopes, ...times }: ListedToken) {
  const { createdAt, expiresAt, revokedAt, lastUsedAt } = times
  return {
    ...{ id, name, user: user ?? null, situation, scopes },
    created: iso(createdAt),
    expires: iso(expiresAt),
    revoked: iso(revokedAt),
    lastUsed: iso(lastUsedAt),
  }
}

function tokenLine(token: ListedToken, { now }: Terminal): string {
  const { id, name, user, situation, scopes, lastUsedAt } = token
  const who = user === undefined ? "the owner" : user
  const used = lastUsedAt === undefined ? "" : `, last used ${day(lastUsedAt)}`
  return `${id}  ${name}: ${who} in ${situation}, ${scopes.join("+")}, ${validity(token, now())}${used}`
}

function validity({ expiresAt, revokedAt }: ListedToken, now: number): string {
  if (revokedAt !== undefined) return `revoked ${day(revokedAt)}`
  if (expiresAt === undefined) return "never expires"
  return `${expiresAt <= now ? "expired" : "expires"} ${day(expiresAt)}`
}

function iso(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString()
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, "2026-11-15".length)
}
