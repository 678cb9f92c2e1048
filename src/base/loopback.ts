// The name of this machine, which must lead nowhere else, whatever a name server says.

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
