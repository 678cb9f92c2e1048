// An MCP server that does what a script says, also what no server should do. Started with the path of a JSON file.
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import type { Script } from "./mcp-world.ts"

// The test wrote it, and its type says what may stand in it.
const script = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Script
let tools: Script["next"] = script.tools ?? []
let lists = 0
let requests = 0

for (const line of script.stderr ?? []) process.stderr.write(`${line}\n`)
for (const line of script.stdout ?? []) process.stdout.write(`${line}\n`)
if (script.start === "hang") process.stderr.write(`${process.pid}\n`)
if (script.start === "die") process.exit(7)
if (script.isPolite === true) process.stdin.on("end", () => process.stderr.write("goodbye\n"))
if (script.isStubborn === true) {
  process.on("SIGTERM", () => {})
  setInterval(() => {}, 60_000)
}

createInterface({ input: process.stdin }).on("line", (line) => {
  // Requests come from our own client.
  const { id, method, params } = JSON.parse(line) as { id?: number; method: string; params: Params }
  if (id === undefined || script.start === "hang") return
  requests += 1
  if (script.isStrict === true && requests === 1 && method !== "initialize") process.exit(5)
  if (script.refuses !== undefined) send({ id, error: { code: script.refuses, message: "not me" } })
  else if (method === "initialize") answer(id, initialized())
  else if (method === "tools/list") list(id, params.cursor)
  else call(id, params.name)
})

interface Params {
  readonly name: string
  readonly cursor?: string
}

function initialized() {
  const { instructions } = script
  return {
    protocolVersion: "2025-06-18",
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: "scripted", version: "1" },
    ...(instructions !== undefined && { instructions }),
  }
}

function list(id: number, cursor = "0"): void {
  const now = script.pages === undefined ? tools : "hang"
  if (script.pages !== undefined) answer(id, pageAt(Number(cursor)))
  lists += 1
  if (lists === 1 && script.next !== undefined) {
    tools = script.next
    send({ method: "notifications/tools/list_changed" })
  }
  if (now !== "hang") answer(id, { tools: now })
}

function pageAt(at: number): unknown {
  if (script.pages !== "endless") return script.pages?.[at]
  const name = `t${String(at).padStart(3, "0")}`
  return { tools: [{ name, inputSchema: { type: "object" } }], nextCursor: String(at + 1) }
}

function call(id: number, name: string): void {
  const act = script.calls?.[name]
  switch (act?.do) {
    case "answer":
      answer(id, act.result)
      break
    case "refuse":
      send({ id, error: { code: -32602, message: act.message } })
      break
    case "die":
      process.exit(3)
      break
    case "env":
      say(id, JSON.stringify(process.env))
      break
    case "change":
      tools = act.tools
      send({ method: "notifications/tools/list_changed" })
      say(id, "done")
      break
    case "child":
      say(id, `${process.pid} ${spawn("sleep", ["600"], { stdio: "ignore" }).pid}`)
      break
  }
}

function say(id: number, text: string): void {
  answer(id, { content: [{ type: "text", text }] })
}

function answer(id: number, result: unknown): void {
  send({ id, result })
}

function send(message: Readonly<Record<string, unknown>>): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
}
