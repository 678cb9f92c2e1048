// Whether a message is worth a turn. It returns a verdict and drops nothing: the host decides what happens to noise. It
// knows only English small talk; in other languages, a message tends to count as a signal.
import { fold } from "./keywords.ts"
import { graphemes, weigh } from "./weigh.ts"

export const NOISE_REASONS = ["empty", "too-short", "small-talk", "low-weight", "judged"] as const
/** Why a message counts as noise. */
export type NoiseReason = (typeof NOISE_REASONS)[number]

/** Whether a message is noise, and why. */
export type NoiseVerdict =
  | { readonly kind: "noise"; readonly reason: NoiseReason; readonly weight: number }
  /** A host may ask a model, and pass the answer to `settle`. */
  | { readonly kind: "uncertain"; readonly reason: "middle-weight"; readonly weight: number }
  | {
      readonly kind: "signal"
      readonly reason: "answer" | "high-weight" | "judged" | "not-judged"
      readonly weight: number
    }

/** What decides besides the text whether a message is noise. */
export interface NoiseOptions {
  /** Whether the message follows a question of the agent. Required, because "no" is noise only without one. */
  readonly afterQuestion: boolean
}

const MIN_GRAPHEMES = 3
const NOISE_BELOW = 0.3
const SIGNAL_FROM = 0.6

const SMALL_TALK: ReadonlySet<string> = new Set([
  ...["hi", "hello", "hey", "yo", "sup"],
  ...["ok", "okay", "sure", "yep", "yeah", "yes", "no", "nah", "nope"],
  ...["thanks", "thank you", "ty", "thx", "cheers"],
  ...["lol", "haha", "hehe", "lmao", "rofl"],
  // Tears of joy, thumbs up, folded hands, and both forms of the heart.
  ...["\u{1F602}", "\u{1F44D}", "\u{1F64F}", "\u2764", "\u2764\uFE0F"],
  ...["good morning", "good night", "gm", "gn"],
])

const CLOSING = " !.\uFF01\u3002"

/** In these scripts, one or two characters can be a word. */
const DENSE_SCRIPTS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Says whether a message needs a model at all, or is only small talk. */
export function noiseVerdict(text: string, { afterQuestion }: NoiseOptions): NoiseVerdict {
  const folded = fold(text)
  const { weight } = weigh(text)
  if (folded === "") return { kind: "noise", reason: "empty", weight }
  if (afterQuestion) return { kind: "signal", reason: "answer", weight }
  if (isTooShort(folded)) return { kind: "noise", reason: "too-short", weight }
  if (isSmallTalk(folded)) return { kind: "noise", reason: "small-talk", weight }
  if (weight < NOISE_BELOW) return { kind: "noise", reason: "low-weight", weight }
  if (weight < SIGNAL_FROM) return { kind: "uncertain", reason: "middle-weight", weight }
  return { kind: "signal", reason: "high-weight", weight }
}

/** Settles an uncertain verdict with a model's answer. If no model could be asked, the message is a signal. */
export function settle(verdict: NoiseVerdict, judged: "signal" | "noise" | undefined): NoiseVerdict {
  if (verdict.kind !== "uncertain") return verdict
  const { weight } = verdict
  if (judged === undefined) return { kind: "signal", reason: "not-judged", weight }
  return { kind: judged, reason: "judged", weight }
}

/** What a host may answer to noise without a model. For people, never for a prompt. */
export const ACKNOWLEDGEMENTS: Readonly<Record<NoiseReason, string>> = {
  empty: "",
  "too-short": "\u{1F44D}",
  "small-talk": "\u{1F44D}",
  "low-weight": "Got it.",
  judged: "Noted.",
}

function isTooShort(folded: string): boolean {
  return graphemes(folded, MIN_GRAPHEMES) < MIN_GRAPHEMES && !DENSE_SCRIPTS.test(folded)
}

/** Only small talk. Trims the closing marks with a loop: a regular expression would start over at each mark. */
function isSmallTalk(folded: string): boolean {
  let end = folded.length
  while (end > 0 && CLOSING.includes(folded.charAt(end - 1))) end -= 1
  return SMALL_TALK.has(folded.slice(0, end))
}
