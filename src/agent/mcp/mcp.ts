// The configured MCP servers, as tools and extensions of the agent. All start at once, and those that are ready can be
// used while others start. A server that fails affects no other. The configuration can be replaced at run time.

import { isDeepStrictEqual } from "node:util"
import { defined } from "../../base/defined.ts"
import { byCodePoint } from "../../base/order.ts"
import { atLeast, isTrust } from "../../base/trust.ts"
import type { Extension } from "../../core/model/inputs.ts"
import type { Secrets } from "../../record/redact/secrets.ts"
import type { RunnableTool } from "../../tools/define-tool.ts"
import { ToolFailure } from "../../tools/host.ts"
import { requireApproval } from "../../tools/require-approval.ts"
import type { ToolContext } from "../../tools/tool-context.ts"
import { progressText } from "./calls/progress-text.ts"
import { type McpConfig, mcpServer, type Surroundings } from "./config.ts"
import type { Definition } from "./definitions.ts"
import type { Wait } from "./listening.ts"
import { nameTools } from "./names.ts"
import { resultText } from "./result.ts"
import { ServerLifetime, type ServerStatus, type Trouble } from "./server.ts"
import type { SignIns } from "./sign-in/stored-sign-ins.ts"
import { cutShort } from "./text.ts"

export interface McpOptions extends Surroundings {
  /** How long a server may take to start. */
  readonly limitMs: number
  /** Names of existing tools. */
  readonly taken: readonly string[]
  readonly trouble: (trouble: Trouble) => void
  /** A server's offer changed, which includes its start; the next turn begins a new epoch. */
  readonly changed: (server: string) => void
  readonly wait: Wait
  /** Keys to hide in all text from servers. */
  readonly secrets: Secrets
  /** Where tokens are; undefined where nobody signs in. */
  readonly signIns?: SignIns
}

export interface Mcp {
  /** Resolves when every server of the first configuration has started or failed, or at the limit. */
  readonly settled: Promise<void>
  /** Sorted by name. */
  servers(): readonly ServerStatus[]
  tools(): readonly RunnableTool[]
  extensions(): readonly Extension[]
  /** Whether something other than the server itself kept a server from starting. */
  isBlocked(): boolean
  /** Starts servers that are new or different and ends those that are gone. Resolves when each has been tried once. */
  use(config: McpConfig, options?: UseOptions): Promise<void>
  /** Ends every server; resolves when none of their processes is left. */
  close(): Promise<void>
}

export interface UseOptions {
  /** Servers not to start. A running one of that name stays as it is. */
  readonly waiting?: ReadonlySet<string>
  /** Whether the servers started now are approved. */
  readonly isApproved?: Surroundings["isApproved"]
  /** Also retries servers that had been given up. */
  readonly again?: boolean
}

export function openMcp(config: McpConfig, options: McpOptions): Mcp {
  return new Servers(config, options)
}

interface Used {
  readonly entry: McpConfig[string]
  readonly lifetime: ServerLifetime
}

class Servers implements Mcp {
  readonly settled: Promise<void>
  readonly #options: McpOptions
  readonly #used = new Map<string, Used>()
  /** Servers that are no longer used and may still run. */
  readonly #ending = new Set<Promise<void>>()
  #tools: readonly RunnableTool[] = []

  constructor(config: McpConfig, options: McpOptions) {
    this.#options = options
    this.settled = this.use(config)
  }

  servers(): readonly ServerStatus[] {
    return this.#lifetimes().map((lifetime) => lifetime.status())
  }

  tools(): readonly RunnableTool[] {
    return this.#tools
  }

  extensions(): readonly Extension[] {
    return this.#lifetimes().flatMap(extensionOf)
  }

  isBlocked(): boolean {
    return this.#lifetimes().some(({ isBlocked }) => isBlocked)
  }

  async use(config: McpConfig, { waiting = new Set(), isApproved, again = false }: UseOptions = {}) {
    for (const name of [...this.#used.keys()].filter((one) => config[one] === undefined)) {
      this.#end(name)
      this.#changed(name)
    }
    const begun: Promise<void>[] = []
    for (const [name, entry] of Object.entries(config).filter(([one]) => !waiting.has(one))) {
      const known = this.#used.get(name)
      const isSame = known !== undefined && isDeepStrictEqual(known.entry, entry)
      const { lifetime } = isSame ? known : this.#added(name, entry, isApproved)
      if (!isSame || again || lifetime.isBlocked) begun.push(lifetime.begin())
    }
    await Promise.all(begun)
  }

  async close(): Promise<void> {
    const running = this.#lifetimes().map((lifetime) => lifetime.close())
    await Promise.all([...running, ...this.#ending])
  }

  #lifetimes(): readonly ServerLifetime[] {
    return [...this.#used].toSorted(([a], [b]) => byCodePoint(a, b)).map(([, { lifetime }]) => lifetime)
  }

  /** Replaces the server of that name. */
  #added(name: string, entry: McpConfig[string], isApproved: Surroundings["isApproved"]): Used {
    this.#end(name)
    checkTrust(name, entry, this.#options)
    const server = mcpServer(name, entry, { ...this.#options, ...(isApproved && { isApproved }) })
    const changed = (of: string) => this.#changed(of)
    const used = { entry, lifetime: new ServerLifetime(server, { ...this.#options, changed }) }
    this.#used.set(name, used)
    return used
  }

  #end(name: string): void {
    const known = this.#used.get(name)
    if (known === undefined) return
    this.#used.delete(name)
    const ended = known.lifetime.close().finally(() => this.#ending.delete(ended))
    this.#ending.add(ended)
  }

  #changed(server: string): void {
    this.#tools = toolsOf(this.#lifetimes(), this.#options)
    this.#options.changed(server)
  }
}

function checkTrust(name: string, { trust }: McpConfig[string], { trouble }: McpOptions): void {
  if (trust === undefined || isTrust(trust)) return
  const text = `unknown trust "${cutShort(trust)}". To be safe, "full" is used.`
  trouble({ level: "warn", server: name, text })
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
    const text = `the tool "${cutShort(tool)}" has a name that is already taken; it was left out`
    trouble({ level: "warn", server, text })
  }
  return named.map(({ name, of }) => runnable(name, of.lifetime, of.definition))
}

/** If the caller sets no limit. */
const MOST_TOKENS = 8_000

function runnable(name: string, lifetime: ServerLifetime, definition: Definition): RunnableTool {
  const { description, parameters, isReadOnly } = definition
  const { trust, name: server } = lifetime.server
  return {
    ...{ name, description, parameters, trust, asksFirst: true },
    ...(isReadOnly && { isReadOnly }),
    async run(input, context: ToolContext) {
      if (!atLeast(context.trust, trust))
        throw new ToolFailure("This tool is not available in this conversation.")
      const given = argumentsOf(input)
      await mayCall(lifetime, definition, { input: given, host: context.host })
      const { host, session, counter, mostTokens = MOST_TOKENS, attach } = context
      const redact = host?.redact
      const ask = host?.ask
      const result = await lifetime.call({
        ...{ tool: definition, input: given, stop: host?.signal },
        caller: ask && { session, ask },
        progressed: (progress) => host?.progress?.(progressText(progress, (text) => lifetime.short(text))),
      })
      const options = { server, tool: name, counter, mostTokens, ...defined({ redact, attach }) }
      const text = resultText(result, options)
      if (result.isError === true) throw new ToolFailure(text)
      return text
    },
  }
}

/** A rule of the configuration overrides the server's hints; without either, the user is asked. */
async function mayCall(
  { server }: ServerLifetime,
  { name: tool, isReadOnly, isDestructive }: Definition,
  { input, host }: { readonly input: Readonly<Record<string, unknown>>; readonly host: ToolContext["host"] },
): Promise<void> {
  const rule = server.rule(tool) ?? (isReadOnly ? "allow" : "ask")
  if (rule === "allow") return
  const refused = `The call to "${tool}" was not approved.`
  if (rule === "deny" || host === undefined) throw new ToolFailure(refused)
  const shown = JSON.stringify(input, undefined, 2)
  await requireApproval(
    host,
    { kind: "mcp", server: server.name, tool, input: shown, isDestructive },
    refused,
  )
}

function argumentsOf(input: unknown): Readonly<Record<string, unknown>> {
  if (input === undefined || input === null) return {}
  if (typeof input !== "object" || Array.isArray(input))
    throw new ToolFailure("The input is not valid: it must be an object.")
  return { ...input }
}
