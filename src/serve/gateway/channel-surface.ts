// Requests to `/channels/<name>`. Each channel checks its callers itself, by a signature or a secret.
import type { ChannelConnections } from "../channels/connect-channels.ts"
import type { OpenSurface } from "../http/surface.ts"

const PREFIX = "/channels"
/** Some services check an address with GET before they call it. */
const METHODS = ["GET", "HEAD", "POST"]

export function channelSurface(connections: Pick<ChannelConnections, "isCalled" | "request">): OpenSurface {
  return {
    prefix: PREFIX,
    scopes: "none",
    early(method, path) {
      // A channel that polls is not called, and looks like one that doesn't exist.
      if (!connections.isCalled(nameIn(path))) return new Response(null, { status: 404 })
      return METHODS.includes(method) ? undefined : new Response(null, { status: 405 })
    },
    async handle(request) {
      const name = nameIn(new URL(request.url).pathname)
      return (await connections.request(name, request)) ?? new Response(null, { status: 404 })
    },
  }
}

function nameIn(path: string): string {
  return path.slice(PREFIX.length + 1)
}
