// A script for the offline model, for tests of an agent: a function decides on each answer instead of the rules. Public
// types, which need none of the AI SDK.

/** Decides what the offline model does next. `undefined` leaves it to the rules. Must not keep state between calls. */
export type OfflineScript = (seen: ScriptView) => string | readonly ScriptedCall[] | undefined

/** What a script may base its decision on. */
export interface ScriptView {
  /** The user's own words in the newest message. */
  readonly message: string
  /** The names of the tools that it may call. */
  readonly tools: readonly string[]
  /** The results of the calls that it has made since that message, in their order. */
  readonly results: readonly ScriptedResult[]
}

/** A tool call that a script has the offline model make. */
export interface ScriptedCall {
  readonly name: string
  readonly input?: Readonly<Record<string, unknown>>
}

/** What became of a scripted call. */
export interface ScriptedResult {
  readonly name: string
  readonly text: string
  readonly isError: boolean
}
