import { describe, expect, test } from "vitest"
import type { CacheRule } from "../../src/render/cache/cache-rule.ts"
import { CACHE_RULES, NO_CACHE, ruleFor } from "../../src/render/cache/cache-rules.ts"

describe("which row a model gets", () => {
  test.each([
    ["anthropic/claude-opus-5-5", "anthropic/claude-5.5", 512],
    ["claude-sonnet-5-5", "anthropic/claude-5.5", 512],
    ["openrouter/anthropic/claude-sonnet-5.5", "anthropic/claude-5.5", 512],
    ["anthropic/claude-haiku-5-5", "anthropic/haiku-5.5", 512],
    ["anthropic/claude-fable-5-1", "anthropic/fable-5.1", 512],
    ["anthropic/claude-mythos-5", "anthropic/fable-5", 512],
    ["anthropic/claude-opus-5", "anthropic/opus-5", 512],
    ["anthropic/claude-opus-5-20260301", "anthropic/opus-5", 512],
    ["anthropic/claude-sonnet-5", "anthropic/sonnet-5", 1024],
    ["anthropic/claude-fable-5-2", "anthropic/fable-5.2", 1024],
    ["anthropic/claude-opus-4-8", "anthropic/opus-4.8", 1024],
    ["anthropic/claude-opus-4-7", "anthropic/claude-2048", 2048],
    ["anthropic/claude-3-5-haiku-20241022", "anthropic/claude-2048", 2048],
    ["anthropic/claude-opus-4-6", "anthropic/claude-4096", 4096],
    ["anthropic/claude-opus-4-5-20251101", "anthropic/claude-4096", 4096],
    ["anthropic/claude-haiku-4-5", "anthropic/claude-4096", 4096],
    ["anthropic/claude-sonnet-4-6", "anthropic/claude", 1024],
    ["anthropic/claude-opus-4-20250514", "anthropic/claude", 1024],
    ["bedrock/us.anthropic.claude-opus-4-6-v1:0", "bedrock/claude-4096", 4096],
    ["bedrock/anthropic.claude-sonnet-5-5-v1:0", "bedrock/claude-512", 512],
    ["bedrock/anthropic.claude-sonnet-5-v1:0", "bedrock/claude", 1024],
    ["openai/gpt-5.6-sol", "openai/gpt-5.6", 1024],
    ["openai/gpt-6.1-sol", "openai/gpt-6.1-sol", 1024],
    ["openai/gpt-6", "openai/gpt-5.6", 1024],
    ["openai/gpt-5.5", "openai/gpt-5", 1024],
    ["openai/gpt-5", "openai/gpt-5", 1024],
    ["openai/gpt-4.1-mini", "openai/gpt-4.1", 1024],
    ["openai/gpt-4o", "openai/gpt-4o", 1024],
    ["google/gemini-2.5-flash", "google/gemini-2.5", 2048],
    ["google/gemini-3.5-flash", "google/gemini", 4096],
    ["google/gemini-flash-latest", "google/gemini", 4096],
    ["google/gemini-2.0-flash", "unknown", 0],
    ["google/gemini-1.5-pro", "unknown", 0],
    ["deepseek/deepseek-flash", "deepseek/flash", 64],
    ["deepseek/deepseek-v4-pro", "deepseek", 64],
    ["ollama/deepseek-v3", "ollama", 1],
    ["vllm/gpt-5.6-sol", "local", 1],
    ["lmstudio/gemini-3.5-flash", "local", 1],
    ["openai-compatible/claude-opus-5", "local", 1],
    ["groq/deepseek-v3", "groq", 128],
    ["us.anthropic.claude-opus-4-6-v1:0", "bedrock/claude-4096", 4096],
    ["anthropic.claude-sonnet-5-v1:0", "bedrock/claude", 1024],
    ["amazon-bedrock/anthropic.claude-3-5-haiku-20241022-v1:0", "bedrock/claude-2048", 2048],
    ["bedrock/anthropic.claude-mythos-preview-v1:0", "bedrock/claude-2048", 2048],
    ["xai/grok-4.6", "xai/grok", 128],
    ["groq/llama-4-70b", "groq", 128],
    ["ollama/qwen3", "ollama", 1],
    ["vllm/qwen3", "local", 1],
    ["Anthropic/Claude-Opus-5-5", "anthropic/claude-5.5", 512],
    ["nobody/knows", "unknown", 0],
  ])("%s: %s, from %i tokens", (model, id, minimum) => {
    expect(ruleFor(model)).toMatchObject({ id, minimum })
  })

  test("deepseek-flash reads at a fiftieth of the price", () => {
    expect(["deepseek-flash", "deepseek-v4-pro"].map((model) => ruleFor(model).read)).toEqual([0.02, 0.033])
  })

  test("no model means no cache", () => {
    expect(ruleFor(undefined)).toBe(NO_CACHE)
  })

  test("custom rows come before the bundled ones", () => {
    const own: CacheRule = { ...NO_CACHE, id: "own", models: "^acme/" }
    expect(ruleFor("acme/claude-opus-5", [own, ...CACHE_RULES])).toBe(own)
  })
})

describe("every row", () => {
  test.each(CACHE_RULES.map((rule) => [rule.id, rule] as const))("%s is complete", (_id, rule) => {
    expect(rule.source).toMatch(/^[a-z0-9.-]+\.[a-z]+\//)
    expect(rule.date).toMatch(/^20\d\d-\d\d(-\d\d)?$/)
    expect(rule.ttls.length).toBeGreaterThan(0)
    expect(rule.ttls.every(({ seconds, write }) => seconds > 0 && write >= 1)).toBe(true)
    expect(rule.ttls.map(({ seconds }) => seconds)).toEqual(
      rule.ttls.map(({ seconds }) => seconds).toSorted((a, b) => a - b),
    )
    expect(rule.read).toBeLessThan(1)
    expect(rule.lookup === "breakpoint").toBe(rule.breakpoints > 0)
    expect(rule.lookup === "breakpoint").toBe(rule.markable.length > 0)
  })

  test("has a unique id", () => {
    const ids = CACHE_RULES.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
