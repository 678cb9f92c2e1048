// An MCP server on a pair of streams: one client, from its first line to its last. What the server offers is not known
// here.
import type { Readable, Writable } from "node:stream"
import type { McpServer } from "@modelcontextprotocol/server"
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio"
import { heldBack } from "./held-back.ts"
import { redactedOutput } from "./redacted-output.ts"

export interface StreamsOptions {
  readonly input: Readable
  readonly output: Writable
  readonly factory: () => McpServer
  readonly redact: (text: string) => string
  readonly failed: (error: unknown) => void
}

export interface ServedStreams {
  /** Resolves at the end of what the client sends, however it ends. */
  readonly ended: Promise<void>
  /** Calls this with each server that a client is connected to. */
  tell(each: (server: McpServer) => void): void
  close(): Promise<void>
}

export function serveStreams({ input, output, factory, redact, failed }: StreamsOptions): ServedStreams {
  const servers = new Set<McpServer>()
  const cleaned = redactedOutput(output, redact)
  const held = heldBack(input, cleaned)
  const handle = serveStdio(
    () => {
      const server = factory()
      servers.add(server)
      return server
    },
    { transport: new StdioServerTransport(held, cleaned), onerror: failed },
  )
  return {
    ended: endOf(held),
    tell(each) {
      for (const server of servers) if (server.isConnected()) each(server)
    },
    close: () => handle.close(),
  }
}

function endOf(input: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve) => {
    input
      .once("end", resolve)
      .once("close", resolve)
      .once("error", () => resolve())
  })
}
