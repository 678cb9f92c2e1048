// `localhost` must always mean this machine, even if a name server says otherwise.

/** The addresses to try without a name server. For `localhost`, the IPv4 loopback address, then the IPv6 one. */
export function withoutLookup(address: string): readonly string[] {
  const url = new URL(address)
  if (url.hostname !== "localhost") return [address]
  return ["127.0.0.1", "[::1]"].map((host) => {
    const pinned = new URL(url)
    pinned.hostname = host
    return pinned.href
  })
}
