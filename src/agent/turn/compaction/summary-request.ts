// The request for a summary of a conversation, and its length limit.

const REQUEST =
  "Sum up this conversation for the agent that continues it. Keep, under these headings: Goal; Decisions (with who made them); Facts (names, numbers, dates, paths, ids, exactly as written); Done; Open (questions and promises). Leave out what no longer matters. Never keep keys or passwords."

/** The summary's share of what it replaces; and the least, however short that is. */
const SHARE = 0.1
const LEAST_TOKENS = 1_500
/** English words per hundred tokens, with some room for names and numbers. */
const WORDS = 60

export interface SummaryRequest {
  /** The summary's limit, in the model's tokens. */
  readonly tokens: number
  /** From o200k tokens to the model's. */
  readonly factor: number
  /** How many messages at the end of the conversation stay. Undefined if the conversation is passed as material. */
  readonly staying?: number
  /** The output limit cut the last try. */
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

/** Depends on the size of what the summary replaces. All in the model's tokens. */
export function summaryTokens(replaced: number, most: number): number {
  return Math.floor(Math.min(Math.max(replaced * SHARE, LEAST_TOKENS), most))
}
