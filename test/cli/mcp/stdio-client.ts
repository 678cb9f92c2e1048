// `incipit mcp` in a process of its own, as a client that writes lines and reads lines, or doesn't.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { createInterface } from "node:readline"
import { onTestFinished } from "vitest"

const BIN = resolve("bin/incipit.js")

// biome-ignore lint/suspicious/noExplicitAny: tests look at whatever came back.
export type Answer = any

export interface StdioOptions {
  readonly files?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Called before the process is started. */
  readonly before?: (places: { readonly home: string; readonly folder: string }) => void
  /** Begins to read later. */
  readonly isStalled?: boolean
}

export interface StdioClient {
  readonly child: ChildProcess
  readonly folder: string
  write(path: string, text: string): void
  /** Whatever it is, as one line. */
  send(message: unknown): void
  raw(bytes: string | Uint8Array): void
  /** Everything that came, in order. */
  readonly answers: Answer[]
  /** The answer with this id. */
  answer(id: number | string | null): Promise<Answer>
  request(method: string, params?: Readonly<Record<string, unknown>>): Promise<Answer>
  call(name: string, input?: Readonly<Record<string, unknown>>): Promise<Answer>
  read(): void
  /** Ends the input; resolves with the exit code when the process is gone. */
  end(): Promise<number | null>
  readonly stderr: () => string
}

export function openStdio(options: StdioOptions): StdioClient {
  const { files = {}, args = [], env = {}, before, isStalled = false } = options
  const root = realpathSync(mkdtempSync(join(tmpdir(), "incipit-mcp-")))
  const folder = join(root, "workspace")
  const home = join(root, "home")
  const write = (path: string, text: string) => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  mkdirSync(folder)
  mkdirSync(home)
  for (const [path, text] of Object.entries(files)) write(path, text)
  before?.({ home, folder })
  const fixed = { PATH: process.env.PATH ?? "", HOME: home, TZ: "UTC", INCIPIT_GIT_LIMIT: "10m" }
  const child = spawn("node", [BIN, "mcp", ...args], { cwd: folder, env: { ...fixed, ...env } })
  const exit = once(child, "exit")
  onTestFinished(async () => {
    child.kill("SIGKILL")
    await exit
    rmSync(root, { recursive: true, force: true })
  })
  let stderr = ""
  child.stderr.on("data", (chunk) => {
    stderr += chunk
  })
  child.stdin.on("error", () => {})
  const answers: Answer[] = []
  const waiting = new Map<unknown, (answer: Answer) => void>()
  const read = () => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const answer = JSON.parse(line)
      answers.push(answer)
      waiting.get(answer.id)?.(answer)
    })
  }
  if (!isStalled) read()
  let last = 0
  const send = (message: unknown) => void child.stdin.write(`${JSON.stringify(message)}\n`)
  const answer = (id: number | string | null) => {
    const known = answers.find((one) => one.id === id)
    if (known !== undefined) return Promise.resolve(known)
    return new Promise<Answer>((found, lost) => {
      waiting.set(id, found)
      void exit.then(() => lost(new Error(`ended without an answer to ${id}: ${stderr}`)))
    })
  }
  const request = (method: string, params: Readonly<Record<string, unknown>> = {}) => {
    const id = `own ${++last}`
    const found = answer(id)
    send({ jsonrpc: "2.0", id, method, params })
    return found
  }
  return {
    ...{ child, folder, write, send, answers, answer, request, read, stderr: () => stderr },
    raw: (bytes) => void child.stdin.write(bytes),
    call: (name, input = {}) => request("tools/call", { name, arguments: input }),
    async end() {
      child.stdin.end()
      const [code] = await exit
      return code
    },
  }
}

export const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
}

/** The least that a request of 2026-07-28 has. */
export const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
}
