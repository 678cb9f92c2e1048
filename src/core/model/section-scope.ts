// What a section may see when it is built: views of agent and session, and the turn; nothing faster than itself.
import type { Agent, MemoryFile, Session, Skill, Turn } from "./inputs.ts"
import type { Mode } from "./mode.ts"
import type { Inputs } from "./section-input.ts"

/**
 * The agent as its audience may know it: the sources plus the mode. A view is made for one mode, so the mode changes
 * no faster than the view.
 */
export interface AgentView extends Omit<Agent, "absent"> {
  readonly mode: Mode
  /** Of two with the same name, the first that the audience may see. */
  readonly skills: readonly Skill[]
  readonly memory: readonly MemoryFile[]
}

/** The session as its audience may know it. */
export interface SessionView extends Omit<Session, "inputs" | "absent"> {
  readonly skills: readonly Skill[]
  readonly inputs?: Inputs<"session">
}

/** The turn as its audience may know it. */
export interface TurnView extends Omit<Turn, "inputs"> {
  readonly inputs?: Inputs<"turn">
}

/** What a section of each pace may see: nothing faster than itself. */
export interface Scopes {
  readonly stable: { readonly agent: AgentView }
  readonly session: { readonly agent: AgentView; readonly session: SessionView }
  readonly turn: { readonly agent: AgentView; readonly session: SessionView; readonly turn: TurnView }
}
