// Which factor each model id gets, side by side, and how a total is rounded.
import { expect, test } from "vitest"
import { factorFor } from "../../src/tokens/factor.ts"

const EXACT = [
  "gpt-4o",
  "gpt-4o-mini-2024-07-18",
  "gpt-4.1-nano",
  "o1",
  "o3-mini",
  "o4-mini",
  "gpt-5",
  "gpt-5.2-codex",
  "gpt-6.1",
  "chatgpt-4o-latest",
  "openai/gpt-5.1",
  "OpenRouter/OpenAI/GPT-4o",
  "ft:gpt-4o-mini:acme::abc123",
]
const CLAUDE_OLD = [
  "claude-2.1",
  "claude-3-5-sonnet-20241022",
  "claude-3-opus-latest",
  "claude-opus-4-20250514",
  "claude-sonnet-4",
  "claude-opus-4-1@20250805",
  "claude-haiku-4-5-20251001",
  "anthropic/claude-sonnet-4.6",
  "us.anthropic.claude-opus-4-6-20260101-v1:0",
]
const CLAUDE_NEW = [
  "claude-opus-4-7",
  "claude-opus-4.7-20260401",
  "Anthropic/Claude-Opus-4.8",
  "claude-opus-4-10",
  "claude-sonnet-5",
  "claude-sonnet-5-5-20261001",
  "claude-haiku-5.5",
  "claude-opus-5",
  "claude-opus-5-5",
  "claude-fable-1",
  "claude-mythos-preview",
  "claude-sonnet-latest",
]
const UNKNOWN = [
  "gpt-4",
  "gpt-3.5-turbo",
  "o365",
  "gemini-3-pro",
  "llama-4",
  "gpt-oss-120b",
  "my-claude-like",
  "",
  undefined,
]

test("counts the models of OpenAI since GPT-4o exactly", () => {
  const factor = { factor: 1, exact: true, source: "the model's own encoding", date: "2026-11" }
  expect(EXACT.map((model) => [model, factorFor(model)])).toEqual(EXACT.map((model) => [model, factor]))
})

test("estimates Claude up to 4.6 and from 4.7 on by quoted calibrations", () => {
  const source = "public calibration, github.com/sammcj/ingest#65, quoted and not verified"
  const old = { factor: 1.18, exact: false, source, date: "2026-08" }
  const late = { factor: 1.53, exact: false, source, date: "2026-08" }
  expect(CLAUDE_OLD.map((model) => [model, factorFor(model)])).toEqual(
    CLAUDE_OLD.map((model) => [model, old]),
  )
  expect(CLAUDE_NEW.map((model) => [model, factorFor(model)])).toEqual(
    CLAUDE_NEW.map((model) => [model, late]),
  )
})

test("uses the o200k count for any other model, and marks it as an estimate", () => {
  const factor = { factor: 1, exact: false, source: "no calibration known" }
  expect(UNKNOWN.map((model) => [model, factorFor(model)])).toEqual(UNKNOWN.map((model) => [model, factor]))
})
