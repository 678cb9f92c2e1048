// Browsers that sign in with the printed code: each gets a token of the owner's, with every scope, for a month.
import type { Socket } from "node:net"
import { TOKEN_SCOPES, type Tokens } from "../../database/contract/serve/tokens.ts"
import { takeSignInCode } from "./sign-in-code.ts"
import { makeToken } from "./stored-tokens.ts"

/** As the server has it. */
export type Connection = Pick<
  Socket,
  "localAddress" | "localPort" | "remoteAddress" | "remotePort" | "destroyed"
>

const BROWSER_DAYS = 30
const DAY_SECONDS = 86_400

export interface BrowserSession {
  readonly secret: string
  readonly maxAgeSeconds: number
}

export interface BrowserSessions {
  /** Uses the code up. Undefined if it isn't valid, or not for whoever is at the other end of this connection. */
  begin(code: string, connection: Connection): Promise<BrowserSession | undefined>
  /** Revokes the browser's token. */
  end(token: string): Promise<void>
}

export function browserSessions(tokens: Tokens): BrowserSessions {
  const maxAgeSeconds = BROWSER_DAYS * DAY_SECONDS
  return {
    async begin(code) {
      if (!(await takeSignInCode(tokens, code))) return undefined
      const { secret } = await makeToken(tokens, {
        user: undefined,
        situation: "dm",
        scopes: TOKEN_SCOPES,
        name: "browser",
        expiresInMs: maxAgeSeconds * 1000,
      })
      return { secret, maxAgeSeconds }
    },
    async end(id) {
      await tokens.revoke(id)
    },
  }
}
