// Tokens in the store: making, finding and ending them. The secret is shown once and never stored.
import { randomBytes } from "node:crypto"
import type { StoredToken, Tokens } from "../../database/contract/serve/tokens.ts"
import type { ValidToken } from "./authenticate.ts"
import type { Scope } from "./caller.ts"
import { hashSecret, newSecret } from "./secret.ts"

/** The store's word for the owner, who need not be a user of incipit.yaml. No user's id is empty. */
const OWNER = ""
const ID_BYTES = 5
/** The last use is for people who clean up, so it may be late by this much. */
const USED_EVERY_MS = 5 * 60_000

export interface TokenRequest {
  /** Undefined for the owner. */
  readonly user: string | undefined
  readonly situation: string
  readonly scopes: readonly Scope[]
  readonly name: string
  /** Never, if undefined. */
  readonly expiresInMs: number | undefined
}

export interface MadeToken {
  readonly token: ListedToken
  /** Not stored anywhere. */
  readonly secret: string
}

/** A token without its hash. */
export interface ListedToken extends Omit<StoredToken, "hash" | "user"> {
  readonly user: string | undefined
}

/** Makes a token and stores its hash. */
export async function makeToken(tokens: Tokens, { user, ...request }: TokenRequest): Promise<MadeToken> {
  const secret = newSecret()
  const id = randomBytes(ID_BYTES).toString("hex")
  const stored = await tokens.add({ id, hash: hashSecret(secret), user: user ?? OWNER, ...request })
  // Another token with this id: as likely as it gets is one in a million million.
  return stored === undefined ? makeToken(tokens, { user, ...request }) : { token: listed(stored), secret }
}

export async function listTokens(tokens: Tokens): Promise<readonly ListedToken[]> {
  return (await tokens.list()).filter(isToken).map(listed)
}

/** A look-up for `authenticate`: asks the store each time, and notes the use now and then. */
export function tokenFinder(tokens: Tokens): (hash: string) => Promise<ValidToken | undefined> {
  return async (hash) => {
    const found = await tokens.valid(hash)
    if (found === undefined || !isToken(found)) return undefined
    await tokens.markUsed(found.id, USED_EVERY_MS)
    return listed(found)
  }
}

/** Codes that sign in are stored like tokens, without scopes. */
function isToken({ scopes }: StoredToken): boolean {
  return scopes.length > 0
}

function listed({ hash: _hash, user, ...token }: StoredToken): ListedToken {
  return { ...token, user: user === OWNER ? undefined : user }
}
