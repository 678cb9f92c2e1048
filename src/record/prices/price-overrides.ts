// Prices that we checked ourselves, as dated data (a table; exempt from the line limit). A row exists because the
// library lacks the model, or because we publish figures based on its price. Rows hold only published prices: if the
// price for a kind of token was not found, the row has no rate for it.
import type { Price } from "../../render/cache/price.ts"

/** A price of your own for a model. */
export interface PriceOverride extends Omit<Price, "estimated"> {
  /** `provider/model`; without a provider, the model's maker. */
  readonly model: string
  /** Other ids of the same model at the same price. */
  readonly aliases?: readonly string[]
  /** The first day of this price, in UTC. The row does not apply before. */
  readonly from?: string
}

const CLAUDE = { source: "platform.claude.com/docs/en/about-claude/pricing", date: "2026-10-08" } as const

export const PRICE_OVERRIDES: readonly PriceOverride[] = [
  {
    model: "claude-opus-5-5",
    aliases: ["claude-opus-5.5"],
    input: 4,
    output: 20,
    read: 0.2,
    write: { "5m": 5, "1h": 8 },
    ...CLAUDE,
  },
  {
    model: "claude-sonnet-5-5",
    aliases: ["claude-sonnet-5.5"],
    input: 2,
    output: 10,
    read: 0.1,
    write: { "5m": 2.5, "1h": 4 },
    ...CLAUDE,
  },
  {
    model: "claude-haiku-5-5",
    aliases: ["claude-haiku-5.5"],
    input: 0.1,
    output: 0.5,
    read: 0.01,
    write: { "5m": 0.125, "1h": 0.2 },
    longer: [{ above: 100_000, input: 0.5, output: 2.5, read: 0.05, write: { "5m": 0.625, "1h": 1 } }],
    ...CLAUDE,
  },
  {
    model: "claude-opus-5",
    aliases: ["claude-opus-5.0"],
    input: 5,
    output: 25,
    read: 0.5,
    write: { "5m": 6.25, "1h": 10 },
    ...CLAUDE,
  },
  {
    model: "claude-fable-5-1",
    aliases: ["claude-fable-5.1"],
    input: 10,
    output: 50,
    read: 0.25,
    write: { "5m": 12.5, "1h": 20 },
    ...CLAUDE,
  },
  {
    model: "gpt-6.1-sol",
    aliases: ["gpt-6.1-sol-2026-09-29"],
    input: 2,
    output: 10,
    read: 0.1,
    longer: [{ above: 272_000, input: 4, output: 15, read: 0.2 }],
    source: "developers.openai.com/api/docs/models/gpt-6.1-sol",
    date: "2026-10-01",
  },
  {
    model: "gpt-5.6-sol",
    aliases: ["gpt-5.6"],
    // OpenAI calls it promotional, for at least until 2026-11-21.
    from: "2026-08-21",
    input: 4,
    output: 20,
    read: 0.4,
    write: { "30m": 5 },
    // The standard rates apply below 272,000 tokens.
    longer: [{ above: 271_999, input: 8, output: 30, read: 0.8, write: { "30m": 10 } }],
    source: "developers.openai.com/api/docs/models/gpt-5.6-sol",
    date: "2026-08-21",
  },
]
