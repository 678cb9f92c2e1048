// Work that nobody waits for any longer ends, however the client said so.
import { PassThrough } from "node:stream"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { expect, test, vi } from "vitest"
import { lineTransport } from "../../../src/cli/commands/mcp/line-transport.ts"
import { createSecrets } from "../../../src/record/redact/secrets.ts"
import { createIncipitServer } from "../../../src/serve/mcp/mcp-server.ts"
import { mcpSurface } from "../../../src/serve/mcp/mcp-surface.ts"
import type { McpView } from "../../../src/serve/mcp/mcp-view.ts"
import { INITIALIZE } from "../../cli/mcp/stdio-client.ts"
import { openTestGateway } from "../gateway.ts"
import { requestOf } from "./mcp-caller.ts"

const BILL = { name: "bill", arguments: {}, _meta: { progressToken: "how far" } }

/** A bill takes for as long as somebody waits for it. */
function openSlow() {
  const heard: string[] = []
  const failures: unknown[] = []
  const view: Partial<McpView> = {
    reader: { user: "bo", situation: "dm", trust: "full", scopes: ["operate"], from: {} },
    ...{ now: () => 0, timeZone: "UTC" },
    bill: ({ signal, onProgress }) =>
      new Promise((_, lost) => {
        heard.push("begun")
        onProgress({ doneBytes: 1, bytes: 2 } as never)
        signal.addEventListener("abort", () => {
          heard.push("ended")
          // Too late for anybody.
          onProgress({ doneBytes: 2, bytes: 2 } as never)
          lost(signal.reason)
        })
      }),
  }
  const server = () =>
    createIncipitServer({ view: () => view as McpView, failed: (error) => failures.push(error) })
  return { heard, failures, server }
}

test.for(["2026-07-28", "2025-11-25"])("over HTTP in %s, a client that hangs up", async (version) => {
  const { heard, server } = openSlow()
  const gateway = await openTestGateway({
    surfaces: [mcpSurface({ scopes: ["talk"], factory: server })],
  })
  const { secret } = await gateway.token()
  const { headers, body } = requestOf("tools/call", BILL)
  const leaving = new AbortController()
  const asked = fetch(`${gateway.url}/mcp`, {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${secret}`, "mcp-protocol-version": version },
    body: JSON.stringify(version === "2025-11-25" ? { ...body, params: BILL } : body),
    signal: leaving.signal,
  }).then((response) => response.text())
  asked.catch(() => {})
  await vi.waitUntil(() => heard.includes("begun"), { timeout: 60_000 })
  leaving.abort()
  await expect(asked).rejects.toThrow()
  await vi.waitUntil(() => heard.includes("ended"), { timeout: 60_000 })
})

test("over stdio, a request that is cancelled gets no answer, and makes room for others", async () => {
  const { heard, failures, server } = openSlow()
  const [input, output] = [new PassThrough(), new PassThrough()]
  const transport = lineTransport({ input, output, secrets: createSecrets() })
  serveStdio(server, { transport })
  const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  send({ id: "first", method: "initialize", params: INITIALIZE })
  // More than are taken at a time.
  for (let at = 0; at < 100; at += 1) {
    send({ id: `bill ${at}`, method: "tools/call", params: BILL })
    send({ method: "notifications/cancelled", params: { requestId: `bill ${at}` } })
  }
  send({ method: "notifications/cancelled", params: { requestId: "nobody's" } })
  send({ id: "last", method: "tools/list" })
  input.end()
  await transport.ended
  const lines = String(output.read()).trim().split("\n")
  const answers = lines.map((line) => JSON.parse(line)).filter(({ id }) => id !== undefined)
  expect(answers.map(({ id }) => id)).toEqual(["first", "last"])
  expect(heard.filter((one) => one === "begun")).toHaveLength(heard.filter((one) => one === "ended").length)
  // What is done when nobody waits is not told.
  expect(lines.filter((line) => line.includes('"progress":2'))).toEqual([])
  expect(failures).toEqual([])
})
