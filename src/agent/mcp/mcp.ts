// The MCP servers of a configuration, as tools and extensions of the agent. All start at once, and what is there can
// be used while others start; a server that fails costs only itself.

import { byCodePoint } from "../../core/order.ts"
import type { Extension } from "../../core/scope.ts"
import { atLeast, isTrust } from "../../core/trust.ts"
import { agreed } from "../../tools/agreed.ts"
import type { RunnableTool } from "../../tools/answer.ts"
import type { ToolContext } from "../../tools/asker.ts"
import { ToolFailure } from "../../tools/host.ts"
import { type McpConfig, mcpServer, type Surroundings } from "./config.ts"
import type { Definition } from "./definitions.ts"
import { nameTools } from "./names.ts"
import { resultText } from "./result.ts"
import { ServerLifetime, type ServerStatus, type Trouble } from "./server.ts"
import { shortened } from "./text.ts"

export interface McpOptions extends Surroundings {
  /** How long a server may take to start. */
  readonly limitMs: number
  /** Names of tools that are there already. */
  readonly taken: readonly string[]
  readonly trouble: (trouble: Trouble) => void
  /** A server offers something else than before, at its start too; the next turn begins a new epoch. */
  readonly changed: (server: string) => void
}

export interface Mcp {
  /** When every server has started or failed, at the latest after the limit. */
  readonly settled: Promise<void>
  /** In the order of their names. */
  servers(): readonly ServerStatus[]
  tools(): readonly RunnableTool[]
  extensions(): readonly Extension[]
  /** Ends every server; resolves when nothing that was started runs any more. */
  close(): Promise<void>
}

export function openMcp(config: McpConfig, options: McpOptions): Mcp {
  let tools: readonly RunnableTool[] = []
  const changed = (server: string) => {
    tools = toolsOf(lifetimes, options)
    options.changed(server)
  }
  const lifetimes = Object.entries(config)
    .toSorted(([a], [b]) => byCodePoint(a, b))
    .map(([name, one]) => new ServerLifetime(mcpServer(name, one, options), { ...options, changed }))
  for (const [name, { trust }] of Object.entries(config)) {
    if (trust === undefined || isTrust(trust)) continue
    const text = `unknown trust "${shortened(trust)}"; "full" is used, the safe side`
    options.trouble({ level: "warn", server: name, text })
  }
  return {
    settled: Promise.all(lifetimes.map((lifetime) => lifetime.start())).then(() => undefined),
    servers: () => lifetimes.map((lifetime) => lifetime.status()),
    tools: () => tools,
    extensions: () => lifetimes.flatMap(extensionOf),
    close: async () => {
      await Promise.all(lifetimes.map((lifetime) => lifetime.close()))
    },
  }
}

function extensionOf({ server, instructions }: ServerLifetime): readonly Extension[] {
  return instructions === "" ? [] : [{ name: server.name, instructions, trust: server.trust }]
}

function toolsOf(
  lifetimes: readonly ServerLifetime[],
  { taken, trouble }: McpOptions,
): readonly RunnableTool[] {
  const all = lifetimes.flatMap((lifetime) =>
    lifetime.definitions.map((definition) => ({
      lifetime,
      definition,
      server: lifetime.server.name,
      tool: definition.name,
      trust: lifetime.server.trust,
      isPrefixed: lifetime.server.isPrefixed,
    })),
  )
  const named = nameTools(all, taken)
  const kept = new Set(named.map(({ of }) => of))
  for (const { server, tool } of all.filter((one) => !kept.has(one))) {
    const text = `the tool "${shortened(tool)}" has a name that is taken; it was left out`
    trouble({ level: "warn", server, text })
  }
  return named.map(({ name, of }) => runnable(name, of.lifetime, of.definition))
}

/** If the one who asks sets no limit. */
const MOST_TOKENS = 8_000

function runnable(name: string, lifetime: ServerLifetime, definition: Definition): RunnableTool {
  const { description, parameters, name: tool, isReadOnly } = definition
  const { trust, name: server } = lifetime.server
  return {
    ...{ name, description, parameters, trust },
    ...(isReadOnly && { isReadOnly }),
    async run(input, context: ToolContext) {
      if (!atLeast(context.trust, trust)) throw new ToolFailure("This tool is not for this conversation.")
      const given = argumentsOf(input)
      await mayCall(lifetime, definition, { input: given, host: context.host })
      const result = await lifetime.call(tool, given, context.host?.signal)
      const { counter, mostTokens = MOST_TOKENS } = context
      const text = resultText(result, { server, tool: name, counter, mostTokens })
      if (result.isError === true) throw new ToolFailure(text)
      return text
    },
  }
}

/** A rule of the configuration wins over the server's hints; without either, somebody is asked. */
async function mayCall(
  { server }: ServerLifetime,
  { name: tool, isReadOnly, isDestructive }: Definition,
  { input, host }: { readonly input: Readonly<Record<string, unknown>>; readonly host: ToolContext["host"] },
): Promise<void> {
  const rule = server.rule(tool) ?? (isReadOnly ? "allow" : "ask")
  if (rule === "allow") return
  const refused = `The call of "${tool}" was not agreed to.`
  if (rule === "deny" || host === undefined) throw new ToolFailure(refused)
  const shown = JSON.stringify(input, undefined, 2)
  await agreed(host, { kind: "mcp", server: server.name, tool, input: shown, isDestructive }, refused)
}

function argumentsOf(input: unknown): Readonly<Record<string, unknown>> {
  if (input === undefined || input === null) return {}
  if (typeof input !== "object" || Array.isArray(input))
    throw new ToolFailure("The input is not valid: it must be an object.")
  return { ...input }
}
