import { readFileSync } from "node:fs"
import { calcPrice, type ModelInfo, type Provider, waitForUpdate } from "@pydantic/genai-prices"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { PRICE_OVERRIDES, type PriceOverride } from "../../../src/record/prices/price-overrides.ts"
import { priceFor } from "../../../src/record/prices/prices.ts"
import { CACHE_RULES, LOCAL_SERVERS, ruleFor } from "../../../src/render/cache/cache-rules.ts"
import { costOf, inputOf, type Price, type Usage } from "../../../src/render/cache/price.ts"

const at = Date.parse("2026-11-15T12:00:00Z")
const library = { source: "npmjs.com/package/@pydantic/genai-prices/v/0.1.8", date: "2026-09-23" }
const claude = { source: "platform.claude.com/docs/en/about-claude/pricing", date: "2026-10-08" }

const sonnet55 = {
  model: "claude-sonnet-5-5",
  input: 2,
  output: 10,
  read: 0.1,
  write: { "5m": 2.5, "1h": 4 },
  ...claude,
}
const sonnet5 = {
  model: "claude-sonnet-5",
  input: 2,
  output: 10,
  read: 0.2,
  write: { "5m": 2.5, "1h": 4 },
  ...library,
}
const sol = {
  model: "gpt-5.6-sol",
  input: 4,
  output: 20,
  read: 0.4,
  write: { "30m": 5 },
  longer: [{ above: 271_999, input: 8, output: 30, read: 0.8, write: { "30m": 10 } }],
  source: "developers.openai.com/api/docs/models/gpt-5.6-sol",
  date: "2026-08-21",
}

describe("rows, whole", () => {
  const rows: readonly (readonly [model: string, price: Price | null])[] = [
    ["claude-sonnet-5-5", { ...sonnet55, estimated: false }],
    ["anthropic/Claude-Sonnet-5.5", { ...sonnet55, estimated: false }],
    [
      "claude-haiku-5-5",
      {
        model: "claude-haiku-5-5",
        estimated: false,
        input: 0.1,
        output: 0.5,
        read: 0.01,
        write: { "5m": 0.125, "1h": 0.2 },
        longer: [{ above: 100_000, input: 0.5, output: 2.5, read: 0.05, write: { "5m": 0.625, "1h": 1 } }],
        ...claude,
      },
    ],
    ["gpt-5.6-sol", { ...sol, estimated: false }],
    ["openai/gpt-5.6", { ...sol, estimated: false }],
    [
      "gpt-6.1-sol",
      {
        model: "gpt-6.1-sol",
        estimated: false,
        input: 2,
        output: 10,
        read: 0.1,
        longer: [{ above: 272_000, input: 4, output: 15, read: 0.2 }],
        source: "developers.openai.com/api/docs/models/gpt-6.1-sol",
        date: "2026-10-01",
      },
    ],
    ["CLAUDE-SONNET-5", { ...sonnet5, estimated: false }],
    ["claude-sonnet-5-20260701", { ...sonnet5, estimated: false }],
    [
      "claude-sonnet-4-20250514",
      {
        model: "claude-sonnet-4-0",
        estimated: false,
        input: 3,
        output: 15,
        read: 0.3,
        write: { "5m": 3.75, "1h": 6 },
        ...library,
      },
    ],
    [
      "gemini/gemini-2.5-pro",
      {
        model: "gemini-2.5-pro",
        estimated: false,
        input: 1.25,
        output: 10,
        read: 0.125,
        longer: [{ above: 200_000, input: 2.5, output: 15, read: 0.25 }],
        ...library,
      },
    ],
    [
      "openrouter/anthropic/claude-opus-5.5",
      {
        model: "anthropic/claude-opus-5.5",
        estimated: false,
        input: 4,
        output: 20,
        read: 0.2,
        write: { "5m": 5 },
        ...library,
      },
    ],
    [
      "bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0",
      {
        model: "regional.anthropic.claude-sonnet-4-5-20250929-v1:0",
        estimated: false,
        input: 3.3,
        output: 16.5,
        read: 0.33,
        write: { "5m": 4.125 },
        ...library,
      },
    ],
    [
      "amazon-bedrock/global.anthropic.claude-opus-4-8-v1:0",
      {
        model: "global.anthropic.claude-opus-4-8-v1:0",
        estimated: false,
        input: 5,
        output: 25,
        read: 0.5,
        write: { "5m": 6.25 },
        ...library,
      },
    ],
    [
      "fireworks/kimi-k3-fast",
      { model: "kimi-k3-fast", estimated: false, input: 4.5, output: 22.5, read: 0.45, ...library },
    ],
    [
      "groq/openai/gpt-oss-120b",
      { model: "openai/gpt-oss-120b", estimated: false, input: 0.15, output: 0.6, read: 0.075, ...library },
    ],
    [
      "openrouter/qwen/qwq-32b:free",
      { model: "qwen/qwq-32b:free", estimated: false, input: 0, output: 0, read: 0, ...library },
    ],
    [
      "ollama/qwen3:8b",
      {
        model: "ollama/qwen3:8b",
        estimated: false,
        input: 0,
        output: 0,
        read: 0,
        source: "runs on your own machine",
        date: "",
      },
    ],
  ]
  test.each(rows)("%s", (model, price) => {
    expect(priceFor(model, { at })).toEqual(price)
  })
})

test.each(LOCAL_SERVERS)("a local server costs nothing: %s", (server) => {
  expect(priceFor(`${server}/qwen3`, { at })?.input).toBe(0)
})

describe("estimates name the row that they were taken from", () => {
  test("a new version that the library takes for an old one", () => {
    const asked = calcPrice({}, "claude-sonnet-5-5", { providerId: "anthropic" })
    expect(asked?.model.id).toBe("claude-sonnet-5")
    expect(priceFor("claude-sonnet-5-5", { at })).toEqual({ ...sonnet55, estimated: false })
    expect(priceFor("claude-sonnet-5-7", { at })).toEqual({ ...sonnet5, estimated: true })
  })

  test("a snapshot of a model that only we list", () => {
    expect(priceFor("claude-sonnet-5-5-20260928", { at })).toEqual({ ...sonnet55, estimated: true })
  })

  test.each([
    "openrouter/anthropic/claude-sonnet-5.5",
    "bedrock/us.anthropic.claude-sonnet-5-5-v1:0",
    "azure/claude-sonnet-5-5",
  ])("another seller's: %s", (model) => {
    expect(priceFor(model, { at })).toEqual({ ...sonnet55, estimated: true })
  })

  test("a row that the library took from another provider", () => {
    expect(priceFor("azure/gpt-4o", { at })).toEqual({
      model: "gpt-4o",
      estimated: true,
      input: 2.5,
      output: 10,
      read: 1.25,
      ...library,
    })
  })

  test("an id of Bedrock without its provider", () => {
    expect(priceFor("anthropic.claude-sonnet-5-v1:0", { at })).toEqual({ ...sonnet5, estimated: true })
  })
})

test.each([
  "nothing",
  "",
  "/",
  "anthropic/nothing",
  "acme/claude-opus-5-5",
  "constructor/gpt-4o",
  "openai-compatible/gpt-4o",
  "ollama/gpt-oss:120b-cloud",
  "gpt-4o-2026-01-01",
  "claude-haiku-6",
  // By the call.
  "perplexity/sonar",
  // Nothing in the row: part of a subscription.
  "copilot/gpt-4o",
  // No price of output.
  "text-embedding-3-small",
  "whisper-1",
])("unknown is not 0: %j", (model) => {
  expect(priceFor(model, { at })).toBeNull()
})

describe("the price of the moment", () => {
  test("before a cut", () => {
    const { input, output, read, write, date } =
      priceFor("gpt-5.6-sol", { at: Date.parse("2026-08-20") }) ?? {}
    expect({ input, output, read, write, date }).toEqual({
      input: 5,
      output: 30,
      read: 0.5,
      write: { "30m": 6.25 },
      date: library.date,
    })
    expect(priceFor("gpt-5.6-sol", { at: Date.parse("2026-08-21") })).toEqual({ ...sol, estimated: false })
  })

  test("by the hour", () => {
    const inputAt = (time: string) =>
      priceFor("deepseek-v4-pro", { at: Date.parse(`2026-11-15T${time}Z`) })?.input
    expect(["00:59", "01:00", "03:59", "04:00"].map(inputAt)).toEqual([0.66, 1.32, 1.32, 0.66])
  })

  test("is now, if none is named", () => {
    expect(priceFor("o3")).toEqual(priceFor("o3", { at }))
  })
})

describe("overrides of the user", () => {
  const own: PriceOverride = {
    model: "claude-opus-5-5",
    input: 1,
    output: 2,
    source: "example.com",
    date: "2026-11-01",
  }

  test("win over ours, the library and the own machine", () => {
    const models = ["claude-opus-5-5", "gpt-4o", "ollama/qwen3:8b", "acme/Large"]
    for (const model of models) {
      const overrides = [{ ...own, model }]
      expect(priceFor(model, { at, overrides })).toEqual({ ...own, model, estimated: false })
    }
  })

  test("the maker's name may come before the id or not", () => {
    const expected = { ...own, estimated: false }
    expect(priceFor("anthropic/claude-opus-5-5", { at, overrides: [own] })).toEqual(expected)
    const named = { ...own, model: "anthropic/claude-opus-5-5" }
    expect(priceFor("claude-opus-5-5", { at, overrides: [named] })).toEqual({
      ...expected,
      model: named.model,
    })
  })

  test("another provider's model is not meant", () => {
    expect(priceFor("bedrock/claude-opus-5-5", { at, overrides: [own] })?.input).toBe(4.4)
  })

  test("aliases and the first day stay out of the price", () => {
    const overrides = [{ ...own, model: "acme/large", aliases: ["acme/big"], from: "2026-11-01" }]
    const price = { ...own, model: "acme/large", estimated: false }
    expect(priceFor("ACME/Big", { at, overrides })).toEqual(price)
    expect(priceFor("acme/big", { at: Date.parse("2026-10-31"), overrides })).toBeNull()
  })
})

describe("our own rows", () => {
  const ids = PRICE_OVERRIDES.flatMap(({ model, aliases = [] }) => [model, ...aliases])

  test("each id is in one row", () => {
    expect(ids).toEqual([...new Set(ids)])
  })

  test.each(PRICE_OVERRIDES)("$model has a source and a day", ({ source, date }) => {
    expect(new URL(`https://${source}`).pathname).toMatch(/^\/.+/)
    expect(new Date(date).toISOString().slice(0, 10)).toBe(date)
  })

  test.each(PRICE_OVERRIDES)("$model names lifetimes as the cache rule does", ({ model, write = {} }) => {
    const names = ruleFor(model).ttls.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(Object.keys(write)))
  })

  test("the library agrees wherever it has the model", () => {
    const unlisted = PRICE_OVERRIDES.filter(({ model }) => {
      const found = calcPrice({}, model, { timestamp: new Date(at) })
      if (found?.model.id !== model) return true
      check(found.provider, found.model, model)
      return false
    })
    expect(unlisted.map(({ model }) => model)).toEqual([
      "claude-sonnet-5-5",
      "claude-haiku-5-5",
      "gpt-6.1-sol",
    ])
  })
})

describe("figures that were verified by hand", () => {
  test("Opus 5.5: 90,000 read, 1,000 written for 5 minutes, 4,000 for an hour, 100 fresh", () => {
    const usage = { uncached: 100, read: 90_000, write: { "5m": 1000, "1h": 4000 }, output: 0 }
    expect(costOf(usage, priceFor("claude-opus-5-5", { at }))).toBe(0.0554)
  })

  test("gpt-5.6-sol: 10,000 read, 100 written, 250 fresh", () => {
    const usage = { uncached: 250, read: 10_000, write: { "30m": 100 }, output: 0 }
    expect(costOf(usage, priceFor("gpt-5.6-sol", { at }))).toBe(0.0055)
  })

  test("o3 became cheaper", () => {
    const inputAt = (day: string) => priceFor("o3", { at: Date.parse(day) })?.input
    expect([inputAt("2025-06-01"), inputAt("2025-07-01")]).toEqual([10, 2])
  })

  test("gpt-6.1-sol: what it costs to write is not known", () => {
    const price = priceFor("gpt-6.1-sol", { at })
    expect(costOf({ uncached: 1000, read: 10_000, write: {}, output: 100 }, price)).toBe(0.004)
    expect(costOf({ uncached: 1000, read: 0, write: { "30m": 1 }, output: 100 }, price)).toBeNull()
  })
})

/** Every kind of token that the row prices, with inputs on both sides of every tier. */
function usagesFor({ read, write = {} }: Price): fc.Arbitrary<Usage> {
  const tokens = fc.oneof(fc.nat(1000), fc.nat(400_000), fc.constantFrom(0, 200_000, 271_999, 272_000))
  return fc.record({
    uncached: tokens,
    read: read === undefined ? fc.constant(0) : tokens,
    write: fc.record(Object.fromEntries(Object.keys(write).map((ttl) => [ttl, tokens]))),
    output: tokens,
  })
}

/** Our arithmetic on our row is the library's on its own, at any time. */
function check(provider: Provider, model: ModelInfo, id: string): void {
  const times = fc.integer({ min: Date.parse("2025-01-01"), max: Date.parse("2027-12-31") })
  const cases = times.chain((time) => {
    const price = priceFor(id, { at: time })
    return price === null
      ? fc.constant(undefined)
      : fc.record({ time: fc.constant(time), usage: usagesFor(price) })
  })
  const single = { ...provider, models: [{ ...model, match: { equals: model.id } }] }
  const property = fc.property(cases, (sample) => {
    if (sample === undefined) return
    const { time, usage } = sample
    const written = Object.values(usage.write).reduce((sum, tokens) => sum + tokens, 0)
    const reported = {
      input_tokens: inputOf(usage),
      cache_read_tokens: usage.read,
      cache_write_tokens: written,
      cache_write_1h_tokens: usage.write["1h"] ?? 0,
      output_tokens: usage.output,
    }
    const theirs = calcPrice(reported, model.id, { provider: single, timestamp: new Date(time) })?.total_price
    const ours = costOf(usage, priceFor(id, { at: time }))
    const difference = Math.abs((ours ?? Number.NaN) - (theirs ?? Number.NaN))
    if (!(difference <= 1e-9 * Math.max(1, ours ?? 0))) throw new Error(`${id}: ${ours}, not ${theirs}`)
  })
  fc.assert(property, { seed: 7, numRuns: 20 })
}

describe("the library's whole table", async () => {
  const providers = (await waitForUpdate()) ?? []
  const all = providers.flatMap((provider) =>
    provider.models.map((model) => {
      const seller = provider.id === "aws" ? "bedrock" : provider.id
      const id = `${seller}/${model.id}`
      return { provider, model, id, price: priceFor(id, { at }) }
    }),
  )
  const pricesOf = ({ prices }: ModelInfo) =>
    Array.isArray(prices) ? prices.map((row) => row.prices) : [prices]
  const has = (model: ModelInfo, key: RegExp) =>
    pricesOf(model).some((prices) => Object.keys(prices).some((name) => key.test(name)))

  test.each(providers.map(({ id }) => id))("costs the same here and there: %s", (seller) => {
    for (const { provider, model, id } of all.filter(({ provider: { id } }) => id === seller))
      check(provider, model, id)
  })

  test("nearly every row can be had by its own id", () => {
    const priced = all.filter(({ price }) => price !== null)
    expect([all.length, priced.length]).toEqual([1694, 1613])
    const renamed = priced.filter(({ model, price }) => price?.model !== model.id)
    expect(renamed.map(({ id }) => id)).toEqual([])
  })

  test("no price is made of a row without rates, or with one that is not by the token", () => {
    const unpriced = all.filter(({ price }) => price === null)
    const unexplained = unpriced.filter(
      ({ model }) =>
        has(model, /^input_mtok$/) && has(model, /^output_mtok$/) && !has(model, /^requests_kcount$/),
    )
    expect(unexplained.map(({ id }) => id)).toEqual([])
  })

  test("0 is only for what is called free", () => {
    const free = all.filter(({ price }) => price?.input === 0 && price.output === 0)
    expect(free.filter(({ id }) => !id.endsWith(":free")).map(({ id }) => id)).toEqual([])
  })

  test("output at several prices makes an estimate, other input does not", () => {
    const estimated = all.filter(({ price }) => price?.estimated)
    const expected = all.filter(({ model, price }) => price !== null && has(model, /^output_.+_mtok$/))
    expect(estimated.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
    expect(estimated).toHaveLength(20)
    expect(priceFor("gemini-2.5-flash", { at })?.estimated).toBe(false)
  })

  test("writes have the names of lifetimes that are marked", () => {
    const marked = CACHE_RULES.filter(({ lookup }) => lookup === "breakpoint")
    const names = marked.flatMap(({ ttls }) => ttls.map(({ name }) => name))
    const used = all.flatMap(({ price }) => Object.keys(price?.write ?? {}))
    expect([...new Set(used)].sort()).toEqual([...new Set(names)].sort())
  })

  test("is that of the version that the rows name", () => {
    const { version } = JSON.parse(readFileSync("node_modules/@pydantic/genai-prices/package.json", "utf8"))
    expect(library.source).toMatch(new RegExp(`/v/${version}$`))
  })
})
