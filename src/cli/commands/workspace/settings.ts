// The effective configuration: every value, and where it comes from.
import { DEFAULT_BUDGET } from "../../../core/fit/budget.ts"
import { DEFAULT_SHARES } from "../../../core/fit/fit.ts"
import { leaves } from "../../../sources/config/config.ts"
import {
  cacheTtl,
  contextPolicy,
  DEFAULT_CEILINGS,
  DEFAULT_PROFILE,
  DEFAULT_STORES,
} from "../../../sources/config/defaults.ts"
import type { Workspace } from "../../../sources/workspace.ts"
import type { FlagsOf } from "../../command-line/invocation.ts"
import { VARIABLES } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"

export interface Setting {
  readonly key: string
  readonly value: unknown
  /** "--model", "INCIPIT_MODEL", "incipit.yaml:3" or "default". */
  readonly from: string
}

/** Used where the configuration sets nothing. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  profile: DEFAULT_PROFILE,
  "budget.window": DEFAULT_BUDGET.window,
  "budget.reserve": DEFAULT_BUDGET.reserve,
  "budget.shares.high": DEFAULT_SHARES.high,
  "budget.shares.medium": DEFAULT_SHARES.medium,
  "cache.ttl": cacheTtl({}),
  "prompt.context": contextPolicy({}),
  ...prefixed("situations.", DEFAULT_CEILINGS, ".ceiling"),
  ...prefixed("memory.stores.", DEFAULT_STORES),
}

function prefixed(start: string, values: Readonly<Record<string, unknown>>, end = "") {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [start + name + end, value]))
}

/** The flags that set a value of the configuration. */
export type SettingFlags = Partial<FlagsOf<"config">>

/** The configuration keys that a flag or a variable can set. */
const SETTABLE: readonly Settable[] = [
  { key: "profile", flag: "profile", variable: VARIABLES.profile },
  { key: "model", flag: "model", variable: VARIABLES.model },
  { key: "budget.head", flag: "budget" },
]

interface Settable {
  readonly key: string
  readonly flag: "profile" | "model" | "budget"
  readonly variable?: string
}

export function effectiveSettings(
  flags: SettingFlags,
  terminal: Pick<Terminal, "env">,
  { config, lines, own }: Workspace,
): readonly Setting[] {
  const settings = new Map<string, Setting>()
  for (const [key, value] of Object.entries(DEFAULTS)) {
    if (key.startsWith("situations.") && config.situations !== undefined) continue
    settings.set(key, { key, value, from: "default" })
  }
  for (const keys of leaves(config, [])) {
    const key = keys.join(".")
    settings.set(key, { key, value: at(config, keys), from: `incipit.yaml:${lines.get(key) ?? 1}` })
  }
  for (const setting of ownSettings(own, config)) settings.set(setting.key, setting)
  for (const { key, flag, variable } of SETTABLE) {
    const set = variable === undefined ? undefined : terminal.env[variable]
    if (set !== undefined && set !== "") settings.set(key, { key, value: set, from: variable ?? "" })
    if (flags[flag] !== undefined) settings.set(key, { key, value: flags[flag], from: `--${flag}` })
  }
  return [...settings.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** Values of a further agent's own file. Lists are joined with the workspace's, so they are found by value. */
function ownSettings(own: Workspace["own"], config: Workspace["config"]): readonly Setting[] {
  if (own === undefined) return []
  const all = leaves(config, []).map((keys) => ({ keys, value: at(config, keys) }))
  return leaves(own.config, []).flatMap((keys) => {
    const [key, value] = [keys.join("."), at(own.config, keys)]
    const from = `${own.path}:${own.lines.get(key) ?? 1}`
    // Limits of an agent stand beside those of the workspace.
    if (keys[0] === "spending") return [{ key: `${key} (this agent)`, value, from }]
    const list = /\.\d+$/.test(key) ? key.replace(/\d+$/, "") : undefined
    const found = all.find(
      (one) =>
        one.value === value && (list === undefined ? one.keys.join(".") === key : isIn(list, one.keys)),
    )
    return found === undefined ? [] : [{ key: found.keys.join("."), value, from }]
  })
}

function isIn(list: string, keys: readonly string[]): boolean {
  return `${keys.slice(0, -1).join(".")}.` === list
}

function at(value: unknown, keys: readonly string[]): unknown {
  // The keys of a leaf lead only through objects and lists.
  return keys.reduce<unknown>((item, key) => (item as Record<string, unknown>)[key], value)
}
