// The processes of the load test besides the generator: the provider, and `incipit serve` as people start it. What each
// used is read from /proc, so this runs on Linux only.
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { openStore } from "../../src/database/sqlite/agent/open-store.ts"
import { stateFiles } from "../../src/files/paths.ts"
import { makeToken } from "../../src/serve/auth/stored-tokens.ts"

const ROOT = join(import.meta.dirname, "..", "..")
/** The kernel counts CPU time in hundredths of a second, whatever the machine. */
const TICK_MS = 10

/**
 * As the guide on serving says: without a limit, V8 lets garbage grow towards the gigabytes of the machine before it
 * collects. Others can be given, such as --cpu-prof.
 */
const SERVER_OPTIONS = process.env.SERVER_OPTIONS ?? "--max-old-space-size=1024"

export interface Processes {
  /** One for each server; they share one state directory. */
  readonly urls: readonly string[]
  /** One for each person. */
  readonly tokens: readonly string[]
  readonly servers: readonly number[]
  readonly provider: number
  stop(): Promise<void>
}

export interface Wanted {
  readonly people: number
  readonly servers: number
  /** How long the provider takes for an answer. */
  readonly thinkingMs: number
}

export async function startProcesses(wanted: Wanted): Promise<Processes> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "incipit-load-")))
  const workspace = join(folder, "workspace")
  cpSync(join(ROOT, "examples", "lighthouse"), workspace, { recursive: true })
  writeFileSync(join(workspace, "incipit.yaml"), configFor(wanted.people))
  const provider = spawn(
    process.execPath,
    [join(import.meta.dirname, "provider.ts"), String(wanted.thinkingMs)],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  )
  const port = await firstLine(provider)
  const state = join(folder, "state")
  const tokens = await makeTokens(stateFiles(state).store, wanted.people)
  const start = () =>
    spawn(
      process.execPath,
      [join(ROOT, "bin", "incipit.js"), "serve", "--json", "--port", "0", "--workspace", workspace],
      {
        cwd: folder,
        stdio: ["ignore", "pipe", "inherit"],
        env: {
          ...{ PATH: process.env.PATH, HOME: folder, TZ: "UTC", INCIPIT_STATE_DIR: state },
          ...{ ANTHROPIC_API_KEY: "none", ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` },
          NODE_OPTIONS: SERVER_OPTIONS,
        },
      },
    )
  const servers = Array.from({ length: wanted.servers }, start)
  const said = await Promise.all(servers.map(firstLine))
  const urls = said.map((line) => (JSON.parse(line) as { readonly url: string }).url)
  return {
    ...{ urls, tokens, servers: servers.map(({ pid = 0 }) => pid), provider: provider.pid ?? 0 },
    async stop() {
      for (const one of [...servers, provider]) {
        const ended = once(one, "exit")
        one.kill()
        await ended
      }
      rmSync(folder, { recursive: true })
    },
  }
}

function configFor(people: number): string {
  const users = Array.from({ length: people }, (_, at) => `  p${at}: { trust: familiar }`)
  return ["profile: incipit", "model: anthropic/claude-sonnet-5-5", "users:", ...users, ""].join("\n")
}

async function makeTokens(path: string, people: number): Promise<readonly string[]> {
  const store = await openStore(path)
  const secrets: string[] = []
  for (let at = 0; at < people; at += 1) {
    const request = { user: `p${at}`, situation: "dm", scopes: ["talk"], name: "load" } as const
    secrets.push((await makeToken(store.tokens, { ...request, expiresInMs: undefined })).secret)
  }
  await store.close()
  return secrets
}

async function firstLine(child: ChildProcess): Promise<string> {
  let text = ""
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk)
    if (text.includes("\n")) break
  }
  if (!text.includes("\n"))
    throw new Error("a process of the load test ended before it said where it listens")
  return text.trim()
}

/** CPU time of a process since its start. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

/** Memory of a process that is in use now. */
export function memoryMb(pid: number): number {
  const [, kb] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  return Number(kb) / 1_024
}
