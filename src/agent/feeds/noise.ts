// Whether a message is answered without a model. Off unless somebody wants it, and an answer to a question of the agent
// always gets through: "no" says everything then.
import { fenceLines } from "../../core/fence.ts"
import { questionMark } from "../../signal/keywords.ts"
import { ACKNOWLEDGEMENTS, type NoiseReason, noiseVerdict, settle } from "../../signal/noise.ts"

export interface NoiseFilter {
  readonly isOn: boolean
  /** The agent waits for an answer: its last text asks something, or a plan waits for approval. */
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

/** How far back a question may stand: choices, or a word about the choice, often follow it. */
const LAST_PARAGRAPHS = 2

/** Whether a text of the agent ends with a question. Sooner yes than no: a reply must not be lost. */
export function leavesOpenQuestion(answer: string): boolean {
  const lines = answer.split("\n").map((line) => line.trim())
  const fenced = fenceLines(lines)
  const paragraphs = lines
    .filter((_line, at) => !fenced[at])
    .join("\n")
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== "")
  return paragraphs.slice(-LAST_PARAGRAPHS).some((paragraph) => questionMark(paragraph) !== undefined)
}
