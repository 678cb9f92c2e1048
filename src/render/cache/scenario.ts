// A conversation described by its sizes: how many turns and steps, how long the texts are, how much time passes,
// and what changes on the way. It is invented, so its texts are filler of the right length.
import type { Counter } from "../../core/model/counter.ts"
import type { Skill, Tool } from "../../core/model/scope.ts"

export interface Scenario {
  readonly turns: readonly ScenarioTurn[]
}

export interface ScenarioTurn {
  /** Time since the call before. */
  readonly gapMs: number
  /** Tokens of the user's message. */
  readonly message: number
  readonly steps: readonly ScenarioStep[]
  /** Files that somebody changed before the turn, and how many tokens that adds. */
  readonly edits: readonly { readonly path: string; readonly adds: number }[]
  readonly tools: {
    /** A real one, or one that takes so many tokens. */
    readonly add: readonly (Tool | { readonly name: string; readonly tokens: number })[]
    readonly remove: readonly string[]
  }
  readonly skills?: readonly Skill[]
  /** Another model from this turn on. */
  readonly model?: string
  /** The provider has thrown everything away. */
  readonly evicts: boolean
}

/** One call and what it answers; every step but the last of a turn calls a tool. */
export interface ScenarioStep {
  readonly gapMs: number
  readonly answer: number
  /** Tokens of the tool's result, which the next step sends. */
  readonly result: number
}

export interface EvenScenario {
  readonly turns: number
  readonly steps: number
  readonly message: number
  readonly answer: number
  readonly result: number
  readonly gapMs: number
  readonly stepGapMs: number
}

/** Eight turns of three calls, as one would have in a chat of ten minutes. */
export const USUAL: EvenScenario = {
  turns: 8,
  steps: 3,
  message: 60,
  answer: 150,
  result: 400,
  gapMs: 60_000,
  stepGapMs: 5_000,
}

/** Every turn like the other. */
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

/** Text of so many tokens that differs by its label. Each filler word is one token in every encoding we count. */
export function filler(label: string, tokens: number, counter: Counter): string {
  return label + " so".repeat(Math.max(0, Math.round(tokens) - counter.count(label)))
}
