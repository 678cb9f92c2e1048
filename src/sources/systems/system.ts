// A system: where an agent's files are kept. Incipit has its own places; a profile that reproduces another system comes
// with that system's, so that it works in a folder as it is.
import type { Trust } from "../../base/trust.ts"
import type { Agent, Session } from "../../core/model/scope.ts"
import { INCIPIT_FOLDER } from "../../files/paths.ts"
import type { Resolved } from "../config/policy.ts"
import type { Gathered, Workspace } from "../workspace.ts"
import type { SessionOptions } from "./gather-session.ts"
import { incipitAgent } from "./incipit-agent.ts"
import { incipitSession } from "./incipit-session.ts"
import type { OwnPlaces } from "./own-places.ts"

export type AgentSources = Pick<Agent, "files"> & Required<Pick<Agent, "skills" | "memory">>
export type SessionSources = Pick<Session, "files" | "inputs"> & Required<Pick<Session, "skills">>

export interface System {
  /** Folders below the home folder that it reads, such as `.pi/agent`. */
  readonly homes: readonly string[]
  /** Files and folders of the workspace that need more than its other files, whether a prompt holds them or not. */
  readonly closed?: Readonly<Record<string, Trust>>
  /** What it tells without any files is more than bundled texts, so a workspace without files is nothing to speak of. */
  readonly inSession?: true
  /** Where an agent's own texts stand that it may change. Default: Incipit's own places. */
  readonly places?: (workspace: Workspace) => OwnPlaces
  /** Names of a running agent's tools that would change nothing here, because its prompt has no place for it. */
  readonly withoutTools?: readonly string[]
  /** `approved`: real paths of folders outside of the workspace that may be used; without it, what files name is told. */
  readonly agent: (workspace: Workspace, approved?: ReadonlySet<string>) => Gathered<AgentSources>
  readonly session: (
    workspace: Workspace,
    options: SessionOptions,
    resolved: Resolved,
  ) => Gathered<SessionSources>
}

export const incipitSystem: System = { homes: [INCIPIT_FOLDER], agent: incipitAgent, session: incipitSession }
