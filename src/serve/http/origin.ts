// Protects a server on this machine from web pages. A page may make a browser call any address, and its host name may
// come to mean this machine (DNS rebinding): so the host must be one of ours, and a page must be one of ours or listed.
import type { Client } from "./client.ts"
import type { Refusal } from "./surface.ts"

/** Which hosts and pages are accepted in addition to this machine's own. */
export interface Allowed {
  /** Names without a port, in lower case. */
  readonly hosts: readonly string[]
  /** Such as "https://chat.example.org". */
  readonly origins: readonly string[]
}

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]

/** Refuses a host that isn't ours. */
export function hostRefusal({ host, reached }: Client, { hosts }: Allowed): Refusal | undefined {
  const name = hostName(host)
  // An address can't be made to mean another machine, so the one that was reached is always right.
  if (name !== undefined && [...LOOPBACK, reached, ...hosts].includes(name)) return undefined
  return {
    status: 421,
    code: "unknown-host",
    message: "This server isn't known by that host name. Add the name to `serve.hosts` in incipit.yaml.",
  }
}

/** Refuses a page from elsewhere. Programs send no origin, and are let through to the token check. */
export function originRefusal(headers: Headers, client: Client, { origins }: Allowed): Refusal | undefined {
  const origin = headers.get("origin")
  if (origin === null || origin === originOf(client) || origins.includes(origin)) return undefined
  return FOREIGN_PAGE
}

/**
 * A browser adds its cookie to whatever a page asks for, and takes all ports of a host for one site. So a cookie counts
 * only if the browser says that the page is ours or that the person typed the address.
 */
export function cookieRefusal(method: string, headers: Headers, client: Client): Refusal | undefined {
  const site = headers.get("sec-fetch-site")
  if (site !== null && site !== "same-origin" && site !== "none") return FOREIGN_PAGE
  const isRead = method === "GET" || method === "HEAD"
  return isRead || headers.get("origin") === originOf(client) ? undefined : FOREIGN_PAGE
}

const FOREIGN_PAGE: Refusal = {
  status: 403,
  code: "foreign-origin",
  message:
    "Web pages from other origins may not call this server. Add the origin to `serve.origins` in incipit.yaml.",
}

function originOf({ host, isSecure }: Client): string {
  return `${isSecure ? "https" : "http"}://${host.toLowerCase()}`
}

/** Without the port; undefined if it isn't a host. */
function hostName(host: string): string | undefined {
  if (!/^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i.test(host)) return undefined
  return host.replace(/:\d+$/, "").replace(/\.$/, "").toLowerCase()
}
