// What a provider would report as used: reads and writes by the published cache rule of the model, over everything that
// was sent to this provider before. The counts are o200k tokens for every model.
import type { Format } from "../../../src/capture/call.ts"
import { ruleFor } from "../../../src/render/cache/cache-rules.ts"
import type { Call } from "../../../src/render/cache/call.ts"
import type { Usage } from "../../../src/render/cache/price.ts"
import { createSimulator } from "../../../src/render/cache/simulate.ts"
import { o200k } from "../../../src/tokens/o200k.ts"
import { type WireBlock, wireBlocks, wireSettings } from "./wire-blocks.ts"

export interface Sent {
  readonly at: number
  readonly model: string
  readonly format: Format
  readonly body: Readonly<Record<string, unknown>>
}

const counts = new Map<string, number>()

export function countTokens(text: string): number {
  const known = counts.get(text)
  if (known !== undefined) return known
  const tokens = o200k.count(text)
  counts.set(text, tokens)
  return tokens
}

/** A request as the simulator takes it. */
export function simulatedCall({ at, model, format, body }: Sent, output: number): Call {
  return {
    at,
    output,
    blocks: wireBlocks(body, format).map(callBlock),
    settings: wireSettings(body, model),
  }
}

function callBlock({ tier, key, text, mark }: WireBlock): Call["blocks"][number] {
  return {
    tier,
    pieces: [{ key, tokens: countTokens(text) }],
    ...(mark !== undefined && { breakpoint: mark }),
  }
}

/** One account at a provider: everything that is sent shares one cache. */
export function createAccount(): (sent: Sent, output: number) => Usage {
  const simulators = new Map<string, ReturnType<typeof createSimulator>>()
  return (sent, output) => {
    const rule = ruleFor(sent.model)
    const known = simulators.get(rule.id) ?? createSimulator({ rule })
    simulators.set(rule.id, known)
    return known(simulatedCall(sent, output)).usage
  }
}
