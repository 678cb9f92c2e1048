// Finds the secret in a request: a bearer token, the key header of Anthropic's clients, or the cookie of a browser that
// signed in. Query parameters are not read: they end up in logs and histories.

/** What a request shows, and whether a browser added it without being asked. */
export interface Credentials {
  readonly secret: string
  readonly isCookie: boolean
}

/** The secret of a request; undefined if it has none, "several" if it has two that differ. */
export function credentialsOf(headers: Headers, cookie: string): Credentials | "several" | undefined {
  const [, bearer] = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? []
  const given = [bearer, headers.get("x-api-key")].filter((one) => one !== undefined && one !== null)
  const [secret, other] = new Set(given)
  if (other !== undefined) return "several"
  if (secret !== undefined) return { secret, isCookie: false }
  // A header that we can't read must not fall back to the browser's cookie.
  if (headers.has("authorization")) return { secret: "", isCookie: false }
  const stored = cookieNamed(cookie, headers.get("cookie") ?? "")
  return stored === undefined ? undefined : { secret: stored, isCookie: true }
}

/** The name has the port: browsers send a host's cookies to all of its ports. */
export function cookieName(port: number): string {
  return `incipit_${port}`
}

/** The value of a `set-cookie` header; without a secret, it removes the cookie. */
export function cookieHeader(name: string, secret: string, options: CookieOptions): string {
  const { maxAgeSeconds, isSecure } = options
  const parts = [`${name}=${secret}`, "Path=/", "HttpOnly", "SameSite=Strict", `Max-Age=${maxAgeSeconds}`]
  return [...parts, ...(isSecure ? ["Secure"] : [])].join("; ")
}

export interface CookieOptions {
  readonly maxAgeSeconds: number
  readonly isSecure: boolean
}

function cookieNamed(name: string, header: string): string | undefined {
  const pairs = header.split(";").map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}
