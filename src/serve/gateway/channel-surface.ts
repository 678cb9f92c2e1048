// Requests to `/channels/<name>`. Each channel checks its callers itself, by a signature or a secret.
import type { ChannelConnections } from "../channels/connect-channels.ts"
import type { OpenSurface } from "../http/surface.ts"

const PREFIX = "/channels"

export function channelSurface(connections: Pick<ChannelConnections, "request">): OpenSurface {
  return {
    prefix: PREFIX,
    scopes: "none",
    async handle(request) {
      const name = new URL(request.url).pathname.slice(PREFIX.length + 1)
      // A channel that polls is not called, and looks like one that doesn't exist.
      return (await connections.request(name, request)) ?? new Response(null, { status: 404 })
    },
  }
}
