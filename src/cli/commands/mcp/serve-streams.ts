// An MCP server on a pair of streams: one client, from its first line to its last. What the server offers is not known
// here.
import type { McpServer } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { type LineTransportOptions, lineTransport } from "./line-transport.ts"

export interface StreamsOptions extends LineTransportOptions {
  readonly factory: () => McpServer
  readonly failed: (error: unknown) => void
}

export interface ServedStreams {
  /** Resolves when the client is gone, or when it has ended its input and got all answers. */
  readonly ended: Promise<void>
  /** Calls this with each server that a client is connected to. */
  tell(each: (server: McpServer) => void): void
  close(): Promise<void>
}

export function serveStreams({ factory, failed, ...streams }: StreamsOptions): ServedStreams {
  const servers = new Set<McpServer>()
  const transport = lineTransport(streams)
  const handle = serveStdio(
    () => {
      const server = factory()
      servers.add(server)
      return server
    },
    { transport, onerror: failed },
  )
  return {
    ended: transport.ended,
    tell(each) {
      for (const server of servers) if (server.isConnected()) each(server)
    },
    close: () => handle.close(),
  }
}
