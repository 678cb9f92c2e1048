// `incipit/sources`: agents and sessions from the folders that describe them. Needs Node.

export type { Config } from "../sources/config/config-schema.ts"
export { type AudienceQuery, type Resolved, resolveAudience } from "../sources/config/policy.ts"
export { type ContextOptions, contextFor, gatherContext } from "../sources/context/context.ts"
export { detectEnvironment, type Environment } from "../sources/context/environment.ts"
export { files } from "../sources/files-section.ts"
export { gitState } from "../sources/git/git.ts"
export { type ReadFilesOptions, readFiles } from "../sources/read-files.ts"
export { coopSystem } from "../sources/systems/coop.ts"
export { gatherAgent, type Registered } from "../sources/systems/gather-agent.ts"
export { gatherSession, type SessionOptions } from "../sources/systems/gather-session.ts"
export { incipitSystem } from "../sources/systems/incipit-system.ts"
export { moltisSystem } from "../sources/systems/moltis.ts"
export { novaSystem } from "../sources/systems/nova.ts"
export { osaBeforeSystem, osaSystem } from "../sources/systems/osa.ts"
export { piSystem } from "../sources/systems/pi.ts"
export type { AgentSources, SessionSources, System } from "../sources/systems/system.ts"
export {
  type Gathered,
  openWorkspace,
  type ReadCache,
  reload,
  type Workspace,
  type WorkspaceOptions,
} from "../sources/workspace.ts"
