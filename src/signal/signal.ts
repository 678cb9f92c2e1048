// A signal: what a message is, in five values. Rules read them off the text (`classify`); what they mean for the
// answer is the overlay's business. Nothing here decides whether a message is answered at all: see `noise`.

/** What is wanted. In the order in which the rules try them. */
export const SIGNAL_MODES = ["build", "execute", "analyze", "maintain", "assist"] as const
export type SignalMode = (typeof SIGNAL_MODES)[number]

/**
 * What the sender does by saying it. In the order in which the rules try them. They never give `ask`; a reading, a
 * person or a model may.
 */
export const SIGNAL_GENRES = ["direct", "commit", "decide", "express", "inform", "ask"] as const
export type SignalGenre = (typeof SIGNAL_GENRES)[number]

/** What it is about. No rule gives `request` or `report`; a person or a model may. */
export const SIGNAL_TYPES = [
  "question",
  "issue",
  "scheduling",
  "summary",
  "request",
  "report",
  "general",
] as const
export type SignalType = (typeof SIGNAL_TYPES)[number]

/** What it came as. */
export const SIGNAL_FORMATS = ["command", "notification", "document", "message"] as const
export type SignalFormat = (typeof SIGNAL_FORMATS)[number]

export interface Signal {
  readonly mode: SignalMode
  readonly genre: SignalGenre
  readonly type: SignalType
  readonly format: SignalFormat
  /** How much the message carries, from 0 to 1. */
  readonly weight: number
}

/** For a signal that comes from outside, such as a file of inputs. */
export function isSignal(value: unknown): value is Signal {
  if (typeof value !== "object" || value === null) return false
  // Nothing is taken for granted: each value is checked below.
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
