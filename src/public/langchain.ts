// `incipit/langchain`: a chat of a prompt in LangChain.
export type { HostedCall } from "../adapters/host/hosted-call.ts"
export type { HostedChat, HostOptions, TurnQuestion } from "../adapters/host/hosted-chat.ts"
export { type LangChainChat, openChat } from "../adapters/langchain/open-chat.ts"
