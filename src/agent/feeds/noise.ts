// Whether a message is answered without a model. Off unless somebody wants it, and an answer to a question of the agent
// always gets through: "no" says everything then.
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
  /** What the person gets in place of an answer; may be empty. */
  readonly answer: string
}

/** Nothing for a message that is worth a turn; what no rule can tell is worth one. */
export function swallowNoise(message: string, { isOn, openQuestion }: NoiseFilter): Swallowed | undefined {
  if (!isOn) return undefined
  const verdict = settle(noiseVerdict(message, { afterQuestion: openQuestion }), undefined)
  return verdict.kind === "noise"
    ? { reason: verdict.reason, answer: ACKNOWLEDGEMENTS[verdict.reason] }
    : undefined
}

/** What asks for an answer without a question mark. */
const findRequest = findKeyword({
  whole: [
    ...["choose", "confirm", "go ahead", "let me know", "pick", "reply", "say so", "say yes", "tell me"],
    ...["shall i", "should i", "up to you", "waiting for", "want me to", "which one", "your call"],
  ],
})

/** Whether a text of the agent asks something, wherever in it. Sooner yes than no: a reply must not be lost. */
export function leavesOpenQuestion(answer: string): boolean {
  const lines = answer.split("\n").map((line) => line.trim())
  const fenced = fenceLines(lines)
  const words = fold(lines.filter((_line, at) => !fenced[at]).join("\n"))
  return questionMark(words) !== undefined || findRequest(words) !== undefined
}
