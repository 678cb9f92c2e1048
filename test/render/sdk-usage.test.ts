// What providers report, as the SDK hands it on; the shapes are those that its providers make of it.
import type { LanguageModelUsage } from "ai"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { ruleFor } from "../../src/render/cache/cache-rules.ts"
import { inputOf } from "../../src/render/cache/price.ts"
import { usageOf } from "../../src/render/cache/sdk-usage.ts"

const CLAUDE = ruleFor("anthropic/claude-sonnet-5-5")
const GPT = ruleFor("openai/gpt-5.6-sol")
const LOCAL = ruleFor("ollama/qwen3")

function sdkUsage(fields: {
  readonly input?: number
  readonly read?: number
  readonly write?: number
  readonly output?: number
  readonly raw?: LanguageModelUsage["raw"]
}): LanguageModelUsage {
  return {
    inputTokens: fields.input,
    inputTokenDetails: {
      noCacheTokens: undefined,
      cacheReadTokens: fields.read,
      cacheWriteTokens: fields.write,
    },
    outputTokens: fields.output,
    outputTokenDetails: { textTokens: undefined, reasoningTokens: undefined },
    totalTokens: undefined,
    ...(fields.raw && { raw: fields.raw }),
  }
}

test("what was written is kept apart by lifetime", () => {
  const cache_creation = { ephemeral_5m_input_tokens: 300, ephemeral_1h_input_tokens: 100 }
  const usage = sdkUsage({ input: 1000, read: 500, write: 400, output: 7, raw: { cache_creation } })
  expect(usageOf(usage, CLAUDE)).toEqual({
    uncached: 100,
    read: 500,
    write: { "5m": 300, "1h": 100 },
    output: 7,
  })
})

test("what no lifetime is given for has the default one", () => {
  const some = { cache_creation: { ephemeral_1h_input_tokens: 100 } }
  expect(usageOf(sdkUsage({ input: 400, write: 400 }), CLAUDE)?.write).toEqual({ "5m": 400 })
  expect(usageOf(sdkUsage({ input: 400, write: 400, raw: some }), CLAUDE)?.write).toEqual({
    "1h": 100,
    "5m": 300,
  })
  expect(usageOf(sdkUsage({ input: 400, write: 400 }), GPT)?.write).toEqual({ "30m": 400 })
})

test("lifetimes that add up to more than was written take no more than that", () => {
  const raw = { cache_creation: { ephemeral_5m_input_tokens: 300, ephemeral_1h_input_tokens: 300 } }
  const usage = usageOf(sdkUsage({ input: 500, write: 400, raw }), CLAUDE)
  expect(usage).toEqual({ uncached: 100, read: 0, write: { "5m": 300, "1h": 100 }, output: 0 })
})

test("OpenAI's twelve hours, and Bedrock's list", () => {
  const openai = {
    input_tokens_details: {
      cache_write_tokens: 9,
      cache_write_tokens_details: { ttl_30m_tokens: 4, ttl_12h_tokens: 5 },
    },
  }
  expect(usageOf(sdkUsage({ input: 10, write: 9, raw: openai }), GPT)?.write).toEqual({ "30m": 4, "12h": 5 })
  const bedrock = { cacheDetails: [{ ttl: "1h", inputTokens: 4 }, { ttl: "5m", inputTokens: 5 }, null] }
  expect(usageOf(sdkUsage({ input: 10, write: 9, raw: bedrock }), CLAUDE)?.write).toEqual({
    "1h": 4,
    "5m": 5,
  })
})

describe("compatible servers", () => {
  test("say little, and that is taken as it is", () => {
    const usage = sdkUsage({
      input: 12,
      read: 0,
      output: 3,
      raw: { prompt_tokens: 12, completion_tokens: 3 },
    })
    expect(usageOf(usage, LOCAL)).toEqual({ uncached: 12, read: 0, write: {}, output: 3 })
  })

  test("have fields that the SDK does not know", () => {
    const deepseek = { prompt_tokens: 100, prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 }
    expect(usageOf(sdkUsage({ input: 100, read: 0, output: 3, raw: deepseek }), LOCAL)).toEqual({
      uncached: 36,
      read: 64,
      write: {},
      output: 3,
    })
    const router = { prompt_tokens_details: { cached_tokens: 20, cache_write_tokens: 30 } }
    expect(usageOf(sdkUsage({ input: 100, read: 20, output: 3, raw: router }), LOCAL)).toEqual({
      uncached: 50,
      read: 20,
      write: { loaded: 30 },
      output: 3,
    })
  })

  test("may count what was cached beside the prompt", () => {
    expect(usageOf(sdkUsage({ input: 10, read: 90, output: 3 }), LOCAL)).toEqual({
      uncached: 10,
      read: 90,
      write: {},
      output: 3,
    })
  })

  test("may say nothing, which is not zero", () => {
    expect(usageOf(sdkUsage({}), LOCAL)).toBeUndefined()
    expect(usageOf(undefined, LOCAL)).toBeUndefined()
    expect(usageOf(sdkUsage({ output: 5 }), LOCAL)).toEqual({ uncached: 0, read: 0, write: {}, output: 5 })
  })
})

test("every token of the input is in exactly one kind, whatever else is reported", () => {
  const count = fc.nat(100_000)
  const split = fc.record({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count })
  const details = fc.array(fc.record({ ttl: fc.constantFrom("5m", "1h", "12h"), inputTokens: count }), {
    maxLength: 4,
  })
  fc.assert(
    fc.property(
      count,
      count,
      count,
      split,
      details,
      (uncached, read, write, cache_creation, cacheDetails) => {
        const input = uncached + read + write
        const usage = usageOf(sdkUsage({ input, read, write, raw: { cache_creation, cacheDetails } }), CLAUDE)
        expect(usage && [inputOf(usage), usage.uncached, usage.read]).toEqual([input, uncached, read])
      },
    ),
    { seed: 7 },
  )
})
