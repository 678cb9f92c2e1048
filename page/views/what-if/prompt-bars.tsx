// Both prompts as bars in one scale: tools, and the text by how often it changes.
import type { Report } from "../../../src/core/read/report.ts"
import { count } from "../../parts/figures.ts"

interface Part {
  readonly name: string
  readonly kind: string
  readonly tokens: number
}

export function PromptBars({ real, changed }: { readonly real: Report; readonly changed: Report }) {
  const [was, is] = [partsOf(real), partsOf(changed)]
  const most = Math.max(1, sumOf(was), sumOf(is))
  return (
    <div class="wi-bars">
      <Bar name="Real" parts={was} most={most} />
      <Bar name="Changed" parts={is} most={most} />
    </div>
  )
}

function Bar({
  name,
  parts,
  most,
}: {
  readonly name: string
  readonly parts: readonly Part[]
  readonly most: number
}) {
  const words = parts.map((part) => `${part.name} ${count(part.tokens)}`).join(", ")
  return (
    <div class="wi-bar-line">
      <span class="small quiet wi-bar-name">{name}</span>
      <div class="wi-bar" role="img" aria-label={`${name}: ${words} tokens`}>
        {parts.map(({ name: part, kind, tokens }) => (
          <span key={part} class={`wi-part wi-part-${kind}`} style={{ width: `${(100 * tokens) / most}%` }}>
            <span class="cut">{part}</span>
          </span>
        ))}
      </div>
    </div>
  )
}

function partsOf({ budget, blocks }: Report): readonly Part[] {
  const of = (pace: string, placement: string) =>
    blocks
      .filter((block) => block.pace === pace && block.placement === placement)
      .reduce((sum, { tokens }) => sum + tokens, 0) * budget.factor
  const tail = blocks.filter(({ placement }) => placement === "tail")
  const all: readonly Part[] = [
    { name: "tools", kind: "tools", tokens: budget.tools },
    { name: "rarely changes", kind: "stable", tokens: of("stable", "head") },
    { name: "session", kind: "session", tokens: of("session", "head") },
    {
      name: "turn",
      kind: "turn",
      tokens: of("turn", "head") + tail.reduce((sum, { tokens }) => sum + tokens, 0) * budget.factor,
    },
  ]
  return all.filter(({ tokens }) => tokens > 0)
}

function sumOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0)
}
