// Facts about the machine and the session, for the model. Each can be set or turned off in `environment:`. Facts that
// are off or empty are omitted, because models act on whatever the prompt mentions.
import { execFileSync } from "node:child_process"
import { arch, hostname, platform } from "node:os"
import { findProgram } from "../../files/program.ts"
import { realPath } from "../../files/real-path.ts"
import type { Config } from "../config/config-schema.ts"
import { findWorktree } from "../git/worktree.ts"

/** Facts about the machine by name, in the order in which the prompt lists them. */
export type Environment = Readonly<Record<string, string>>

/** What a browser reports about its user's location. */
export interface Place {
  readonly timezone?: string
  readonly accept_language?: string
  readonly location?: string
}

export interface EnvironmentFacts {
  readonly model: string | undefined
  readonly session: string | undefined
  readonly timeZone: string | undefined
  /** Where the user is, as reported by their client. Overrides the configured value, but not `off`. */
  readonly place?: Place
  readonly env: Readonly<Record<string, string | undefined>>
}

/** In prompt order. */
const FIELDS = [
  "host",
  "os",
  "arch",
  "shell",
  "runtime",
  "provider",
  "model",
  "session",
  "sudo_non_interactive",
  "timezone",
  "accept_language",
  "location",
] as const

type Field = (typeof FIELDS)[number]

/** Describes the machine for the prompt, from facts that the caller passes in. */
export function detectEnvironment(
  facts: EnvironmentFacts,
  settings: Config["environment"] = {},
): Environment {
  const found = detect(facts, settings)
  const place: Readonly<Record<string, string>> = { ...facts.place }
  const host = FIELDS.flatMap((field) => {
    const set = settings[field]
    return entryOf(field, isOff(set) ? set : (place[field] ?? set ?? found[field]()))
  })
  const own = Object.keys(settings).filter((key) => !FIELDS.some((field) => field === key))
  return Object.fromEntries([...host, ...own.sort().flatMap((key) => entryOf(key, settings[key]))])
}

function detect(
  facts: EnvironmentFacts,
  settings: Readonly<Record<string, unknown>>,
): Readonly<Record<Field, () => unknown>> {
  const [provider, ...model] = facts.model?.split("/") ?? []
  return {
    host: () => hostname(),
    os: () => (platform() === "darwin" ? "macos" : platform() === "win32" ? "windows" : platform()),
    arch: () => arch(),
    shell: () => facts.env.SHELL?.split("/").at(-1),
    runtime: () => `node ${process.versions.node}`,
    provider: () => (model.length > 0 ? provider : undefined),
    model: () => (model.length > 0 ? model.join("/") : provider),
    session: () => facts.session,
    // Detecting it starts a process, so it is opt-in.
    sudo_non_interactive: () => settings.sudo_non_interactive === "detect" && canSudo(),
    timezone: () => facts.timeZone,
    accept_language: () => undefined,
    location: () => undefined,
  }
}

function isOff(value: unknown): boolean {
  return value === false || value === "off"
}

function entryOf(key: string, value: unknown): readonly (readonly [string, string])[] {
  if (value === undefined || isOff(value) || typeof value === "object") return []
  const text = String(value).replaceAll(/\s+/g, " ").trim()
  return text === "" ? [] : [[key, text]]
}

function canSudo(): boolean {
  const here = realPath(process.cwd())
  const notIn = findWorktree(here)?.root ?? here
  const sudo = findProgram("sudo", { path: process.env.PATH, notIn })
  if (sudo === undefined) return false
  try {
    execFileSync(sudo, ["-n", "true"], { stdio: "ignore", timeout: 500 })
    return true
  } catch {
    // Absent, refused or too slow: in each case sudo cannot be relied on.
    return false
  }
}
