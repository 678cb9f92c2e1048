// Whether an address can not lead off this machine, whatever a name server says: a literal loopback address, or the one
// name that stands for it, which is replaced by the addresses themselves and never looked up.

export function isThisMachine(address: string): boolean {
  const host = URL.canParse(address) ? new URL(address).hostname : ""
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host)
}

/** The address as it can be asked without a name server: for `localhost` both loopback addresses, one after the other. */
export function withoutLookup(address: string): readonly string[] {
  const url = new URL(address)
  if (url.hostname !== "localhost") return [address]
  return ["127.0.0.1", "[::1]"].map((host) => {
    const pinned = new URL(url)
    pinned.hostname = host
    return pinned.href
  })
}
