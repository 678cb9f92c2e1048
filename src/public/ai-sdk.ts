// `incipit/ai-sdk`: a chat of a prompt in the AI SDK. Imports nothing of the SDK at run time.

export {
  type AiSdkAnswered,
  type AiSdkChat,
  type AiSdkGenerated,
  type AiSdkMiddleware,
  type AiSdkModel,
  type AiSdkParams,
  type AiSdkPrepareStep,
  type AiSdkStreamed,
  openChat,
} from "../adapters/ai-sdk/open-chat.ts"
export type { HostedCall } from "../adapters/host/hosted-call.ts"
export type { HostedChat, HostOptions, TurnQuestion } from "../adapters/host/hosted-chat.ts"
