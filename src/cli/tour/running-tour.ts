// A tour while it runs: what its steps share, and what came of a message.
import type { RunningAgent } from "../../agent/setup/agent.ts"
import type { ToolUse } from "../chat/tool-line.ts"
import type { FlagsOf } from "../command-line/invocation.ts"
import type { Terminal } from "../terminal.ts"
import type { Person } from "./person.ts"
import type { TourPlace } from "./place.ts"
import type { TurnFigures } from "./views.ts"

/** What all steps share. */
export interface Tour {
  readonly place: TourPlace
  readonly person: Person
  readonly agent: RunningAgent
  readonly terminal: Terminal
  readonly flags: FlagsOf<"tour">
  /** Aborted when the person leaves. */
  readonly leaving: AbortSignal
  say(lines: readonly string[]): void
}

/** The result of a message. */
export interface TurnResult {
  readonly turn: string
  readonly figures: TurnFigures
  readonly tools: readonly ToolUse[]
}
