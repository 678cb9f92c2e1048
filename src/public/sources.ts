// `incipit/sources`: agents and sessions from the folders that describe them. Needs Node.

export type { Config } from "../sources/config-schema.ts"
export { type ContextOptions, contextFor, gatherContext } from "../sources/context.ts"
export { coopSystem } from "../sources/coop-system.ts"
export { detectEnvironment, type Environments } from "../sources/environment.ts"
export { gatherAgent, type Registered } from "../sources/gather-agent.ts"
export { gatherSession, type SessionOptions } from "../sources/gather-session.ts"
export { gitState } from "../sources/git.ts"
export { moltisSystem } from "../sources/moltis-system.ts"
export { novaSystem } from "../sources/nova-system.ts"
export { osaBeforeSystem, osaSystem } from "../sources/osa-system.ts"
export { piSystem } from "../sources/pi-system.ts"
export { type Resolved, resolveAudience, type Sender } from "../sources/policy.ts"
export { type AgentSources, incipitSystem, type SessionSources, type System } from "../sources/system.ts"
export {
  type Gathered,
  openWorkspace,
  type ReadCache,
  reload,
  type Workspace,
  type WorkspaceOptions,
} from "../sources/workspace.ts"
