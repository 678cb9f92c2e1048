// How long one answer may be, by model, as dated data. A limit that is too small cuts calls in the middle; one that is
// larger than the model's own is refused. Makers count thoughts as part of an answer.

/** Enough for a long file and the thoughts about it; what a model could write beyond that is rarely meant. */
const USUAL = 32_000

interface LimitRow {
  /** Tried on the bare model id, in lower case; the first that matches counts. */
  readonly models: RegExp
  readonly tokens: number
}

/**
 * Looked up in November 2026: Claude from 3 Haiku and 4 on in the tables of @ai-sdk/anthropic, Gemini 2.0 in Google's
 * model page. The other rows are the limits as they are commonly stated, and were not verified.
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

/** In the model's tokens. Nothing for a model that is not known: a server on one's own machine may take little. */
export function outputLimit(model: string): number | undefined {
  const id = model.toLowerCase().split("/").at(-1) ?? ""
  return LIMITS.find(({ models }) => models.test(id))?.tokens
}
