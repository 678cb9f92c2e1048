// A small MCP server over stdio with two tools, whose order is the first argument: `node tool-server.ts first,second`.

import process from "node:process"
import { createInterface } from "node:readline"

const names = (process.argv[2] ?? "").split(",").filter((name) => name !== "")

const tools = names.map((name) => ({
  name: `${name}_lamp`,
  description: `Says in plain words how the ${name} lamp of the lighthouse is burning, and since when it has been lit.`,
  inputSchema: {
    type: "object",
    properties: { hour: { type: "number", description: `The hour on the ${name} clock.` } },
  },
}))

const RESULTS: Readonly<Record<string, (params: { readonly protocolVersion?: string }) => unknown>> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: protocolVersion ?? "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "lamps", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools }),
  "tools/call": () => ({ content: [{ type: "text", text: "It burns." }] }),
  ping: () => ({}),
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() === "") continue
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const result = RESULTS[method]
  const answer =
    result === undefined
      ? { error: { code: -32601, message: "unknown method" } }
      : { result: result(params ?? {}) }
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`)
}
