// A report of a request that another program made, so that questions about prompts work on it, too: its tools, and each
// block of its system text as a section. What follows is its conversation.
import { type Digest, digestOf } from "../../base/digest.ts"
import type { Report, ReportBlock, ReportSection, ReportTool } from "../../core/read/report.ts"
import type { CallPart } from "../split/part.ts"

export interface RequestReportOptions {
  readonly model: string
  /** The name of the tokenizer. */
  readonly counter: string
  /** What is kept of a text. */
  readonly shown: (part: CallPart) => string
}

export function requestReport(parts: readonly CallPart[], options: RequestReportOptions): Report {
  const { model, counter, shown } = options
  const end = parts.findIndex(({ tier }) => tier === "messages")
  const head = end === -1 ? parts : parts.slice(0, end)
  const tools = head.filter(({ tier }) => tier === "tools")
  const texts = head.filter(({ tier }) => tier === "system")
  const prefix = digestOf(head.map((part) => part.digest))
  return {
    ...{ profile: "captured", fingerprint: prefix, prefix, model, trust: "full", situation: "", mode: "" },
    budget: budgetOf(counter, sum(tools), sum(texts)),
    blocks: texts.map((part) => blockOf(part, shown(part))),
    sections: texts.map((part, at) => sectionOf(part, at, shown(part).length)),
    tools: tools.map(toolOf),
    withheld: [],
    diagnostics: [],
  }
}

function toolOf(part: CallPart): ReportTool {
  return {
    name: part.tool ?? "tool",
    tokens: part.tokens,
    digest: digestFrom(part),
    outcome: { kind: "included" },
  }
}

function blockOf(part: CallPart, text: string): ReportBlock {
  const breakpoint = part.breakpoint === undefined ? null : { ttl: part.breakpoint }
  return {
    ...{ placement: "head", pace: "stable", text, breakpoint },
    ...{ tokens: part.tokens, digest: digestFrom(part) },
  }
}

/** Named by their place: a request does not say what its blocks are. */
function sectionOf(part: CallPart, block: number, end: number): ReportSection {
  const own = digestFrom(part)
  return {
    ...{ id: `system/${block + 1}`, kind: "system", pace: "stable", priority: "required", trust: "full" },
    ...{ tokens: part.tokens, outcome: { kind: "included" }, spans: [{ block, start: 0, end }] },
    ...{ sent: own, current: own, by: [] },
  }
}

/** Nothing was limited. The conversation is not counted: it is what the model counted beyond the rest. */
function budgetOf(counter: string, tools: number, head: number): Report["budget"] {
  return {
    ...{ window: 0, reserve: 0, tools, conversation: 0, counter, factor: 1, exact: false },
    head: { limit: 0, used: head },
    tail: { limit: 0, used: 0 },
  }
}

function digestFrom({ digest }: CallPart): Digest {
  return `sha256:${Buffer.from(digest, "base64url").toString("hex")}`
}

function sum(parts: readonly CallPart[]): number {
  return parts.reduce((all, { tokens }) => all + tokens, 0)
}
