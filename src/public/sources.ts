// `incipit/sources`: agents and sessions from the folders that describe them. Needs Node.
export type { Config } from "../sources/config.ts"
export { type Resolved, resolveAudience, type Sender } from "../sources/policy.ts"
export {
  type Gathered,
  gatherAgent,
  gatherSession,
  openWorkspace,
  type SessionOptions,
  type Workspace,
  type WorkspaceOptions,
} from "../sources/workspace.ts"
