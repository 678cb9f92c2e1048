// What a section may see when it is built: the view of the agent, the session and the turn, never one faster than itself.
import type { Mode } from "./mode.ts"
import type { Agent, MemoryFile, Session, Skill, Turn } from "./scope.ts"

/** Besides the sources, the mode: a view is made for one, so it changes no faster than the view. */
export interface AgentView extends Agent {
  readonly mode: Mode
  /** Of two with one name, the first that the audience may see. */
  readonly skills: readonly Skill[]
  readonly memory: readonly MemoryFile[]
}

export interface SessionView extends Session {
  readonly skills: readonly Skill[]
}

/** What a section of each pace may see. Nothing faster than itself. */
export interface Scopes {
  readonly stable: { readonly agent: AgentView }
  readonly session: { readonly agent: AgentView; readonly session: SessionView }
  readonly turn: { readonly agent: AgentView; readonly session: SessionView; readonly turn: Turn }
}
