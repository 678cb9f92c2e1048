import { describe, expect, test } from "vitest"
import { chooseModel } from "../../../src/agent/models/choose-model.ts"
import type { Config } from "../../../src/sources/config/config-schema.ts"

const CLAUDE = "anthropic/claude-opus-5-5"
const config: Config = {
  providers: { lab: { url: "http://lab/v1", key: "LAB_KEY" }, shed: { url: "http://shed/v1" } },
}

describe("a model that is asked for", () => {
  test("answers, whatever is configured", () => {
    const env = { ANTHROPIC_API_KEY: "k" }
    expect(chooseModel({ wanted: CLAUDE, configured: "openai/gpt-5.6-sol", env, config })).toEqual({
      kind: "model",
      id: CLAUDE,
      why: "it was asked for",
    })
    expect(chooseModel({ wanted: "shed/any", env: {}, config })).toEqual({
      kind: "model",
      id: "shed/any",
      why: "it was asked for",
    })
  })

  test("must work", () => {
    expect(() => chooseModel({ wanted: CLAUDE, env: { OPENAI_API_KEY: "k" }, config })).toThrow(
      `${CLAUDE} needs ANTHROPIC_API_KEY`,
    )
    expect(() => chooseModel({ wanted: "nobody/x", env: {}, config })).toThrow('unknown model "nobody/x"')
  })

  test.each(["offline", "offline/anthropic/claude-opus-5-5"])("can be %s", (wanted) => {
    const env = { ANTHROPIC_API_KEY: "k" }
    expect(chooseModel({ wanted, env, config })).toEqual({
      kind: "offline",
      id: wanted,
      why: "it was asked for",
    })
  })
})

describe("a model that is configured", () => {
  test("answers if its key is there", () => {
    expect(chooseModel({ configured: "lab/any", env: { LAB_KEY: "k" }, config })).toEqual({
      kind: "model",
      id: "lab/any",
      why: "it is configured",
    })
  })

  test("gives way to nobody else without its key", () => {
    const env = { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "" }
    expect(chooseModel({ configured: CLAUDE, env, config })).toEqual({
      kind: "offline",
      why: `${CLAUDE} needs ANTHROPIC_API_KEY`,
      missing: { key: "ANTHROPIC_API_KEY", model: CLAUDE },
    })
  })

  test("must be one that there is", () => {
    expect(() => chooseModel({ configured: "nobody/x", env: {}, config })).toThrow('unknown model "nobody/x"')
  })
})

describe("no model", () => {
  test.each([
    [
      { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" },
      "anthropic/claude-sonnet-5-5",
      "ANTHROPIC_API_KEY is set",
    ],
    [{ OPENAI_API_KEY: "k", GEMINI_API_KEY: "k" }, "openai/gpt-5.6-sol", "OPENAI_API_KEY is set"],
    [{ GEMINI_API_KEY: "k", LAB_KEY: "k" }, "google/gemini-3.5-flash", "GEMINI_API_KEY is set"],
    [
      { AWS_REGION: "eu-north-1", AWS_BEARER_TOKEN_BEDROCK: "k" },
      "bedrock/global.anthropic.claude-sonnet-4-5-20250929-v1:0",
      "AWS_BEARER_TOKEN_BEDROCK is set",
    ],
  ])("with %j is %s", (env, id, why) => {
    expect(chooseModel({ env, config })).toEqual({ kind: "model", id, why })
  })

  test.each([{}, { LAB_KEY: "k" }, { AWS_REGION: "eu-north-1" }, { OLLAMA_HOST: "gpu" }])(
    "with %j is offline: a server without a key may not be there",
    (env) => {
      expect(chooseModel({ env, config })).toEqual({
        kind: "offline",
        why: "no model is configured and no API key is set",
        missing: { key: "ANTHROPIC_API_KEY", model: "anthropic/claude-sonnet-5-5" },
      })
    },
  )
})
