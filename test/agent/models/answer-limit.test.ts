// The longest answer that is asked for: by model, within the window, and never less than what is kept free for it.
import { expect, test } from "vitest"
import { answerLimit, takenBy } from "../../../src/agent/models/answer-limit.ts"
import type { BudgetReport } from "../../../src/core/fit/budget.ts"
import { outputLimit } from "../../../src/render/formats/output-limit.ts"

test.each([
  ["anthropic/claude-sonnet-5-5", 32_000],
  ["claude-opus-4-1-20250805", 32_000],
  ["bedrock/global.anthropic.claude-sonnet-4-5-20250929-v1:0", 32_000],
  ["openrouter/anthropic/claude-3-5-haiku", 8_192],
  ["claude-3-haiku-20240307", 4_096],
  ["openai/gpt-5.6-sol", 32_000],
  ["openai/gpt-4o-mini", 16_384],
  ["openai/gpt-4-turbo", 4_096],
  ["openai/gpt-4.1", 32_000],
  ["openai/o3", 32_000],
  ["google/gemini-3.5-flash", 32_000],
  ["google/gemini-2.0-flash", 8_192],
  ["ollama/qwen3", undefined],
])("%s: %s", (model, tokens) => {
  expect(outputLimit(model)).toBe(tokens)
})

function budget(conversation: number, more: Partial<BudgetReport> = {}): BudgetReport {
  const used = { limit: 10_000, used: 1_000 }
  const limits = { window: 200_000, reserve: 4_096, tools: 3_000, head: used, tail: used }
  return { ...limits, conversation, counter: "o200k", factor: 1, exact: true, ...more }
}

test.each([
  ["a short conversation", "claude-sonnet-5-5", budget(10_000), 32_000],
  ["little room", "claude-sonnet-5-5", budget(170_000), 25_000],
  ["a small window", "claude-sonnet-5-5", budget(1_000, { window: 24_000 }), 7_081],
  ["no room but the reserve", "claude-sonnet-5-5", budget(199_000), 4_096],
  ["a larger reserve", "claude-sonnet-5-5", budget(10_000, { reserve: 64_000 }), 64_000],
  ["a model that is not known", "ollama/qwen3", budget(10_000), 4_096],
])("%s", (_name, model, given, tokens) => {
  expect(answerLimit(model, takenBy(given))).toBe(tokens)
})
