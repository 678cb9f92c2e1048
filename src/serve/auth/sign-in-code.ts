// The code that `incipit serve` prints: it signs the owner in once, within an hour. It is a token without scopes, so
// that it can be made while the server runs and is good for nothing else. It cannot be guessed: it is as long as a token.
import type { Tokens } from "../../database/contract/serve/tokens.ts"
import { hashSecret, isSecretShaped } from "./secret.ts"
import { makeToken } from "./stored-tokens.ts"

const LIFE_MS = 60 * 60_000

/** Makes a code; the store has only its hash. */
export async function makeSignInCode(tokens: Tokens): Promise<string> {
  const { secret } = await makeToken(tokens, {
    ...{ user: undefined, situation: "dm", scopes: [], name: "sign-in code" },
    expiresInMs: LIFE_MS,
  })
  return secret
}

/** Uses a code up. Returns false if it is wrong, used or expired; nothing says which. */
export async function takeSignInCode(tokens: Tokens, given: string): Promise<boolean> {
  const found = isSecretShaped(given) ? await tokens.valid(hashSecret(given)) : undefined
  return found !== undefined && found.scopes.length === 0 && tokens.revoke(found.id)
}
