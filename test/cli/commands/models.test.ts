// Which model would answer and what is there of each provider, as a person sees it; keys are in no output.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { warmIncipit as incipit, transcript } from "../run.ts"

const folder = mkdtempSync(join(tmpdir(), "incipit-models-"))
afterAll(() => rmSync(folder, { recursive: true }))

const SECRET = "sk-very-secret"

function workspace(name: string, config?: string): string {
  const path = join(folder, name)
  mkdirSync(path, { recursive: true })
  if (config !== undefined) writeFileSync(join(path, "incipit.yaml"), config)
  return path
}

const LAB = `model: lab/claude-sonnet-5-5
tool_format: fallback
providers:
  lab:
    url: http://127.0.0.1:8000/v1
    key: LAB_KEY
  shed:
    url: http://shed:8000/v1
`

const CASES: readonly {
  readonly name: string
  readonly config?: string
  readonly args?: readonly string[]
  readonly env?: Record<string, string>
}[] = [
  { name: "empty" },
  {
    name: "one-key",
    env: { OPENAI_API_KEY: SECRET, OPENAI_BASE_URL: `http://me:${SECRET}@127.0.0.1:4000/v1` },
  },
  { name: "key-missing", config: "model: anthropic/claude-opus-5-5\n", env: { OPENAI_API_KEY: SECRET } },
  {
    name: "from-variable",
    config: "model: anthropic/claude-opus-5-5\n",
    env: { INCIPIT_MODEL: "ollama/gemma3", OLLAMA_HOST: "gpu" },
  },
  { name: "own-providers", config: LAB, env: { LAB_KEY: SECRET } },
  { name: "json", config: LAB, args: ["--json"], env: { GEMINI_API_KEY: SECRET } },
  { name: "flag-without-key", config: LAB, args: ["--model", "openai/gpt-5.6-sol"] },
  { name: "flag-unknown", args: ["--model", "nobody/x"] },
  { name: "offline", args: ["--model", "offline/anthropic/claude-opus-5-5"] },
  { name: "name-taken", config: "providers: { openai: { url: http://127.0.0.1:1/v1 } }\n" },
  { name: "key-itself", config: `providers: { lab: { url: http://127.0.0.1:1/v1, key: ${SECRET} } }\n` },
  { name: "no-address", config: "providers: { lab: { url: lab } }\n" },
]

test.each(CASES)("$name", async ({ name, config, args = [], env = {} }) => {
  const cwd = workspace(name, config)
  const ran = incipit(["models", ...args], { cwd, env })
  const text = transcript(["models", ...args], ran).replaceAll(folder, "DIR")
  expect(text).not.toContain(SECRET)
  if (!args.includes("--json"))
    expect(Math.max(...ran.stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80)
  await expect(text).toMatchFileSnapshot(`../../golden/cli/models-${name}.txt`)
})

test("tools are written into the prompt of a model that is known to have no tool calling", () => {
  const cwd = workspace("fallback", "model: ollama/gemma3\n")
  const now = ["--now", "2026-06-15T07:00:00Z"]
  const told = (...args: readonly string[]) => incipit(["build", "--text", ...now, ...args], { cwd }).stdout
  const native = told("--model", "ollama/qwen3")
  expect(told()).toBe(told("--tool-format", "fallback"))
  expect(told()).not.toBe(native)
  expect(told("--tool-format", "native")).toBe(told("--tool-format", "native", "--model", "ollama/gemma3"))
})
