// The configuration of a further agent: the workspace's, with what agents/<id>/incipit.yaml may change. The workspace
// decides who may see what and what runs, so an agent's own file can choose models, sizes and texts, and take rights
// away, but never add any.
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { LoadedConfig } from "./config.ts"
import type { Config } from "./config-schema.ts"

/** What an agent's own file says, as far as it counts. */
export interface OwnConfig {
  readonly config: Config
  /** As shown to people. */
  readonly path: string
  readonly lines: ReadonlyMap<string, number>
}

/** Replace the workspace's values. */
const REPLACED = ["model", "fallback_model", "effort", "tool_format", "profile", "responsibilities"] as const

export interface AgentConfig {
  readonly config: Config
  readonly own: OwnConfig
  readonly diagnostics: readonly Diagnostic[]
}

export function agentConfig(workspace: Config, loaded: LoadedConfig, path: string): AgentConfig {
  const { usable, ignored } = usablePart(loaded.config)
  const diagnostics = ignored.map((key): Diagnostic => ({ code: "not-of-an-agent", path, key }))
  return {
    config: withOwn(workspace, usable),
    own: { config: usable, path, lines: loaded.lines },
    diagnostics: [...loaded.diagnostics, ...diagnostics],
  }
}

function usablePart(given: Config): { readonly usable: Config; readonly ignored: readonly string[] } {
  const { model, fallback_model, effort, tool_format, responsibilities } = given
  const { profile, tools, budget, cache, approve, spending, feeds, ...rest } = given
  const { rules, ...ttl } = cache ?? {}
  const { allow, ...restricting } = approve ?? {}
  // A module runs code, and only the workspace's can be approved.
  const isModule = profile !== undefined && /[./\\]/.test(profile)
  const usable: Config = {
    ...{ model, fallback_model, effort, tool_format, responsibilities, tools, budget, spending, feeds },
    ...{ profile: isModule ? undefined : profile, cache: ttl, approve: restricting },
  }
  const others = Object.keys(rest).filter((key) => !REPLACED.some((known) => known === key))
  return {
    usable,
    ignored: [
      ...others,
      ...(isModule ? ["profile"] : []),
      ...(rules === undefined ? [] : ["cache.rules"]),
      ...(allow === undefined ? [] : ["approve.allow"]),
    ],
  }
}

function withOwn(workspace: Config, own: Config): Config {
  const replaced = Object.fromEntries(
    REPLACED.flatMap((key) => (own[key] === undefined ? [] : [[key, own[key]]])),
  )
  const { ask = [], deny = [] } = own.approve ?? {}
  const { approve = {} } = workspace
  return {
    ...workspace,
    ...replaced,
    // The spending of the agent is limited beside that of the workspace; see `OwnConfig`.
    ...(own.tools && { tools: own.tools.filter((name) => workspace.tools?.includes(name) ?? true) }),
    ...(own.budget && { budget: { ...workspace.budget, ...own.budget } }),
    ...(own.cache?.ttl && { cache: { ...workspace.cache, ...own.cache } }),
    ...(own.feeds && { feeds: { ...workspace.feeds, ...own.feeds } }),
    ...((ask.length > 0 || deny.length > 0) && {
      approve: {
        ...approve,
        ask: [...(approve.ask ?? []), ...ask],
        deny: [...(approve.deny ?? []), ...deny],
      },
    }),
  }
}
