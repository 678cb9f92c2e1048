// What a model is asked when it shall sum up a conversation, and how long the summary may be.

const REQUEST =
  "Sum up this conversation for the agent that goes on with it. Keep, under these headings: Goal; Decisions (with who made them); Facts (names, numbers, dates, paths, ids, exactly as they stand); Done; Open (questions and promises). Leave out what no longer matters. Never keep keys or passwords."

/** Of what is summed up, what the summary may take; and the least, however short that was. */
const SHARE = 0.1
const LEAST_TOKENS = 1_500
/** English has so many words for a hundred tokens, with some room for names and numbers. */
const WORDS = 60

export interface SummaryRequest {
  /** What the summary may take, in the model's tokens. */
  readonly tokens: number
  /** From o200k to the model's. */
  readonly factor: number
  /** Messages at the end of the conversation that stay as they are. Nothing if the conversation is material. */
  readonly staying?: number
  /** The last try was cut off by the output limit. */
  readonly wasCut?: boolean
}

export function summaryRequest({ tokens, factor, staying, wasCut = false }: SummaryRequest): string {
  const words = Math.max(1, Math.floor(((tokens / factor) * WORDS) / 10_000)) * 100
  return [
    REQUEST,
    ...(staying === undefined ? [] : ["Answer with the summary alone, and call no tools."]),
    ...(staying ? [`The last ${staying} messages before this one stay as they are: leave them out.`] : []),
    ...(wasCut ? ["Your last summary was too long and was cut off."] : []),
    `Use at most ${words} words.`,
  ].join(" ")
}

/** Whether a message is this request. */
export function isSummaryRequest(text: string): boolean {
  return text.includes(REQUEST)
}

/** By the size of what the summary stands for. All in the model's tokens. */
export function summaryTokens(replaced: number, most: number): number {
  return Math.floor(Math.min(Math.max(replaced * SHARE, LEAST_TOKENS), most))
}
