// Where a request comes from and how it reached us. What a proxy says counts only if the proxy is listed.
import { BlockList, isIP } from "node:net"

/** The outer facts of a request. */
export interface Client {
  /** The address of the client, or of the first proxy that isn't listed. */
  readonly address: string
  /** As the client wrote it, with the port: "localhost:4747". */
  readonly host: string
  readonly isSecure: boolean
  /** The address of ours that the connection reached, as a host: IPv6 in brackets. */
  readonly reached: string
}

export interface Connection {
  readonly remoteAddress: string | undefined
  readonly localAddress: string | undefined
  readonly isSecure: boolean
}

/** Whether an address belongs to a listed proxy. */
export type IsProxy = (address: string) => boolean

/** From addresses and networks such as "10.0.0.0/8". They were checked when the configuration was read. */
export function proxyList(entries: readonly string[]): IsProxy {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/")
    const family = isIP(address) === 6 ? "ipv6" : "ipv4"
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => {
    const plain = plainAddress(address)
    const version = isIP(plain)
    return version !== 0 && list.check(plain, version === 6 ? "ipv6" : "ipv4")
  }
}

/** Reads `X-Forwarded-*` from the right, as far as each hop is a listed proxy. */
export function clientOf(headers: Headers, connection: Connection, isProxy: IsProxy): Client {
  const address = plainAddress(connection.remoteAddress ?? "")
  const host = headers.get("host") ?? ""
  const local = plainAddress(connection.localAddress ?? "")
  const reached = isIP(local) === 6 ? `[${local}]` : local
  if (!isProxy(address)) return { address, host, reached, isSecure: connection.isSecure }
  const hops = listOf(headers.get("x-forwarded-for")).map(plainAddress).toReversed()
  const outer = hops.find((hop) => !isProxy(hop)) ?? hops.at(-1) ?? address
  const scheme = listOf(headers.get("x-forwarded-proto")).at(-1)
  return {
    // A hop that isn't an address is text that somebody made up.
    address: isIP(outer) === 0 ? address : outer,
    reached,
    host: listOf(headers.get("x-forwarded-host")).at(-1) ?? host,
    isSecure: scheme === undefined ? connection.isSecure : scheme.toLowerCase() === "https",
  }
}

function listOf(header: string | null): readonly string[] {
  return (header ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
}

/** IPv4 addresses on an IPv6 socket look like "::ffff:127.0.0.1". */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "")
}
