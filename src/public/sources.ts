// `incipit/sources`: agents and sessions from the folders that describe them. Needs Node.
export type { Config } from "../sources/config-schema.ts"
export { type ContextOptions, contextFor, gatherContext } from "../sources/context.ts"
export { detectEnvironment, type Environments } from "../sources/environment.ts"
export { gatherAgent, type Registered } from "../sources/gather-agent.ts"
export { gatherSession, type SessionOptions } from "../sources/gather-session.ts"
export { gitState } from "../sources/git.ts"
export { type Resolved, resolveAudience, type Sender } from "../sources/policy.ts"
export {
  type Gathered,
  openWorkspace,
  type ReadCache,
  reload,
  type Workspace,
  type WorkspaceOptions,
} from "../sources/workspace.ts"
