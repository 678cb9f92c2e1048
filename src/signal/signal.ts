// A signal: what a message is, in five values. Rules derive them from the text (`classify`); the overlay turns them
// into guidance for the answer. Whether a message is answered at all is decided elsewhere: see `noise`.

/** What the sender wants. In the order in which the rules try them. */
export const SIGNAL_MODES = ["build", "execute", "analyze", "maintain", "assist"] as const
/** What the sender wants. */
export type SignalMode = (typeof SIGNAL_MODES)[number]

/**
 * What the sender does by saying it. In the order in which the rules try them. The rules never return `ask`; a reading,
 * a person or a model may.
 */
export const SIGNAL_GENRES = ["direct", "commit", "decide", "express", "inform", "ask"] as const
/** What the sender does by saying it: instruct, promise, decide, express, inform or ask. */
export type SignalGenre = (typeof SIGNAL_GENRES)[number]

/** What it is about. The rules never return `request` or `report`; a person or a model may. */
export const SIGNAL_TYPES = [
  "question",
  "issue",
  "scheduling",
  "summary",
  "request",
  "report",
  "general",
] as const
/** What a message is about. */
export type SignalType = (typeof SIGNAL_TYPES)[number]

/** The form in which it arrived. */
export const SIGNAL_FORMATS = ["command", "notification", "document", "message"] as const
/** The form in which a message arrived. */
export type SignalFormat = (typeof SIGNAL_FORMATS)[number]

/** What kind of message it is, in five dimensions. */
export interface Signal {
  readonly mode: SignalMode
  readonly genre: SignalGenre
  readonly type: SignalType
  readonly format: SignalFormat
  /** How much substance the message has, from 0 to 1. */
  readonly weight: number
}

/** For a signal from outside, such as a file of inputs. */
export function isSignal(value: unknown): value is Signal {
  if (typeof value !== "object" || value === null) return false
  // The cast is safe: each value is checked below.
  const { mode, genre, type, format, weight } = value as Partial<Record<keyof Signal, unknown>>
  return (
    isOneOf(SIGNAL_MODES, mode) &&
    isOneOf(SIGNAL_GENRES, genre) &&
    isOneOf(SIGNAL_TYPES, type) &&
    isOneOf(SIGNAL_FORMATS, format) &&
    typeof weight === "number" &&
    weight >= 0 &&
    weight <= 1
  )
}

function isOneOf(list: readonly unknown[], value: unknown): boolean {
  return list.includes(value)
}
