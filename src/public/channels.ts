// `incipit/channels`: your own ways to reach an agent. `incipit serve` brings Telegram and webhooks.
export type { Acquaintance, ChannelPolicy } from "../serve/channels/admission.ts"
export {
  type Channel,
  type ChannelArrival,
  ChannelFault,
  type ChannelFile,
  type ChannelHost,
  type ChannelMessage,
  type ChannelQuestion,
  type Introduction,
  type OutgoingPart,
  type Place,
} from "../serve/channels/channel.ts"
export {
  type ChannelConnections,
  type ConnectedChannel,
  type ConnectOptions,
  connectChannels,
} from "../serve/channels/connect-channels.ts"
