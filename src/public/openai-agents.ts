// `incipit/openai-agents`: a chat of a prompt in OpenAI Agents. Imports nothing of the SDK at run time.
export type { HostedCall } from "../adapters/host/hosted-call.ts"
export type { HostedChat, HostOptions, TurnQuestion } from "../adapters/host/hosted-chat.ts"
export {
  type OpenAIAgentsChat,
  type OpenAIAgentsFilter,
  openChat,
} from "../adapters/openai-agents/open-chat.ts"
