// Runs the built command line as a person would, in a fixed world: no colours, 80 columns, UTC, an empty home.
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join, resolve } from "node:path"
import { afterAll } from "vitest"
import { type Ran, runWarm } from "./warm.ts"

export type { Ran }

const BIN = resolve("bin/incipit.js")
const HOME = mkdtempSync(join(tmpdir(), "incipit-home-"))
/** A folder with a file of the program's name: lines that say what to type next name it as it is. */
const INSTALLED = resolve("test/cli/installed")
afterAll(() => rmSync(HOME, { recursive: true, force: true }))

export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
}

export function incipit(args: readonly string[], options: RunOptions = {}): Ran {
  const { cwd, env, input } = placeOf(options)
  const { stdout, stderr, status } = spawnSync("node", [BIN, ...args], { encoding: "utf8", env, cwd, input })
  return { stdout, stderr, status }
}

/** The same in a process that is running already: for commands that only read, of which a test needs many. */
export function warmIncipit(args: readonly string[], options: RunOptions = {}): Ran {
  return runWarm({ args, ...placeOf(options) }) ?? incipit(args, options)
}

function placeOf({ cwd = process.cwd(), env, input = "" }: RunOptions) {
  const fixed = {
    PATH: [INSTALLED, process.env.PATH].join(delimiter),
    HOME,
    TZ: "UTC",
    COLUMNS: "80",
    INCIPIT_GIT_LIMIT: "10m",
  }
  return { cwd, env: { ...fixed, ...env }, input }
}

/** One text for a golden file: what was typed, what came out on each stream, and the exit status. */
export function transcript(args: readonly string[], ran: Ran): string {
  const streams = [ran.stdout, ran.stderr === "" ? "" : `--- stderr ---\n${ran.stderr}`].filter(
    (text) => text !== "",
  )
  return `$ incipit ${args.join(" ")}\n${streams.join("")}--- exit ${ran.status} ---\n`
}
