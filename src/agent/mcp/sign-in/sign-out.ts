// Forgets a sign-in, and tells the service that its tokens are no longer needed (RFC 7009), if it wants to know.
import { defined } from "../../../base/defined.ts"
import { carefulFetch } from "./careful-fetch.ts"
import { reachOf } from "./reach.ts"
import type { SignIn, SignIns } from "./stored-sign-ins.ts"

/** `told`: whether the service knows; undefined if it takes no such request. */
export interface SignedOut {
  readonly wasSignedIn: boolean
  readonly told: boolean | undefined
}

export async function signOut(url: string, signIns: SignIns, signal: AbortSignal): Promise<SignedOut> {
  const known = signIns.read(url)
  // First here: it must be gone whatever the service answers. A damaged file, too.
  const wasThere = signIns.remove(url)
  const wasSignedIn = wasThere && known?.tokens !== undefined
  return { wasSignedIn, told: known && wasSignedIn ? await revoked(known, signal) : undefined }
}

async function revoked(
  { url, revocationEndpoint, tokens, client }: SignIn,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  if (revocationEndpoint === undefined || tokens === undefined) return undefined
  const { refresh, access } = tokens
  const kind = refresh === undefined ? "access_token" : "refresh_token"
  const fields = { token: refresh ?? access, token_type_hint: kind, client_id: client.id }
  try {
    // A client that is not public may be refused; then the token ends by itself.
    const fetch = carefulFetch({ server: await reachOf(new URL(url)), signal })
    const answer = await fetch(revocationEndpoint, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ ...fields, ...defined({ client_secret: client.secret }) }),
    })
    return answer.ok
  } catch {
    return false
  }
}
