// The tools of a prompt as entries of its plan: they are the first bytes of every prefix.
import type { Counter } from "./counter.ts"
import { type Digest, digest, digestOf } from "./digest.ts"
import { IncipitError } from "./error.ts"
import { byCodePoint } from "./order.ts"
import type { Entry } from "./plan.ts"
import { toolText } from "./prompt.ts"
import type { Agent, Tool } from "./scope.ts"
import { atLeast, type Trust } from "./trust.ts"

export interface Toolset {
  /** Sorted by name, so that the order of registration changes no byte. */
  readonly tools: readonly Tool[]
  readonly tokens: number
  readonly entries: readonly Entry[]
  readonly digest: Digest
}

/** Tools that can fetch a file, in the order in which a cut would name them. */
const READERS = ["memory_get", "read"]

export function readerOf(tools: readonly Tool[]): string | undefined {
  return READERS.find((name) => tools.some((tool) => tool.name === name))
}

export function toolsetOf(agent: Agent, has: Trust, counter: Counter): Toolset {
  const sorted = agent.tools.toSorted((a, b) => byCodePoint(a.name, b.name))
  const twice = sorted.find((tool, at) => tool.name === sorted[at + 1]?.name)
  if (twice !== undefined) throw new IncipitError("duplicate-tool", `two tools have the name "${twice.name}"`)
  const entries = sorted.map((tool) => entryOf(tool, has, counter))
  const tools = sorted.filter((tool) => atLeast(has, tool.trust ?? "public"))
  return {
    tools,
    entries,
    tokens: entries.reduce((sum, { tokens }) => sum + tokens, 0),
    digest: digestOf(tools.map(toolText)),
  }
}

function entryOf(tool: Tool, has: Trust, counter: Counter): Entry {
  const needs = tool.trust ?? "public"
  const seen = atLeast(has, needs)
  const text = toolText(tool)
  const made = digest(text)
  return {
    kind: "tool",
    id: tool.name,
    pace: "stable",
    need: "required",
    trust: needs,
    outcome: seen ? { kind: "kept" } : { kind: "withheld", needs, has },
    tokens: seen ? counter.count(text) : 0,
    spans: [],
    told: seen ? made : undefined,
    current: made,
    by: [],
  }
}
