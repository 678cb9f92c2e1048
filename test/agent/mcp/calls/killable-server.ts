// A real MCP server that a test kills: on stdin and stdout, or over HTTP at a port. Each call that begins adds a line to a
// file, so that a test can see how often. Arguments: the file, and for HTTP the port and the protocol.
import { appendFileSync } from "node:fs"
import { createServer } from "node:http"
import process from "node:process"
import { Readable } from "node:stream"
import {
  createMcpHandler,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"

const [file = "", port, era] = process.argv.slice(2)

function made(): McpServer {
  const server = new McpServer({ name: "killable", version: "1" })
  const HINTS = {
    look: { readOnlyHint: true },
    set: { readOnlyHint: false, idempotentHint: true },
    pay: { readOnlyHint: false },
  }
  for (const [name, annotations] of Object.entries(HINTS))
    server.registerTool(name, { annotations }, async () => {
      appendFileSync(file, `${process.pid} ${name}\n`)
      // While the test lets it hang, it kills it.
      if (process.env.HANGS === "1") await new Promise(() => setInterval(() => {}, 60_000))
      return { content: [{ type: "text", text: `${name} done` }] }
    })
  return server
}

if (port === undefined) serveStdio(made)
else if (era === "new") serve(createMcpHandler(made, { legacy: "reject" }).fetch)
else {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  serve(async (request) => {
    const id = request.headers.get("mcp-session-id")
    const known = sessions.get(String(id))
    if (known !== undefined) return known.handleRequest(request)
    if (id !== null) return new Response("Session not found", { status: 404 })
    const name = `${process.pid}-${sessions.size}`
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => name,
      onsessioninitialized: () => void sessions.set(name, transport),
    })
    await made().connect(transport)
    return transport.handleRequest(request)
  })
}

function serve(answer: (request: Request) => Promise<Response>): void {
  createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as const)
    const response = await answer(
      new Request(`http://127.0.0.1:${port}${incoming.url}`, {
        method: incoming.method ?? "GET",
        headers: Object.fromEntries(headers),
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      }),
    )
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.flushHeaders()
    if (response.body === null) return outgoing.end()
    Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
      .on("error", () => outgoing.destroy())
      .pipe(outgoing)
  }).listen(Number(port), "127.0.0.1", () => process.send?.("listens"))
}
