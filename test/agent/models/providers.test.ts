import { describe, expect, test } from "vitest"
import { openModel } from "../../../src/agent/models/models.ts"
import { missingKey, providerFor, providersOf, urlOf } from "../../../src/agent/models/providers.ts"
import { sdkModel } from "../../../src/agent/models/sdk-model.ts"
import { IncipitError } from "../../../src/base/error.ts"
import type { Config } from "../../../src/sources/config/config-schema.ts"
import { toolFormatOf } from "../../../src/workspace/tool-format.ts"

const LAB: Config = { providers: { lab: { url: "http://lab:8000/v1", key: "LAB_KEY", tools: "fallback" } } }

/** The code and the message of what a call fails with. */
async function failure(act: () => unknown): Promise<readonly unknown[]> {
  try {
    await act()
  } catch (error) {
    if (error instanceof IncipitError) return [error.code, error.message]
    throw error
  }
  return []
}

test.each([
  ["anthropic/claude-sonnet-5-5", {}, "ANTHROPIC_API_KEY"],
  ["openai/gpt-5.6-sol", { OPENAI_API_KEY: "" }, "OPENAI_API_KEY"],
  ["google/gemini-3.5-flash", {}, "GOOGLE_GENERATIVE_AI_API_KEY, or GEMINI_API_KEY"],
  [
    "bedrock/anthropic.claude",
    {},
    "AWS_REGION and AWS_BEARER_TOKEN_BEDROCK, or AWS_REGION and AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
  ],
  [
    "amazon-bedrock/anthropic.claude",
    { AWS_REGION: "eu-north-1", AWS_ACCESS_KEY_ID: "a" },
    "AWS_BEARER_TOKEN_BEDROCK, or AWS_SECRET_ACCESS_KEY",
  ],
  ["lab/any", {}, "LAB_KEY"],
])("%s with %j says which key it needs", async (id, env, needs) => {
  expect(await failure(() => openModel(id, { env, config: LAB }))).toEqual(["no-key", `${id} needs ${needs}`])
})

const KNOWN = "(there are anthropic, openai, google, bedrock, ollama, lab)"

test.each([
  ["nobody/model", `there is no provider nobody ${KNOWN}`],
  ["antropic/claude-sonnet-5-5", "there is no provider antropic; did you mean anthropic?"],
  ["anthropic/", "it names a provider, but no model of it"],
  ["anthropic", `it names no provider ${KNOWN}`],
  ["llama", `it names no provider ${KNOWN}`],
  ["/x", `it names no provider ${KNOWN}`],
  ["", `it names no provider ${KNOWN}`],
])("%j is no model, and it is said why", async (id, why) => {
  expect(await failure(() => openModel(id, { env: {}, config: LAB }))).toEqual([
    "unknown-model",
    `unknown model "${id}": ${why}`,
  ])
})

test.each(["openai", "amazon-bedrock", "offline", "a/b"])(
  "a custom provider cannot be called %s",
  async (name) => {
    const config = { providers: { [name]: { url: "http://lab/v1" } } }
    expect(await failure(() => providersOf(config))).toEqual([
      "bad-configuration",
      `providers.${name}: a provider cannot have this name`,
    ])
  },
)

describe("where a provider is", () => {
  const at = (name: string, env: Record<string, string>) => urlOf(providerFor(`${name}/x`, LAB).provider, env)

  test.each([
    [
      "anthropic",
      { ANTHROPIC_BASE_URL: "https://gateway.example/claude" },
      "https://gateway.example/claude/v1",
    ],
    ["anthropic", { ANTHROPIC_BASE_URL: "https://api.anthropic.com/v1/" }, "https://api.anthropic.com/v1"],
    ["openai", { OPENAI_BASE_URL: "http://127.0.0.1:4000/v1" }, "http://127.0.0.1:4000/v1"],
    ["google", { GOOGLE_GEMINI_BASE_URL: "http://127.0.0.1:4000" }, "http://127.0.0.1:4000/v1beta"],
    ["bedrock", { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: "http://127.0.0.1:4000" }, "http://127.0.0.1:4000"],
    ["ollama", { OLLAMA_HOST: "gpu" }, "http://gpu:11434/v1"],
    ["ollama", { OLLAMA_HOST: "gpu:1234" }, "http://gpu:1234/v1"],
    ["ollama", { OLLAMA_HOST: "0.0.0.0" }, "http://127.0.0.1:11434/v1"],
    ["ollama", { OLLAMA_HOST: ":1234" }, "http://127.0.0.1:1234/v1"],
    ["ollama", { OLLAMA_HOST: "https://gpu.example/" }, "https://gpu.example/v1"],
    ["ollama", { OLLAMA_HOST: "[::1]" }, "http://[::1]:11434/v1"],
  ])("%s with %j", (name, env, url) => {
    expect(at(name, env)).toEqual({ url, isSet: true })
  })

  test("its own place if nothing is set", () => {
    const homes = providersOf(LAB).map((row) => [row.name, urlOf(row, { OLLAMA_HOST: "" })])
    expect(homes).toEqual([
      ["anthropic", { url: "https://api.anthropic.com/v1", isSet: false }],
      ["openai", { url: "https://api.openai.com/v1", isSet: false }],
      ["google", { url: "https://generativelanguage.googleapis.com/v1beta", isSet: false }],
      ["bedrock", { url: undefined, isSet: false }],
      ["ollama", { url: "http://127.0.0.1:11434/v1", isSet: false }],
      ["lab", { url: "http://lab:8000/v1", isSet: false }],
    ])
  })

  test.each(["file:///etc/passwd", "gateway"])("%s is no address", async (OPENAI_BASE_URL) => {
    expect(await failure(() => at("openai", { OPENAI_BASE_URL }))).toEqual([
      "bad-configuration",
      `OPENAI_BASE_URL is "${OPENAI_BASE_URL}", which is not a URL`,
    ])
  })
})

test("Bedrock is opened with either kind of key", async () => {
  const id = "bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0"
  const sent: string[] = []
  const keeping: typeof fetch = async (url, init) => {
    sent.push(
      `${new URL(String(url)).host} ${new Headers(init?.headers).get("authorization")?.split(/[ /]/)[0]}`,
    )
    return new Response("{}", { status: 500 })
  }
  const keys = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", AWS_SESSION_TOKEN: "c" }
  for (const env of [keys, { AWS_BEARER_TOKEN_BEDROCK: "t" }]) {
    const model = await openModel(id, { env: { AWS_REGION: "eu-north-1", ...env }, config: {} })
    const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "Hello." }] }]
    await expect(sdkModel(model, keeping).doStream({ prompt })).rejects.toThrow()
  }
  expect(sent).toEqual([
    "bedrock-runtime.eu-north-1.amazonaws.com AWS4-HMAC-SHA256",
    "bedrock-runtime.eu-north-1.amazonaws.com Bearer",
  ])
})

test("the default of every provider is a model of its own that the key opens", () => {
  const defaults = providersOf({}).map(({ name, model }) => providerFor(`${name}/${model}`, {}))
  expect(defaults.map(({ provider, name }) => [provider.name, name])).toEqual([
    ["anthropic", "claude-sonnet-5-5"],
    ["openai", "gpt-5.6-sol"],
    ["google", "gemini-3.5-flash"],
    ["bedrock", "global.anthropic.claude-sonnet-4-5-20250929-v1:0"],
    ["ollama", "qwen3"],
  ])
  expect(defaults.map(({ provider }) => missingKey(provider, {}) === undefined)).toEqual([
    false,
    false,
    false,
    false,
    true,
  ])
})

test.each([
  ["anthropic/claude-sonnet-5-5", {}, "native"],
  ["ollama/gemma3:4b", {}, "fallback"],
  ["ollama/llama2", {}, "fallback"],
  ["ollama/llama3.2", {}, "native"],
  ["ollama/gemma3:4b", { tool_format: "native" }, "native"],
  ["google/gemma-3-27b-it", {}, "fallback"],
  ["openai/o1-mini", {}, "fallback"],
  ["openai/o1", {}, "native"],
  ["lab/any", LAB, "fallback"],
  ["laboratory/any", LAB, "native"],
  ["lab/any", { ...LAB, tool_format: "native" }, "native"],
  [undefined, {}, "native"],
] as const)("tools reach %s with %j as %s", (model, config, format) => {
  expect(toolFormatOf(model, config)).toBe(format)
})
