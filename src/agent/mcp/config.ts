// An MCP server as the configuration names it, with defaults filled in. Starts nothing.
import { resolve } from "node:path"
import { defined } from "../../base/defined.ts"
import { parseDuration } from "../../base/duration.ts"
import { isTrust, type Trust } from "../../base/trust.ts"
import type { InsideLaunch, InsideProgram } from "../../sandbox/sandbox-state.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import type { ToolRule } from "../../sources/config/mcp-schema.ts"

export type McpConfig = NonNullable<Config["mcp"]>

export interface McpServer {
  readonly name: string
  readonly trust: Trust
  /** The only tools to use, by the server's own names; undefined means all. */
  readonly only: readonly string[] | undefined
  /** The rule for a tool, by name or for all others; undefined where the server's hints decide. */
  readonly rule: (tool: string) => ToolRule | undefined
  /** Tools named in the configuration. */
  readonly named: readonly string[]
  readonly isPrefixed: boolean
  readonly tellsInstructions: boolean
  readonly callMs: number
  /** The folder that the server is told about; undefined if it is told of none. */
  readonly announced: string | undefined
  /** Where the server is, resolved at each start. Throws if a variable is not set. */
  readonly place: () => McpPlace
}

export type McpPlace =
  | {
      readonly kind: "process"
      readonly command: string
      readonly args: readonly string[]
      readonly directory: string
      readonly env: Readonly<Record<string, string>>
      /** Where it runs, if that is not the host. Rejects if there is no such place now. */
      readonly launch?: () => Promise<InsideLaunch>
    }
  | {
      readonly kind: "http"
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      readonly oauth: OAuthClient
    }

/** How to sign in to a server over HTTP, as far as the configuration says. */
export interface OAuthClient {
  /** A client that is registered there, or the https URL of its description. */
  readonly client?: string
  readonly secret?: string
  readonly scope?: string
  /** The port of this machine that the browser comes back to. */
  readonly port?: number
}

export interface Surroundings {
  /** Base of relative paths in the configuration. */
  readonly root: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Called right before each start: what a server runs may have changed since it was approved. */
  readonly isApproved?: (name: string) => boolean
  /** Starts a program in the sandbox. */
  readonly inside?: (program: InsideProgram) => Promise<InsideLaunch>
}

const CALL_MS = 30_000
/** The longest delay that timers accept. */
const MOST_MS = 2 ** 31 - 1

export function mcpServer(name: string, config: McpConfig[string], surroundings: Surroundings): McpServer {
  const callMs = parseDuration(config.timeout ?? "") ?? CALL_MS
  return {
    name,
    // It is third-party text and code, so a missing or misspelt trust becomes `full`.
    trust: isTrust(config.trust) ? config.trust : "full",
    ...rulesOf(config.tools),
    isPrefixed: config.prefix ?? false,
    tellsInstructions: config.instructions ?? true,
    callMs: Math.min(callMs, MOST_MS),
    // A program runs here and sees the folder anyway; a service would learn a path of this machine.
    announced: (config.roots ?? config.command !== undefined) ? surroundings.root : undefined,
    place: () => placeOf(name, config, surroundings),
  }
}

function rulesOf(tools: McpConfig[string]["tools"]): Pick<McpServer, "only" | "rule" | "named"> {
  if (tools === undefined || Array.isArray(tools))
    return { only: tools, rule: () => undefined, named: tools ?? [] }
  const rules = new Map(Object.entries(tools))
  return {
    only: undefined,
    rule: (tool) => rules.get(tool) ?? rules.get("*"),
    named: [...rules.keys()].filter((name) => name !== "*"),
  }
}

function placeOf(name: string, config: McpConfig[string], surroundings: Surroundings): McpPlace {
  const { command, url } = config
  const { root, env, isApproved } = surroundings
  if (isApproved?.(name) === false)
    throw new Error(
      `its files have changed since you approved it; approve it again: incipit hooks approve ${name}`,
    )
  if (command === undefined)
    return {
      ...{ kind: "http", url: url ?? "", headers: filled(config.headers, `mcp.${name}.headers`, env) },
      oauth: oauthOf(name, config, env),
    }
  // A bare name is looked up on the PATH.
  const program = /[/\\]/.test(command) ? resolve(root, command) : command
  const args = config.args ?? []
  const directory = resolve(root, config.cwd ?? ".")
  const own = filled(config.env, `mcp.${name}.env`, env)
  const { inside } = surroundings
  if (config.sandbox === true && inside === undefined) throw new Error("there is no sandbox to run it in")
  return {
    ...{ kind: "process", command: program, args, directory, env: { ...inherited(env), ...own } },
    // In the sandbox, PATH and HOME are others.
    ...(config.sandbox === true &&
      inside && { launch: () => inside({ argv: [program, ...args], env: own, directory }) }),
  }
}

function oauthOf(name: string, { oauth = {} }: McpConfig[string], env: Surroundings["env"]): OAuthClient {
  const { secret, ...rest } = oauth
  const filledIn = secret === undefined ? {} : filled({ secret }, `mcp.${name}.oauth`, env)
  return defined({ ...rest, ...filledIn })
}

/** The minimum a program needs to run, and none of the agent's own keys. */
const INHERITED = ["PATH", "HOME", "LANG"]

function inherited(env: Surroundings["env"]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    INHERITED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const])),
  )
}

const VARIABLE = /^\$([A-Za-z_]\w*)$|\$\{([A-Za-z_]\w*)\}/g

/** Replaces `$NAME` (as a whole value) and `${NAME}` (within one) with the agent's variables. */
function filled(
  values: Readonly<Record<string, string>> = {},
  key: string,
  env: Surroundings["env"],
): Readonly<Record<string, string>> {
  const fill = (field: string, value: string) =>
    value.replaceAll(VARIABLE, (_all, whole?: string, part?: string) => {
      const name = whole ?? part ?? ""
      const found = env[name]
      if (found === undefined) throw new Error(`the variable ${name}, named in ${key}.${field}, is not set`)
      return found
    })
  return Object.fromEntries(Object.entries(values).map(([field, value]) => [field, fill(field, value)]))
}

/** Fills values as `place` does, with an empty string for a variable that is not set. */
export function filledWith(
  values: Readonly<Record<string, string>> = {},
  env: Surroundings["env"],
): Readonly<Record<string, string>> {
  const fill = (value: string) =>
    value.replaceAll(VARIABLE, (_all, whole?: string, part?: string) => env[whole ?? part ?? ""] ?? "")
  return Object.fromEntries(Object.entries(values).map(([field, value]) => [field, fill(value)]))
}
