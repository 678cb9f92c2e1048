// How many of a model's tokens one o200k token is, as dated data. Sections are counted once, in o200k, which is exact
// and additive. The factor is applied to the total, so another model needs no recount.
import type { Ratio } from "../core/fit/budget.ts"

/** The model's tokens per o200k token. Exact only if the model's own encoding is o200k. */
export interface Factor extends Ratio {
  readonly source: string
  /** When the source was looked up. */
  readonly date?: string
}

interface FactorRow extends Factor {
  /** Tested against the bare model id, in lower case. */
  readonly models: RegExp
}

const CLAUDE_SOURCE = "public calibration, github.com/sammcj/ingest#65, quoted and not verified"

/** The first matching row wins. */
const FACTORS: readonly FactorRow[] = [
  {
    models: /^(?:ft:)?(?:gpt-4o|gpt-4\.1|gpt-[56]|chatgpt-|o[134](?![a-z0-9]))/,
    factor: 1,
    exact: true,
    source: "the model's own encoding",
    date: "2026-11",
  },
  {
    // Up to 4.6. A longer number after the 4 is a date, not a minor version.
    models: /(?:^|\.)claude-(?:(?:opus|sonnet|haiku|instant)-)?(?:[1-3]|4(?![-.](?:[7-9]|\d\d)(?!\d)))(?!\d)/,
    factor: 1.18,
    exact: false,
    source: CLAUDE_SOURCE,
    date: "2026-08",
  },
  {
    // Opus 4.7 and all later families. A Claude without a number is assumed to be a late one, which overestimates
    // rather than underestimates.
    models: /(?:^|\.)claude-/,
    factor: 1.53,
    exact: false,
    source: CLAUDE_SOURCE,
    date: "2026-08",
  },
]

const UNKNOWN: Factor = { factor: 1, exact: false, source: "no calibration known" }

/**
 * How many tokens a model takes for one counted token. Accepts bare ids (`gpt-5.2`) and ids with a provider
 * (`openrouter/anthropic/claude-opus-5`), in any case.
 */
export function factorFor(model: string | undefined): Factor {
  const id = model?.toLowerCase().split("/").at(-1) ?? ""
  const row = FACTORS.find(({ models }) => models.test(id))
  if (row === undefined) return UNKNOWN
  const { models: _, ...factor } = row
  return factor
}
