// The tools of a prompt as entries of its plan. Tools are the first bytes of every prefix.
import { type Digest, digest, digestOf } from "../../base/digest.ts"
import { IncipitError } from "../../base/error.ts"
import { atLeast, type Trust } from "../../base/trust.ts"
import { inToolOrder } from "../view/view.ts"
import type { Counter } from "./counter.ts"
import type { Agent, Tool } from "./inputs.ts"
import type { Entry, Outcome } from "./plan.ts"
import { toolText } from "./prompt.ts"

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

export function toolsetOf(
  agent: Pick<Agent, "tools" | "toolFormat">,
  { trust, order = "sorted", counter }: ToolsetOptions,
): Toolset {
  const sorted = inToolOrder(agent.tools, order)
  const tools = sorted.filter((tool) => mayCall(trust, tool))
  const twice = tools.find((tool, at) => tools.findIndex(({ name }) => name === tool.name) !== at)
  if (twice !== undefined) throw new IncipitError("duplicate-tool", `two tools have the name "${twice.name}"`)
  // With `fallback`, the profile writes the tools as text, and the request has no tools field.
  const isText = agent.toolFormat === "fallback"
  const entries = sorted.map((tool) => entryOf(tool, { has: trust, isText, counter }))
  return {
    tools: isText ? [] : tools,
    entries,
    tokens: entries.reduce((sum, { tokens }) => sum + tokens, 0),
    digest: digestOf(tools.map(toolText)),
  }
}

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
  const text = toolText(tool)
  const made = digest(text)
  return {
    kind: "tool",
    id: tool.name,
    pace: "stable",
    priority: "required",
    trust: needs,
    outcome: outcomeOf(tool, { has, isText }),
    tokens: seen && !isText ? counter.count(text) : 0,
    spans: [],
    sent: seen ? made : undefined,
    current: made,
    by: [],
  }
}

function outcomeOf(tool: Tool, { has, isText }: Omit<EntryOptions, "counter">): Outcome {
  if (!mayCall(has, tool)) return { kind: "withheld", needs: tool.trust ?? "public", has }
  return isText
    ? { kind: "unused", why: "written into the prompt, because the model has no tool calling" }
    : { kind: "included" }
}
