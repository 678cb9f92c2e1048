// Which hosts an allow-list names. A name must also lead to an address of the internet: whoever runs a name server could
// otherwise let an allowed name lead into the local network.
import { BlockList, isIP } from "node:net"

export interface Target {
  readonly host: string
  readonly port: number
}

const USUAL_PORTS = [80, 443]

export function isAllowed({ host, port }: Target, list: readonly string[]): boolean {
  const name = plainHost(host)
  return list.some((entry) => {
    const { pattern, ports } = parsed(entry)
    return ports.includes(port) && matches(pattern, name)
  })
}

/** Whether an address may be used for a host. One that the list names itself, such as `127.0.0.1:8080`, may. */
export function mayLeadTo(host: string, address: string): boolean {
  const name = plainHost(host)
  if (isIP(name) !== 0) return name === address
  // `localhost` is this machine and nothing else.
  if (name === "localhost") return address === "127.0.0.1" || address === "::1"
  return !LOCAL.check(address, isIP(address) === 6 ? "ipv6" : "ipv4")
}

/** In lower case, without the brackets of an IPv6 address and the dot after a full name. */
export function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "")
}

function parsed(entry: string): { readonly pattern: string; readonly ports: readonly number[] } {
  const [, host = entry, port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
  return { pattern: plainHost(host), ports: port === undefined ? USUAL_PORTS : [Number(port)] }
}

function matches(pattern: string, name: string): boolean {
  if (!pattern.startsWith("*.")) return pattern === name
  return isIP(name) === 0 && name.endsWith(pattern.slice(1)) && name.length > pattern.length - 1
}

const LOCAL = localAddresses()

function localAddresses(): BlockList {
  const list = new BlockList()
  const ranges = [
    ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
    ...["192.0.0.0/24", "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/4", "240.0.0.0/4"],
    ...["::/96", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"],
    // Each has an IPv4 address in it, which may be a local one.
    ...["64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16"],
  ]
  for (const range of ranges) {
    const [address = "", bits] = range.split("/")
    list.addSubnet(address, Number(bits), address.includes(":") ? "ipv6" : "ipv4")
  }
  return list
}
