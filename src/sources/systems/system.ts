// A system: where an agent's files are kept. Incipit has its own places. A profile that reproduces another system
// brings that system's places, so that it works in an existing folder.
import type { Trust } from "../../base/trust.ts"
import type { Agent, Session } from "../../core/model/inputs.ts"
import type { Resolved } from "../config/policy.ts"
import type { Gathered, Workspace } from "../workspace.ts"
import type { EditablePlaces } from "./editable-places.ts"
import type { SessionFacts } from "./session-facts.ts"

/** The files and skills of an agent. */
export type AgentSources = Pick<Agent, "files" | "absent"> & Required<Pick<Agent, "skills">>
/** The files, skills and inputs of a session. */
export type SessionSources = Pick<Session, "files" | "inputs" | "absent"> & Required<Pick<Session, "skills">>

/** Which files a system reads, and where it keeps them. */
export interface System {
  /** What it reads, in words, for the reason why another file isn't read. */
  readonly reads?: string
  /** Folders below the home folder that it reads, such as `.pi/agent`. */
  readonly homes: readonly string[]
  /**
   * Files and folders of the workspace that need more trust than its other files, whether or not a prompt includes
   * them.
   */
  readonly closed?: Readonly<Record<string, Trust>>
  /**
   * Without any files, its prompt still holds more than bundled text, so a workspace without files is not a diagnostic.
   */
  readonly inSession?: true
  /** Its prompt lists the files of long-term memory. */
  readonly listsMemory?: true
  /** Where the agent's own texts are that it may change. Default: Incipit's places. */
  readonly places?: (workspace: Workspace) => EditablePlaces
  /** Tools of a running agent that would have no effect, because this system's prompt has no place for their result. */
  readonly withoutTools?: readonly string[]
  /**
   * `approved`: real paths of folders outside the workspace that may be used. If absent, every path that files name is
   * sent.
   */
  readonly agent: (workspace: Workspace, approved?: ReadonlySet<string>) => Gathered<AgentSources>
  readonly session: (
    workspace: Workspace,
    options: SessionFacts,
    resolved: Resolved,
  ) => Gathered<SessionSources>
}
