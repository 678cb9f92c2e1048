// `incipit/agent`: a running agent from a workspace: turns, sessions, tools, hooks, faults. Needs Node and the AI SDK.

export type { From } from "../agent/inbox/from.ts"
export type { Model } from "../agent/models/model.ts"
export { type OpenModelOptions, openModel } from "../agent/models/models.ts"
export { type OfflineOptions, offlineModel } from "../agent/offline/offline.ts"
export type {
  AgentOptions,
  Deliver,
  Kept,
  KeptSchedule,
  Limits,
  Notice,
  RunningAgent,
  ScheduleOptions,
  SendOptions,
  SessionInfo,
  ShellOptions,
  ShellResult,
} from "../agent/setup/agent.ts"
export { openAgent } from "../agent/setup/open.ts"
export { openStore } from "../agent/store/store.ts"
export type { Store, StoredReply } from "../agent/store/stored.ts"
export {
  type LiveEvent,
  REPLY_STATES,
  type Reply,
  type ReplyState,
  type SentReply,
  type StepCost,
} from "../agent/turn/live.ts"
export { type Approval, type ApprovalRequest, ToolFailure } from "../tools/host.ts"
