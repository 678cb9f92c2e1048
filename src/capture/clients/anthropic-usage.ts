// What an answer of Anthropic's API says about itself: the tokens it used, and which call it belongs to. For transcripts,
// body files and the proxy alike, so that a call has the same id wherever it is read.
import { isRecord } from "../../base/is-record.ts"
import type { Usage } from "../../render/cache/price.ts"

/** The id of a call: that of the message, with that of the request if the client or the wire has it. */
export function anthropicCallId(message: string, request: string | undefined): string {
  return request === undefined ? message : `${message}/${request}`
}

/** Returns undefined if this is not the `usage` of an answer. */
export function anthropicUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined
  const uncached = countOf(value.input_tokens)
  const output = countOf(value.output_tokens)
  const read = countOf(value.cache_read_input_tokens ?? 0)
  const write = writtenOf(value)
  if (uncached === undefined || output === undefined || read === undefined || write === undefined)
    return undefined
  return { uncached, read, write, output }
}

/** By lifetime. Answers of older models and of gateways have only the sum: then the lifetime is the default one. */
function writtenOf(value: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> | undefined {
  if (isRecord(value.cache_creation)) {
    const short = countOf(value.cache_creation.ephemeral_5m_input_tokens ?? 0)
    const long = countOf(value.cache_creation.ephemeral_1h_input_tokens ?? 0)
    if (short === undefined || long === undefined) return undefined
    return { ...(short > 0 && { "5m": short }), ...(long > 0 && { "1h": long }) }
  }
  const sum = countOf(value.cache_creation_input_tokens ?? 0)
  return sum === undefined ? undefined : { ...(sum > 0 && { "5m": sum }) }
}

function countOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined
}
