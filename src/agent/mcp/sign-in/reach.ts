// Which addresses a sign-in may lead to. A server names where to sign in, and must not use that to have this machine ask
// addresses that the server itself could not: those of this machine or of its network.
import { lookup } from "node:dns"
import { BlockList, isIP, type LookupFunction } from "node:net"
import { SignInFailed } from "./failures.ts"

/** `loopback` is this machine, `private` its network. */
export type Reach = "loopback" | "private" | "public" | "never"

type Subnets = readonly (readonly [address: string, prefix: number, family: "ipv4" | "ipv6"])[]

const LOOPBACK: Subnets = [
  ["127.0.0.0", 8, "ipv4"],
  ["::1", 128, "ipv6"],
]
const PRIVATE: Subnets = [
  ["10.0.0.0", 8, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["198.18.0.0", 15, "ipv4"],
  ["fc00::", 7, "ipv6"],
  ["64:ff9b::", 96, "ipv6"],
  ["64:ff9b:1::", 48, "ipv6"],
  ["2002::", 16, "ipv6"],
]
/** Link-local addresses, where clouds keep the keys of a machine, and those that are nobody's. */
const NEVER: Subnets = [
  ["0.0.0.0", 8, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["192.0.0.0", 24, "ipv4"],
  ["224.0.0.0", 3, "ipv4"],
  ["::", 128, "ipv6"],
  ["fe80::", 10, "ipv6"],
  ["fec0::", 10, "ipv6"],
  ["ff00::", 8, "ipv6"],
]

const KINDS = (
  [
    ["never", NEVER],
    ["loopback", LOOPBACK],
    ["private", PRIVATE],
  ] as const
).map(([reach, subnets]) => [reach, listOf(subnets)] as const)

function listOf(subnets: Subnets): BlockList {
  const list = new BlockList()
  for (const [address, prefix, family] of subnets) list.addSubnet(address, prefix, family)
  return list
}

export function reachOfAddress(address: string): Reach {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4"
  return KINDS.find(([, list]) => list.check(address, family))?.[0] ?? "public"
}

/** Finds the addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>

const resolveName: Resolve = (host) =>
  new Promise((resolve, reject) =>
    lookup(host, { all: true }, (error, found) =>
      error ? reject(error) : resolve(found.map(({ address }) => address)),
    ),
  )

/** The addresses of a URL's host. `localhost` is this machine without asking a name server. */
async function addressesOf(url: URL, resolve: Resolve): Promise<readonly string[]> {
  const host = hostOf(url)
  if (host === "localhost") return ["127.0.0.1", "::1"]
  return isIP(host) === 0 ? resolve(host) : [host]
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1")
}

/** How far the server itself is away. */
export async function reachOf(url: URL, resolve: Resolve = resolveName): Promise<Reach> {
  const all = (await addressesOf(url, resolve)).map(reachOfAddress)
  return (["never", "loopback", "private"] as const).find((reach) => all.includes(reach)) ?? "public"
}

export interface ReachLimit {
  readonly server: Reach
  readonly resolve?: Resolve
}

/** The addresses to connect to. Throws if one of them is none that this server may name. */
export async function allowedAddresses(
  url: URL,
  { server, resolve = resolveName }: ReachLimit,
): Promise<readonly string[]> {
  const addresses = await addressesOf(url, resolve)
  for (const address of addresses) {
    const reach = reachOfAddress(address)
    if (reach !== "public" && (reach === "never" || reach !== server))
      throw new SignInFailed(
        `it names ${url.host}, which is ${PLACES[reach]} (${address}), and the server itself is elsewhere`,
      )
  }
  return addresses
}

const PLACES: Readonly<Record<Exclude<Reach, "public">, string>> = {
  loopback: "this machine",
  private: "an address of a private network",
  never: "a reserved address",
}

/** For a connection: the addresses that were checked and no others, whatever a name server says the second time. */
export function pinned(addresses: readonly string[]): LookupFunction {
  return (_host, { all }, done) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    const [first = { address: "", family: 4 }] = found
    if (all === true) done(null, found)
    else done(null, first.address, first.family)
  }
}

/** Tokens and keys travel over https, or do not leave this machine. */
export function isSafeUrl(url: URL): boolean {
  if (url.protocol === "https:") return true
  const host = hostOf(url)
  const isHere = host === "localhost" || (isIP(host) !== 0 && reachOfAddress(host) === "loopback")
  return url.protocol === "http:" && isHere
}
