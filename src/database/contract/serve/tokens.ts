// Tokens of the people who reach the agent over HTTP. The store never sees a secret, only its SHA-256.

export const TOKEN_SCOPES = ["talk", "read", "operate"] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

export interface NewToken {
  /** What people call it by when they list and revoke tokens. Not a secret. */
  readonly id: string
  /** SHA-256 of the secret, in hexadecimal. The secret is random, so the hash needs no salt. */
  readonly hash: string
  readonly user: string
  readonly situation: string
  readonly scopes: readonly TokenScope[]
  /** A label such as "laptop". */
  readonly name: string
  /** Never, if undefined. */
  readonly expiresInMs?: number | undefined
}

export interface StoredToken extends Omit<NewToken, "expiresInMs"> {
  readonly createdAt: number
  readonly expiresAt: number | undefined
  readonly revokedAt: number | undefined
  /** Not exact: see `markUsed`. */
  readonly lastUsedAt: number | undefined
}

export interface Tokens {
  /** Returns undefined if the id or the hash is taken. */
  add(token: NewToken): Promise<StoredToken | undefined>
  /**
   * The token with this hash, if it is valid now. Look it up for every request, so that a revocation takes effect at
   * once in every process. Unknown, expired and revoked tokens look the same to the caller.
   */
  valid(hash: string): Promise<StoredToken | undefined>
  /** Whether the token with this id is valid now, for a request that stays open. */
  isValid(id: string): Promise<boolean>
  /** All of them, revoked and expired ones too, in the order in which they were added. */
  list(): Promise<readonly StoredToken[]>
  /** Returns false if it is unknown or was revoked before. */
  revoke(id: string): Promise<boolean>
  /** Writes only if the last use that is stored is at least `everyMs` ago. */
  markUsed(id: string, everyMs: number): Promise<void>
}
