// The calls of a query, as far as the SDK tells of them: its messages have the id, the model and the input of each call. What
// a call wrote is only in the events of a stream; without them, the last call of a query gets the sum of all.
import { isRecord } from "../../base/is-record.ts"
import { ruleFor } from "../../render/cache/cache-rules.ts"
import type { Usage } from "../../render/cache/price.ts"
import { usageOf } from "../../render/cache/sdk-usage.ts"

type Fields = Readonly<Record<string, unknown>>

export interface HeardCall {
  /** `provider/model`. */
  readonly model: string
  readonly usage: Usage | undefined
  readonly endedAt: number
}

export interface Ear {
  /** Returns the calls of a query with the message that ends it, and none before. */
  hear(message: object): readonly HeardCall[]
}

interface Call {
  readonly model: string
  readonly input: Fields
  written: number | undefined
  endedAt: number
}

export function openEar(): Ear {
  let calls = new Map<unknown, Call>()
  const begin = (message: Fields) => {
    const known = calls.get(message.id)
    const call: Call = known ?? {
      ...{ model: String(message.model), input: recordOf(message.usage), written: undefined },
      endedAt: Date.now(),
    }
    call.endedAt = Date.now()
    calls.set(message.id, call)
  }
  return {
    hear(message) {
      const { type, message: said, event, usage, parent_tool_use_id: parent }: Fields = { ...message }
      // A subagent has another prompt.
      if (typeof parent === "string") return []
      // What the SDK says itself, such as that a call failed, is no call.
      if (type === "assistant" && isRecord(said) && said.model !== "<synthetic>") begin(said)
      if (type === "stream_event" && isRecord(event)) {
        if (event.type === "message_start" && isRecord(event.message)) begin(event.message)
        const last = [...calls.values()].at(-1)
        const { output_tokens: written } = recordOf(event.usage)
        if (event.type === "message_delta" && last && typeof written === "number") last.written = written
      }
      if (type !== "result") return []
      const heard = [...calls.values()]
      calls = new Map()
      return heardIn(heard, recordOf(usage).output_tokens)
    },
  }
}

function heardIn(calls: readonly Call[], total: unknown): readonly HeardCall[] {
  const known = calls.reduce((sum, { written = 0 }) => sum + written, 0)
  const rest = typeof total === "number" ? Math.max(0, total - known) : 0
  const last = calls.findLastIndex(({ written }) => written === undefined)
  return calls.map(({ model, input, written, endedAt }, at) => ({
    model: `anthropic/${model}`,
    usage: usedBy(model, input, written ?? (at === last ? rest : 0)),
    endedAt,
  }))
}

function usedBy(model: string, input: Fields, output: number): Usage | undefined {
  const { input_tokens: fresh, cache_read_input_tokens: read, cache_creation_input_tokens: written } = input
  if (typeof fresh !== "number") return undefined
  const [cacheReadTokens, cacheWriteTokens] = [countOf(read), countOf(written)]
  const reported = {
    inputTokens: fresh + cacheReadTokens + cacheWriteTokens,
    outputTokens: output,
    inputTokenDetails: { cacheReadTokens, cacheWriteTokens },
    raw: input,
  }
  return usageOf(reported, ruleFor(`anthropic/${model}`))
}

function countOf(value: unknown): number {
  return typeof value === "number" ? value : 0
}

function recordOf(value: unknown): Fields {
  return isRecord(value) ? value : {}
}
