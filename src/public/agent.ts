// `incipit/agent`: a running agent from a workspace: turns, sessions, tools, hooks, faults. Needs Node and the AI SDK.

export type { Forked, ForkOptions } from "../agent/branch/forked.ts"
export type { QueuedMessage } from "../agent/inbox/message/queued-message.ts"
export type { ReplyStream } from "../agent/inbox/stream.ts"
export type { Model, SdkLanguageModel } from "../agent/models/model.ts"
export { type OpenModelOptions, openModel } from "../agent/models/models.ts"
export { type OfflineOptions, offlineModel } from "../agent/offline/offline.ts"
export type { OfflineScript, ScriptedCall, ScriptedResult, ScriptView } from "../agent/offline/scripted.ts"
export type {
  AgentOptions,
  Approve,
  Asker,
  Deliver,
  InputQuestion,
  InputSource,
  Kept,
  KeptSchedule,
  Limits,
  Notice,
  QueuedMessages,
  ResolveOptions,
  RetryOptions,
  RunningAgent,
  ScheduleOptions,
  SendOptions,
  SentFile,
  ShellOptions,
  ShellResult,
} from "../agent/setup/agent.ts"
export { openAgent } from "../agent/setup/open.ts"
export type { PromptAgentOptions, PromptInputSource } from "../agent/setup/prompt-agent.ts"
export type { SessionInfo, SessionTranscript } from "../agent/storage/session-info.ts"
export type { LiveEvent, Reply, SentReply, WatchedEvent } from "../agent/turn/live-event.ts"
export type { Inspected } from "../agent/turn/prompt/inspected.ts"
export type { AgentStore } from "../database/contract/agent-store.ts"
export type { ClientCall, ClientResult, ClientTool } from "../database/contract/client-tools.ts"
export type { ReplyState, StepCost, StoredReply } from "../database/contract/reply.ts"
export type { Sender } from "../database/contract/sender.ts"
export { openStore } from "../database/sqlite/agent/open-store.ts"
export { type Approval, type ApprovalRequest, ToolFailure } from "../tools/host.ts"
