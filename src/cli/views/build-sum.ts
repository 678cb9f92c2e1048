// The sum below the table of a prompt: what was counted, times the model's factor, is what counts against the limits.
// Every figure can be worked out by hand from the rows above it.

import { plural, thousands } from "../../base/text/figures.ts"
import { isSeen, type Plan } from "../../core/model/plan.ts"
import type { Paint } from "./colour.ts"
import { isNarrow } from "./page.ts"
import { fitCell, wrap } from "./widths.ts"

interface Row {
  readonly label: string
  /** As counted. Undefined for what is measured in the model's tokens. */
  readonly counted: number | undefined
  readonly tokens: number
  readonly limit: number | undefined
}

/** Tokens of the definitions that are sent as tools; of others, the text is part of a section. */
export function toolTokens({ entries }: Pick<Plan, "entries">): number {
  return entries
    .filter(({ kind, outcome }) => kind === "tool" && outcome.kind === "included")
    .reduce((sum, { tokens }) => sum + tokens, 0)
}

export function sumLines(plan: Plan, width: number, paint: Paint): readonly string[] {
  const { window, reserve } = plan.budget
  const notes = [
    `${thousands(window - reserve)} is the window of ${thousands(window)} without the ${thousands(reserve)} reserved for the answer`,
    ...joined(plan),
  ]
  const wrapped = (text: string) => wrap(text, width - 2).map((line) => paint("dim", `  ${line}`))
  return [...wrapped(unit(plan)), ...table(rowsOf(plan), plan, width), ...notes.flatMap(wrapped)]
}

function unit({ budget: { counter, factor, exact }, model }: Plan): string {
  if (exact) return `counted with ${counter}, which is exact for this model`
  if (factor === 1) return `counted with ${counter}, an estimate for this model`
  return `counted with ${counter}, and × ${factor} for tokens of ${model ?? "the model"}, an estimate; each product is rounded up`
}

function rowsOf(plan: Plan): readonly Row[] {
  const { tools, head, tail, conversation, window, reserve } = plan.budget
  const rows: readonly Row[] = [
    { label: "tools", counted: toolTokens(plan), tokens: tools, limit: undefined },
    { label: "cached prefix", counted: blockTokens(plan, "head"), tokens: head.used, limit: head.limit },
    { label: "turn context", counted: blockTokens(plan, "tail"), tokens: tail.used, limit: tail.limit },
    { label: "conversation", counted: undefined, tokens: conversation, limit: undefined },
  ]
  const shown = rows.filter(({ tokens, label }) => tokens > 0 || label === "cached prefix")
  const all = shown.reduce((sum, { tokens }) => sum + tokens, 0)
  return [...shown, { label: "in all", counted: undefined, tokens: all, limit: window - reserve }]
}

function blockTokens({ blocks }: Plan, where: "head" | "tail"): number {
  return blocks.filter(({ placement }) => placement === where).reduce((sum, { tokens }) => sum + tokens, 0)
}

function table(rows: readonly Row[], { budget: { factor } }: Plan, width: number): readonly string[] {
  const isProduct = factor !== 1 && !isNarrow({ columns: width })
  const figure = (tokens: number | undefined) => (tokens === undefined ? "" : thousands(tokens))
  const widest = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length))
  const sizes = {
    label: widest(rows.map(({ label }) => label)),
    counted: widest(rows.map(({ counted }) => figure(counted))),
    tokens: widest(rows.map(({ tokens }) => figure(tokens))),
    limit: widest(rows.map(({ limit }) => figure(limit))),
  }
  const times = ` × ${factor} = `
  return rows.map(({ label, counted, tokens, limit }) => {
    const product =
      counted === undefined
        ? " ".repeat(sizes.counted + times.length)
        : fitCell(figure(counted), sizes.counted, "right") + times
    const of = limit === undefined ? "" : ` of ${fitCell(figure(limit), sizes.limit, "right")}`
    const sum = `${isProduct ? product : ""}${fitCell(figure(tokens), sizes.tokens, "right")}${of}`
    return `  ${fitCell(label, sizes.label)}  ${sum}`
  })
}

/** In some layouts, what is between two sections is counted with both, or changes how their ends are counted. */
function joined(plan: Plan): readonly string[] {
  const sections = plan.entries
    .filter((entry) => entry.kind !== "tool" && isSeen(entry))
    .reduce((sum, { tokens }) => sum + tokens, 0)
  const less = sections - blockTokens(plan, "head") - blockTokens(plan, "tail")
  if (less === 0) return []
  return [
    `joined, the sections take ${plural(Math.abs(less), "token")} ${less > 0 ? "less" : "more"} than one by one`,
  ]
}
