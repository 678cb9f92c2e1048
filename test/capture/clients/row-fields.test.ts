import { expect, test } from "vitest"
import { modelName, timeAt, tokensAt } from "../../../src/capture/clients/row-fields.ts"
import { priceFor } from "../../../src/record/prices/prices.ts"

test("a gateway's own name does not take a model's price away, and a local server stays one", () => {
  const names = [
    modelName("my-gateway", "gpt-5.5"),
    modelName("openai-codex", "gpt-5.5"),
    modelName("openai", "gpt-5.5"),
    modelName("ollama", "gpt-oss:20b"),
    modelName("my-vllm", "qwen3-coder"),
    modelName(undefined, "claude-sonnet-4-5"),
    modelName("openrouter", "openrouter/auto"),
  ]
  expect(names).toEqual([
    ...["gpt-5.5", "gpt-5.5", "openai/gpt-5.5", "ollama/gpt-oss:20b", "my-vllm/qwen3-coder"],
    ...["claude-sonnet-4-5", "openrouter/auto"],
  ])
  expect(names.map((name) => priceFor(name)?.input)).toEqual([5, 5, 5, 0, undefined, 3, undefined])
})

test("a field of the wrong kind is taken for missing", () => {
  const row = { a: "7", b: -3, c: 2.9, d: Number.NaN, e: 8 }
  expect(["a", "b", "c", "d", "e", "f"].map((key) => tokensAt(row, key))).toEqual([0, 0, 2, 0, 8, 0])
  expect(["g", "h", "i"].map((key) => timeAt({ g: "2026-11-18T12:00:00Z", h: "soon", i: 5 }, key))).toEqual([
    Date.UTC(2026, 10, 18, 12),
    undefined,
    5,
  ])
})
