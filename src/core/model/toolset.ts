// The tools of a prompt as entries of its plan. Tools are the first bytes of every prefix.
import { type Digest, digestOf } from "../../base/digest.ts"
import { IncipitError } from "../../base/error.ts"
import { oncePerObject } from "../../base/memo/once.ts"
import { atLeast, type Trust } from "../../base/trust.ts"
import { inToolOrder } from "../view/view.ts"
import type { Counter } from "./counter.ts"
import type { Agent, Tool } from "./inputs.ts"
import type { Entry, Outcome } from "./plan.ts"
import { type ToolText, toolDigest, toolText } from "./prompt.ts"

export interface Toolset {
  /** Sorted by name, so that the order of registration changes no byte. */
  readonly tools: readonly Tool[]
  readonly tokens: number
  readonly entries: readonly Entry[]
  readonly digest: Digest
}

export interface ToolsetOptions {
  /** Of the audience. */
  readonly trust: Trust
  /** Default: `sorted`. */
  readonly order?: "sorted" | "given" | undefined
  readonly counter: Counter
}

type HasTools = Pick<Agent, "tools" | "toolFormat">

export function toolsetOf(agent: HasTools, { trust, order = "sorted", counter }: ToolsetOptions): Toolset {
  const sorted = inToolOrder(agent.tools, order)
  const tools = callable(sorted, trust)
  const isText = isWritten(agent)
  const entries = sorted.map((tool) => entryOf(tool, { has: trust, isText, counter }))
  return {
    tools: isText ? [] : tools,
    entries,
    tokens: entries.reduce((sum, { tokens }) => sum + tokens, 0),
    digest: digestOf(tools.map((tool) => toolText(tool).text)),
  }
}

/** The tokens of the toolset, for those who need nothing else of it. */
export function toolTokens(agent: HasTools, { trust, counter }: Omit<ToolsetOptions, "order">): number {
  const tools = callable(agent.tools, trust)
  return isWritten(agent) ? 0 : tools.reduce((sum, tool) => sum + tokensBy(counter)(toolText(tool)), 0)
}

/** With `fallback`, the profile writes the tools as text, and the request has no tools field. */
function isWritten({ toolFormat }: HasTools): boolean {
  return toolFormat === "fallback"
}

function callable(all: readonly Tool[], trust: Trust): readonly Tool[] {
  const tools = all.filter((tool) => mayCall(trust, tool))
  const twice = tools.find((tool, at) => tools.findIndex(({ name }) => name === tool.name) !== at)
  if (twice !== undefined) throw new IncipitError("duplicate-tool", `two tools have the name "${twice.name}"`)
  return tools
}

/** Every turn needs the counts of the same few tools. */
const tokensBy = oncePerObject((counter: Counter) =>
  oncePerObject(({ text }: ToolText) => counter.count(text)),
)

function mayCall(has: Trust, { trust = "public" }: Tool): boolean {
  return atLeast(has, trust)
}

interface EntryOptions {
  readonly has: Trust
  /** Whether the tools are text of the prompt. */
  readonly isText: boolean
  readonly counter: Counter
}

function entryOf(tool: Tool, { has, isText, counter }: EntryOptions): Entry {
  const needs = tool.trust ?? "public"
  const seen = mayCall(has, tool)
  const made = toolDigest(tool)
  return {
    kind: "tool",
    id: tool.name,
    pace: "stable",
    priority: "required",
    trust: needs,
    outcome: outcomeOf(tool, { has, isText }),
    tokens: seen && !isText ? tokensBy(counter)(toolText(tool)) : 0,
    spans: [],
    sent: seen ? made : undefined,
    current: made,
    by: [],
  }
}

function outcomeOf(tool: Tool, { has, isText }: Omit<EntryOptions, "counter">): Outcome {
  if (!mayCall(has, tool)) return { kind: "withheld", needs: tool.trust ?? "public", has }
  return isText ? { kind: "unused", why: { kind: "as-text" } } : { kind: "included" }
}
