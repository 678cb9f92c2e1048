// Both prompts as bars of blocks in one scale: the real one as a first call, and the changed one right after it.
import type { ShownPart } from "../../../src/serve/page/shown.ts"
import { BlockBar } from "../../parts/block-bar.tsx"
import type { Compared } from "./worker/protocol.ts"

export function PromptBars({ parts }: { readonly parts: NonNullable<Compared["parts"]> }) {
  const [was, is] = [sumOf(parts.real), sumOf(parts.changed)]
  const most = Math.max(1, was, is)
  return (
    <div class="wi-bars">
      <Bar name="Real" sent="as a first call" parts={parts.real} share={was / most} />
      <Bar name="Changed" sent="sent right after it" parts={parts.changed} share={is / most} />
    </div>
  )
}

interface BarProps {
  readonly name: string
  /** Why the cache did something else with each of them. */
  readonly sent: string
  readonly parts: readonly ShownPart[]
  readonly share: number
}

function Bar({ name, sent, parts, share }: BarProps) {
  return (
    <div>
      <p class="small quiet">
        {name}, {sent}
      </p>
      <div style={{ width: `${100 * share}%` }}>
        <BlockBar parts={parts} label={`Blocks of the ${name.toLowerCase()} prompt`} />
      </div>
    </div>
  )
}

function sumOf(parts: readonly ShownPart[]): number {
  return parts.reduce((sum, { tokens }) => sum + tokens, 0)
}
