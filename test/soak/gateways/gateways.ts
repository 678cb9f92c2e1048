// Two `incipit serve` on one database, each in a process of its own on what seems to be a machine of its own.
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import process from "node:process"
import { createInterface } from "node:readline"

const BIN = resolve("bin/incipit.js")
const PRELOADED = join(import.meta.dirname, "other-machine.ts")
export const SECRET = "s".repeat(40)
/** Notes its word, which is the id of a message. */
export const COMMAND = "./note.sh"

export interface GatewayOptions {
  readonly folder: string
  /** Undefined: each has its own file. */
  readonly database: string | undefined
  readonly provider: string
  readonly receiver: string
  readonly sessions: number
}

export interface Gateway {
  readonly machine: string
  /** Where it can be reached; undefined while it is down. */
  readonly url: string | undefined
  /** A pattern of its owners in the store. */
  readonly owner: string
  start(): Promise<void>
  kill(): Promise<void>
}

export interface GatewayFolder {
  /** `clockErrorMs`: how far its clock is ahead. */
  gateway(machine: string, clockErrorMs: number): Gateway
  /** For which messages the tool ran, each as often as it did. */
  toolRuns(): readonly string[]
  close(): void
}

export function gatewayFolder(options: GatewayOptions): GatewayFolder {
  const { folder } = options
  const [workspace, home, noted] = [join(folder, "workspace"), join(folder, "home"), join(folder, "noted")]
  for (const path of [workspace, home]) mkdirSync(path)
  writeFileSync(join(workspace, "incipit.yaml"), configOf(options))
  writeFileSync(join(workspace, "note.sh"), `#!/bin/sh\necho "$1" >> '${noted}'\n`)
  chmodSync(join(workspace, "note.sh"), 0o755)
  const env = {
    ...{ PATH: process.env.PATH, HOME: home, TZ: "UTC", HOOK_SECRET: SECRET },
    ...{ ANTHROPIC_API_KEY: "none", ANTHROPIC_BASE_URL: options.provider },
    ...{ INCIPIT_DATABASE_URL: options.database, NODE_COMPILE_CACHE: join(folder, "compiled") },
  }
  for (const args of [
    ["folder", "approve", workspace],
    ["hooks", "approve"],
  ]) {
    const given = [BIN, ...args, "--yes"]
    const { status, stderr } = spawnSync(process.execPath, given, { env, cwd: workspace, encoding: "utf8" })
    if (status !== 0) throw new Error(stderr)
  }
  const running = new Set<ChildProcess>()
  return {
    gateway(machine, clockErrorMs) {
      const its = {
        ...{ MACHINE: machine, CLOCK_ERROR_MS: String(clockErrorMs) },
        INCIPIT_STATE_DIR: join(folder, machine),
      }
      return gatewayOf(machine, () => {
        const args = ["--import", PRELOADED, BIN, "serve", "--json", "--port", "0", "--workspace", workspace]
        const child = spawn(process.execPath, args, {
          ...{ env: { ...env, ...its }, cwd: workspace },
          stdio: ["ignore", "pipe", process.env.GATEWAY_ERRORS === undefined ? "ignore" : "inherit"],
        })
        running.add(child)
        return child
      })
    },
    toolRuns: () => (existsSync(noted) ? readFileSync(noted, "utf8").trim().split("\n") : []),
    close() {
      for (const child of running) child.kill("SIGKILL")
    },
  }
}

/** A person for each session. */
function configOf({ receiver, sessions }: GatewayOptions): string {
  const users = Array.from(
    { length: sessions },
    (_, at) => `  s-${at}: { trust: full, match: ["webhook:s-${at}"] }`,
  )
  return `model: anthropic/claude-sonnet-5-5
users:
${users.join("\n")}
approve: { allow: ["${COMMAND} *"] }
serve:
  limits: { requests: 1000000, concurrent_each: 1000 }
  channels: { webhook: { secret: HOOK_SECRET, url: "${receiver}" } }
`
}

function gatewayOf(machine: string, spawned: () => ChildProcess): Gateway {
  let child: ChildProcess | undefined
  let url: string | undefined
  return {
    machine,
    get url() {
      return url
    },
    get owner() {
      return `^${machine}\\M[^:]*:${child?.pid}:`
    },
    async start() {
      child = spawned()
      if (child.stdout === null) throw new Error("the output is a pipe")
      const ended = once(child, "exit").then(() => ["{}"])
      const [line] = await Promise.race([once(createInterface(child.stdout), "line"), ended])
      const said = JSON.parse(String(line)) as { readonly url?: string }
      if (said.url === undefined) throw new Error(`the gateway on ${machine} has ended at its start`)
      url = said.url
    },
    async kill() {
      if (child === undefined) return
      url = undefined
      const over = once(child, "exit")
      child.kill("SIGKILL")
      await over
    },
  }
}
