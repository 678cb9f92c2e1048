// `incipit/pi`: a chat of a prompt in pi. Imports nothing of pi at run time.
export type { HostedCall } from "../adapters/host/hosted-call.ts"
export type { HostedChat, HostOptions, TurnQuestion } from "../adapters/host/hosted-chat.ts"
export {
  openChat,
  type PiChat,
  type PiContext,
  type PiExtensionApi,
  type PiModel,
  type PiStart,
} from "../adapters/pi/open-chat.ts"
export type { PiMessage, PiTool } from "../adapters/pi/pi-messages.ts"
