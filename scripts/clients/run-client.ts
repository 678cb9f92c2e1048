// Runs one session of one real client against the fake provider, in a folder and a home of its own.
import { spawn } from "node:child_process"
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as sleep } from "node:timers/promises"
import { startProvider, type WireCall } from "./provider/fake-provider.ts"
import type { Place, RealClient } from "./real-client.ts"
import { applyChange, type Change, PAUSE_MS, type Situation, taskOf } from "./scenario.ts"
import type { Slots } from "./slots.ts"

export interface Session {
  readonly client: RealClient
  readonly place: Place
  readonly calls: readonly WireCall[]
  readonly others: readonly string[]
  /** Where each change was made: the calls from this index on saw it. */
  readonly changes: readonly { readonly change: Change; readonly from: number }[]
  /** Turns that did not end with 0, with the end of what the client printed. */
  readonly failures: readonly string[]
  /** What each turn printed. */
  readonly printed: readonly string[]
}

export interface SessionOptions {
  readonly client: RealClient
  readonly modules: string
  /** Copied; a checkout of its own is made from it. */
  readonly tree: string
  /** Where everything of this session is kept. */
  readonly folder: string
  /** For each turn, what is changed before it. */
  readonly turns: readonly (Change | undefined)[]
  readonly slots: Slots
  /** What the person writes, in turn; by default, what `taskOf` says. */
  readonly tasks?: readonly string[]
  /** MCP servers that the client has from the start on, by the folder that it works in. */
  readonly servers?: (tree: string) => Pick<Situation, "server" | "webServer">
  /** A program that starts the client, with its arguments. */
  readonly starter?: readonly string[] | undefined
}

const TURN_MS = 180_000

export async function runSession(options: SessionOptions): Promise<Session> {
  const { client, modules, folder, turns, slots, tasks, servers, starter = [] } = options
  const place = {
    tree: join(folder, "tree"),
    home: join(folder, "home"),
    bodies: join(folder, "bodies"),
    modules,
  }
  for (const path of [place.home, place.bodies]) mkdirSync(path, { recursive: true })
  cpSync(options.tree, place.tree, { recursive: true })
  await commitAll(place.tree)
  const provider = await startProvider({ folder: place.tree, now: Date.now })
  const at = { ...place, url: provider.url }
  const changes: { change: Change; from: number }[] = []
  const failures: string[] = []
  const texts: string[] = []
  let now: Situation = { model: client.models[0], timeZone: "UTC", ...servers?.(place.tree) }
  for (const [turn, change] of turns.entries()) {
    if (change === "pause") await sleep(PAUSE_MS)
    if (change !== undefined) {
      now = applyChange(change, place.tree, client, now)
      changes.push({ change, from: provider.calls.length })
    }
    const printed = await slots.use(() =>
      runTurn({ place: at, client, now, turn, starter, text: tasks?.[turn] ?? taskOf(turn) }),
    )
    texts.push(printed.text)
    if (printed.status !== 0)
      failures.push(`turn ${turn + 1}: status ${printed.status}, ${printed.text.slice(-300)}`)
  }
  await provider.close()
  const { calls, others } = provider
  const about = { place: at, others, changes, failures, printed: texts }
  writeFileSync(join(folder, "wire.jsonl"), calls.map((call) => `${JSON.stringify(call)}\n`).join(""))
  writeFileSync(join(folder, "session.json"), JSON.stringify(about))
  return { client, calls, ...about }
}

/** A session that an earlier run has kept. */
export function keptSession(client: RealClient, folder: string): Session {
  const about = JSON.parse(readFileSync(join(folder, "session.json"), "utf8"))
  const lines = readFileSync(join(folder, "wire.jsonl"), "utf8").split("\n").slice(0, -1)
  return { client, calls: lines.map((line) => JSON.parse(line)), ...about }
}

interface TurnOptions {
  readonly place: Place
  readonly client: RealClient
  readonly now: Situation
  readonly turn: number
  readonly text: string
  readonly starter: readonly string[]
}

async function runTurn({ place, client, now, turn, text, starter }: TurnOptions): Promise<Printed> {
  client.setUp(place, now)
  const ask = { ...now, text, isFirst: turn === 0 }
  const own = client.bin === "node" ? process.execPath : join(place.modules, ".bin", client.bin)
  const [command = own, ...args] = [...starter, own, ...client.args(ask, place)]
  const printed = await print(command, args, {
    cwd: place.tree,
    env: { ...baseVariables(place.home, now.timeZone), ...client.variables(place) },
  })
  appendFileSync(join(place.home, "..", "output.txt"), `### turn ${turn + 1}\n${printed.text}\n`)
  return printed
}

/** Nothing of the person who runs this reaches the client: no keys, no settings. */
export function baseVariables(home: string, timeZone: string): NodeJS.ProcessEnv {
  return {
    PATH: `${join(process.execPath, "..")}:${process.env.PATH ?? ""}`,
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local/share"),
    XDG_CACHE_HOME: join(home, ".cache"),
    XDG_STATE_HOME: join(home, ".local/state"),
    TZ: timeZone,
    LANG: "C.UTF-8",
    TERM: "dumb",
  }
}

interface Printed {
  readonly status: number | null
  readonly text: string
}

function print(command: string, args: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
  return new Promise<Printed>((resolve) => {
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"], timeout: TURN_MS })
    let text = ""
    const keep = (chunk: Buffer) => {
      text += chunk.toString("utf8")
    }
    child.stdout.on("data", keep)
    child.stderr.on("data", keep)
    child.on("error", (error) => resolve({ status: null, text: String(error) }))
    child.on("close", (status) => resolve({ status, text }))
  })
}

async function commitAll(tree: string): Promise<void> {
  const git = (...args: readonly string[]) => print("git", args, { cwd: tree, env: process.env })
  await git("init", "-q")
  await git("add", "-A")
  await git("-c", "user.name=nobody", "-c", "user.email=nobody@example.org", "commit", "-qm", "the tree")
}
