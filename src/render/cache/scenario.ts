// A conversation described by sizes: the number of turns and steps, the lengths of texts, the time between calls, and
// the changes along the way. It is invented, so its texts are filler of the right length.
import type { Counter } from "../../core/model/counter.ts"
import type { Skill, Tool } from "../../core/model/inputs.ts"

/** An invented conversation: how much is said when, and what changes in between. */
export interface Scenario {
  readonly turns: readonly ScenarioTurn[]
}

/** One turn of a scenario. */
export interface ScenarioTurn {
  /** Time since the previous call. */
  readonly gapMs: number
  /** Tokens of the user's message. */
  readonly message: number
  readonly steps: readonly ScenarioStep[]
  /** Files changed before the turn, and how many tokens each change adds. */
  readonly edits: readonly { readonly path: string; readonly adds: number }[]
  readonly tools: {
    /** A real tool, or one with this many tokens. */
    readonly add: readonly (Tool | { readonly name: string; readonly tokens: number })[]
    readonly remove: readonly string[]
  }
  readonly skills?: readonly Skill[]
  /** The model from this turn on. */
  readonly model?: string
  /** The provider has evicted everything. */
  readonly evicts: boolean
}

/** One call and its answer; every step of a turn except the last calls a tool. */
export interface ScenarioStep {
  readonly gapMs: number
  readonly answer: number
  /** Tokens of the tool's result, which the next step sends. */
  readonly result: number
}

/** A conversation of equal turns, in tokens and milliseconds. */
export interface EvenScenario {
  readonly turns: number
  readonly steps: number
  readonly message: number
  readonly answer: number
  readonly result: number
  readonly gapMs: number
  readonly stepGapMs: number
}

/** How many tokens an edit adds unless it is said. */
export const EDIT_TOKENS = 40

/** Eight turns of three calls each, as in a chat of ten minutes. */
export const USUAL: EvenScenario = {
  turns: 8,
  steps: 3,
  message: 60,
  answer: 150,
  result: 400,
  gapMs: 60_000,
  stepGapMs: 5_000,
}

/** A scenario in which all turns are alike. */
export function evenScenario(given: Partial<EvenScenario> = {}): Scenario {
  const { turns, steps, message, answer, result, gapMs, stepGapMs } = { ...USUAL, ...given }
  const turn: ScenarioTurn = {
    gapMs,
    message,
    steps: Array.from({ length: steps }, () => ({ gapMs: stepGapMs, answer, result })),
    edits: [],
    tools: { add: [], remove: [] },
    evicts: false,
  }
  return { turns: Array.from({ length: turns }, () => turn) }
}

/** Text with this many tokens, made unique by its label. Each filler word is one token in every supported encoding. */
export function filler(label: string, tokens: number, counter: Counter): string {
  return label + " so".repeat(Math.max(0, Math.round(tokens) - counter.count(label)))
}
