// Runs the built command line as a person would, in a fixed world: no colours, 80 columns, UTC, an empty home.
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll } from "vitest"

export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly status: number | null
}

const BIN = resolve("bin/incipit.js")
const HOME = mkdtempSync(join(tmpdir(), "incipit-home-"))
afterAll(() => rmSync(HOME, { recursive: true, force: true }))

export function incipit(
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string>; input?: string } = {},
): Ran {
  const env = {
    PATH: process.env.PATH,
    HOME,
    TZ: "UTC",
    COLUMNS: "80",
    INCIPIT_GIT_LIMIT: "10m",
    ...options.env,
  }
  const { stdout, stderr, status } = spawnSync("node", [BIN, ...args], {
    encoding: "utf8",
    env,
    cwd: options.cwd ?? process.cwd(),
    input: options.input ?? "",
  })
  return { stdout, stderr, status }
}

/** One text for a golden file: what was typed, what came out on each stream, and the exit status. */
export function transcript(args: readonly string[], ran: Ran): string {
  const streams = [ran.stdout, ran.stderr === "" ? "" : `--- stderr ---\n${ran.stderr}`].filter(
    (text) => text !== "",
  )
  return `$ incipit ${args.join(" ")}\n${streams.join("")}--- exit ${ran.status} ---\n`
}
