// `incipit/claude-agent`: a chat of a prompt in the Claude Agent SDK. Imports nothing of the SDK at run time.
export type { ClaudeAgentHookAnswer, ClaudeAgentHookInput } from "../adapters/claude-agent/agent-hooks.ts"
export {
  type ClaudeAgentArguments,
  type ClaudeAgentChat,
  type ClaudeAgentEvent,
  type ClaudeAgentHook,
  type ClaudeAgentOptions,
  type ClaudeAgentSettings,
  openChat,
} from "../adapters/claude-agent/open-chat.ts"
export type { HostedCall } from "../adapters/host/hosted-call.ts"
export type { HostedChat, HostOptions, TurnQuestion } from "../adapters/host/hosted-chat.ts"
