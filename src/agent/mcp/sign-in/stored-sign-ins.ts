// Sign-ins to MCP servers: one private file for each server's URL in the user's state folder, never in a workspace. A
// token is only ever sent to the URL that its file is named for, and a refresh token only to the endpoint found at the
// sign-in.
import { mkdirSync, rmdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { z } from "zod"
import { digestOf } from "../../../base/digest.ts"
import { errorCode } from "../../../base/system-error.ts"
import { stampAt } from "../../../files/identity.ts"
import { makeStateFolder } from "../../../files/own-folder.ts"
import { type RegularFile, readRegular } from "../../../files/read-regular.ts"
import { requireRealPath } from "../../../files/real-path.ts"
import { replaceFile } from "../../../files/replace-file.ts"

const SIGN_IN = z.object({
  url: z.string(),
  issuer: z.string(),
  authorizationEndpoint: z.string(),
  tokenEndpoint: z.string(),
  revocationEndpoint: z.string().optional(),
  /** How clients may identify themselves at the token endpoint. */
  authMethods: z.array(z.string()).optional(),
  /** What the tokens are for, as the server names it. */
  resource: z.string().optional(),
  client: z.object({
    id: z.string(),
    secret: z.string().optional(),
    authMethod: z.string().optional(),
    /** Where the browser comes back to; undefined for a client that the configuration names. */
    redirect: z.string().optional(),
  }),
  /** Undefined once they were refused: the registration of the client is still good. */
  tokens: z
    .object({
      access: z.string(),
      refresh: z.string().optional(),
      /** Milliseconds since 1970. */
      expiresAt: z.number().optional(),
      scope: z.string().optional(),
    })
    .optional(),
  /** Rights that the server asked for since; the next sign-in asks for them. */
  wanted: z.string().optional(),
})

export type SignIn = Readonly<z.infer<typeof SIGN_IN>>

export interface SignIns {
  /** Returns undefined if there is none, or its file is damaged. */
  read(url: string): SignIn | undefined
  write(signIn: SignIn): void
  /** Returns false if there was none. */
  remove(url: string): boolean
  /** Changes whenever the sign-in does. */
  stamp(url: string): string | undefined
  /** Keeps other processes from renewing the same sign-in at the same time: a refresh token often works only once. */
  alone<T>(url: string, work: () => Promise<T>): Promise<T>
}

const MOST_BYTES = 256 * 1024
const OWN_MODE = 0o600

export function signInsIn(folder: string): SignIns {
  const fileOf = (url: string) =>
    join(folder, `${digestOf([keyOf(url)]).slice("sha256:".length, "sha256:".length + 32)}.json`)
  return {
    read(url) {
      const found = parsed(readRegular(fileOf(url), MOST_BYTES))
      // A file that was copied or renamed is for another server.
      return found !== undefined && keyOf(found.url) === keyOf(url) ? found : undefined
    },
    write(signIn) {
      makeStateFolder(folder)
      const path = join(requireRealPath(folder), fileOf(signIn.url).slice(folder.length + 1))
      replaceFile({ path, before: "any", after: Buffer.from(JSON.stringify(signIn)), mode: OWN_MODE })
    },
    remove(url) {
      const path = fileOf(url)
      if (stampAt(path) === undefined) return false
      rmSync(path)
      return true
    },
    stamp: (url) => stampAt(fileOf(url)),
    async alone(url, work) {
      makeStateFolder(folder)
      const lock = `${fileOf(url)}.lock`
      await take(lock)
      try {
        return await work()
      } finally {
        release(lock)
      }
    },
  }
}

/** Scopes as RFC 6749 writes them, and not too many. */
const SCOPES = /^[\x21\x23-\x5B\x5D-\x7E]+(?: [\x21\x23-\x5B\x5D-\x7E]+)*$/
const MOST_SCOPES = 1_000

/** Remembers the rights that a server asks for: the next sign-in asks for them. Returns false if they are none. */
export function wantRights(signIns: SignIns, url: string, scope: string): boolean {
  if (scope.length > MOST_SCOPES || !SCOPES.test(scope)) return false
  const known = signIns.read(url)
  if (known !== undefined && known.wanted !== scope) signIns.write({ ...known, wanted: scope })
  return true
}

/** Two ways to write the same address are one server. */
function keyOf(url: string): string {
  const { href } = new URL(url)
  return href.replace(/#.*$/s, "")
}

function parsed(file: RegularFile): SignIn | undefined {
  try {
    return file.kind === "read" ? SIGN_IN.safeParse(JSON.parse(file.bytes.toString("utf8"))).data : undefined
  } catch {
    return undefined
  }
}

/** Renewing takes one request, with a limit. A lock that is older was left behind. */
const STALE_MS = 60_000
const LOOK_MS = 50

async function take(lock: string): Promise<void> {
  for (;;) {
    try {
      return void mkdirSync(lock)
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error
    }
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (age > STALE_MS) release(lock)
    else await sleep(LOOK_MS)
  }
}

function release(lock: string): void {
  try {
    rmdirSync(lock)
  } catch (error) {
    // Another process took it for one that was left behind.
    if (errorCode(error) !== "ENOENT") throw error
  }
}
