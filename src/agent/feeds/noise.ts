// Decides whether a message is answered without a model. Off by default. A reply to a question of the agent always gets
// through, because even a plain "no" matters then.
import { fenceLines } from "../../base/text/fence.ts"
import { findKeyword, fold, questionMark } from "../../signal/keywords.ts"
import { ACKNOWLEDGEMENTS, type NoiseReason, noiseVerdict, settle } from "../../signal/noise.ts"

export interface NoiseFilter {
  readonly isOn: boolean
  /** The agent waits for an answer: its last text or notice asks something, or a plan waits for approval. */
  readonly openQuestion: boolean
}

export interface Swallowed {
  readonly reason: NoiseReason
  /** Sent to the person instead of an answer; may be empty. */
  readonly answer: string
}

/** Returns undefined for a message that deserves a turn; in doubt, it does. */
export function swallowNoise(message: string, { isOn, openQuestion }: NoiseFilter): Swallowed | undefined {
  if (!isOn) return undefined
  const verdict = settle(noiseVerdict(message, { afterQuestion: openQuestion }), undefined)
  return verdict.kind === "noise"
    ? { reason: verdict.reason, answer: ACKNOWLEDGEMENTS[verdict.reason] }
    : undefined
}

/** Requests for an answer that have no question mark. */
const findRequest = findKeyword({
  whole: [
    ...["choose", "confirm", "go ahead", "let me know", "pick", "reply", "say so", "say yes", "tell me"],
    ...["shall i", "should i", "up to you", "waiting for", "want me to", "which one", "your call"],
  ],
})

/** Whether an answer asks something anywhere in it. In doubt, yes: a reply must not be lost. */
export function leavesOpenQuestion(answer: string): boolean {
  const lines = answer.split("\n").map((line) => line.trim())
  const fenced = fenceLines(lines)
  const words = fold(lines.filter((_line, at) => !fenced[at]).join("\n"))
  return questionMark(words) !== undefined || findRequest(words) !== undefined
}
