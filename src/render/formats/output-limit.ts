// The longest answer by model, as dated data. A limit that is too small cuts calls off in the middle; one above the
// model's own is refused. Vendors count reasoning as part of an answer.

/** Enough for a long file and the reasoning about it. Longer answers are rarely intended. */
const USUAL = 32_000

interface LimitRow {
  /** Tested against the bare model id, in lower case; the first match wins. */
  readonly models: RegExp
  readonly tokens: number
}

/**
 * Looked up in November 2026: Claude from 3 Haiku and 4 on in the tables of @ai-sdk/anthropic, Gemini 2.0 on Google's
 * model page. The other rows are commonly stated limits and were not verified.
 */
const LIMITS: readonly LimitRow[] = [
  { models: /claude-3-5/, tokens: 8_192 },
  { models: /claude-(?:3-(?:opus|sonnet|haiku)|instant|v?2)/, tokens: 4_096 },
  { models: /claude-/, tokens: USUAL },
  { models: /^(?:ft:)?gpt-(?:3\.5|4(?![.o]))/, tokens: 4_096 },
  { models: /^(?:ft:)?(?:gpt-4o|chatgpt-4o)/, tokens: 16_384 },
  { models: /^(?:ft:)?(?:gpt-4\.1|gpt-[5-9]|o[1-9](?![a-z0-9]))/, tokens: USUAL },
  { models: /^gemini-(?:1|2\.0)/, tokens: 8_192 },
  { models: /^gemini-/, tokens: USUAL },
  { models: /^amazon\.nova-|^(?:us|eu|apac|global)\.amazon\.nova-/, tokens: 5_000 },
]

/** In the model's tokens. Returns undefined for an unknown model: a local server may accept only a low limit. */
export function outputLimit(model: string): number | undefined {
  const id = model.toLowerCase().split("/").at(-1) ?? ""
  return LIMITS.find(({ models }) => models.test(id))?.tokens
}
