// MCP servers for tests: scripts for real child processes, and what the agent was told of them.
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { McpConfig } from "../../../src/agent/mcp/config.ts"
import { type Mcp, type McpOptions, openMcp } from "../../../src/agent/mcp/mcp.ts"
import { createSecrets } from "../../../src/record/redact/secrets.ts"
import { openRecord } from "../../../src/record/write/record.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { ToolFailure, type ToolHost } from "../../../src/tools/host.ts"
import type { ToolContext } from "../../../src/tools/tool-context.ts"
import { owner } from "../../tools/ask.ts"

export interface Script {
  /** One that hangs writes its process id to stderr. */
  readonly start?: "hang" | "die"
  /** Ends neither when its stdin does nor when it is asked to. */
  readonly isStubborn?: boolean
  readonly instructions?: string
  readonly tools?: readonly unknown[]
  /** It says that it has others before its first list is there; these, or none that it would ever tell. */
  readonly next?: readonly unknown[] | "hang"
  readonly calls?: Readonly<Record<string, Act>>
  readonly stderr?: readonly string[]
  readonly stdout?: readonly string[]
  /** Says goodbye on stderr when its stdin ends. */
  readonly isPolite?: boolean
  /** Answers the handshake with this error. */
  readonly refuses?: number
  /** Ends at a first request that is not the handshake. */
  readonly isStrict?: boolean
  /** Answers to requests for a list: the first, then the one with the cursor's number. One that never ends. */
  readonly pages?: readonly unknown[] | "endless"
}

type Act =
  | { readonly do: "answer"; readonly result: unknown }
  | { readonly do: "refuse"; readonly message: string }
  | { readonly do: "hang" | "die" | "env" | "child" }
  | { readonly do: "change"; readonly tools: readonly unknown[] }

/** For what happens by itself, on however slow a machine. */
export const SOON = { interval: 10 }

export function tool(name: string, more: Readonly<Record<string, unknown>> = {}) {
  return { name, inputSchema: { type: "object" }, ...more }
}

export function textResult(text: string) {
  return { content: [{ type: "text", text }] }
}

export interface World {
  readonly folder: string
  /** `level server: text`, without what is at debug level. */
  readonly troubles: () => readonly string[]
  /** The same, in the order in which they came. */
  readonly told: () => readonly string[]
  readonly details: () => readonly string[]
  readonly changes: readonly string[]
  /** The configuration of a server that follows a script; the script counts from its next start on. */
  scripted(name: string, script: Script): McpConfig[string]
  open(config: McpConfig, options?: Partial<McpOptions>): Mcp
  /** The answer, or `failure: ` with what the model is told. */
  run(mcp: Mcp, name: string, input?: unknown, context?: Partial<ToolContext>): Promise<string>
  leave(): Promise<void>
}

export function enterWorld(): World {
  const folder = mkdtempSync(join(tmpdir(), "incipit-mcp-"))
  const record = openRecord(join(folder, "record.db"))
  const context: ToolContext = { ...owner, record, now: () => 0, timeZone: "UTC", counter: o200k }
  const told: string[] = []
  const details: string[] = []
  const changes: string[] = []
  const opened: Mcp[] = []
  return {
    folder,
    troubles: () => told.toSorted(),
    told: () => told,
    details: () => details,
    changes,
    scripted(name, script) {
      const path = join(folder, `${name}.json`)
      writeFileSync(path, JSON.stringify(script))
      return { command: process.execPath, args: [join(import.meta.dirname, "scripted-server.ts"), path] }
    },
    open(config, options = {}) {
      // Whoever is not about asking is not asked.
      const allowed = Object.entries(config).map(
        ([name, one]) => [name, { tools: { "*": "allow" }, ...one }] as const,
      )
      const mcp = openMcp(Object.fromEntries(allowed), {
        root: folder,
        env: process.env,
        limitMs: 30_000,
        taken: [],
        secrets: createSecrets(),
        // Nothing is tried again unless a test is about that.
        wait: (_ms, signal) => new Promise((_, reject) => signal.addEventListener("abort", reject)),
        trouble: ({ level, server, text }) =>
          (level === "debug" ? details : told).push(`${level} ${server}: ${text}`),
        changed: (server) => changes.push(server),
        ...options,
      })
      opened.push(mcp)
      return mcp
    },
    async run(mcp, name, input = {}, more = {}) {
      const found = mcp.tools().find((one) => one.name === name)
      if (found === undefined) throw new Error(`no tool ${name}`)
      return found.run(input, { ...context, ...more }).catch((error: unknown) => {
        if (error instanceof ToolFailure)
          return `failure: ${[error.message, error.detail ?? []].flat().join("\n")}`
        throw error
      })
    },
    async leave() {
      await Promise.all(opened.map((mcp) => mcp.close()))
      await record.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A host of which only the signal is asked for. */
export function hostWith(signal: AbortSignal): ToolHost {
  return { signal } as Partial<ToolHost> as ToolHost
}

/** One that has ended but that nobody has asked about yet does not count. */
export function isRunning(pid: number): boolean {
  return /^[^Z]/.test(spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout)
}
