// Headers on their way through: names, order and values as they came, except those that are about one connection only.

/** As Node gives them: name, value, name, value. */
export type RawHeaders = readonly string[]

/** About the connection and not the message, by the standard. How a body is framed is kept: Node frames it again. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "proxy-authenticate",
  "proxy-authorization",
  "te",
  "upgrade",
])

function forwarded(raw: RawHeaders): string[] {
  const named = new Set(OF_CONNECTION)
  for (const value of valuesOf(raw, "connection"))
    for (const name of value.split(",")) named.add(name.trim().toLowerCase())
  // A client could otherwise have any header taken out, also those that say how long the body is.
  for (const name of ["content-length", "transfer-encoding", "host"]) named.delete(name)
  const kept: string[] = []
  for (let at = 0; at < raw.length; at += 2)
    if (!named.has((raw[at] ?? "").toLowerCase())) kept.push(raw[at] ?? "", raw[at + 1] ?? "")
  return kept
}

/** Node announces a body for every other method, unless its length is given. */
const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"])

/** The same for a request: it goes to another host. */
export function requestHeaders(method: string, raw: RawHeaders, host: string): string[] {
  const headers = withHost(forwarded(raw), host)
  const isFramed = headerOf(raw, "content-length") ?? headerOf(raw, "transfer-encoding")
  return isFramed !== undefined || BODILESS.has(method) ? headers : [...headers, "Content-Length", "0"]
}

/** The same for an answer: HTTP/1.0 has no chunks, and takes the end of the connection for the end of the body. */
export function answerHeaders(version: string, raw: RawHeaders): string[] {
  const headers = forwarded(raw)
  if (version !== "1.0") return headers
  return headers.filter((_, at) => headers[at - (at % 2)]?.toLowerCase() !== "transfer-encoding")
}

/** The first host in its place, without others. */
export function withHost(headers: readonly string[], host: string): string[] {
  const changed: string[] = []
  let isNamed = false
  for (let at = 0; at < headers.length; at += 2) {
    const [name = "", value = ""] = [headers[at], headers[at + 1]]
    const isHost = name.toLowerCase() === "host"
    if (isHost && isNamed) continue
    isNamed ||= isHost
    changed.push(name, isHost ? host : value)
  }
  return isNamed ? changed : ["Host", host, ...changed]
}

function valuesOf(raw: RawHeaders, name: string): readonly string[] {
  const values: string[] = []
  for (let at = 0; at < raw.length; at += 2)
    if ((raw[at] ?? "").toLowerCase() === name) values.push(raw[at + 1] ?? "")
  return values
}

export function headerOf(raw: RawHeaders, name: string): string | undefined {
  return valuesOf(raw, name)[0]
}

/** As Node takes trailers. */
export function pairsOf(raw: RawHeaders): [string, string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at < raw.length; at += 2) pairs.push([raw[at] ?? "", raw[at + 1] ?? ""])
  return pairs
}
