// The channels of incipit.yaml, each with its secrets from the environment and with who may talk on it.
import { IncipitError } from "../../base/error.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import type { ChannelPolicy } from "../channels/admission.ts"
import type { ConnectedChannel } from "../channels/connect-channels.ts"
import { telegram } from "../channels/telegram/telegram.ts"
import { webhook } from "../channels/webhook/webhook.ts"

type ChannelsConfig = NonNullable<NonNullable<Config["serve"]>["channels"]>
type People = Pick<NonNullable<ChannelsConfig["telegram"]>, "allow" | "strangers" | "rooms" | "agent">

export interface ChannelWorld {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly now: () => number
}

/** Throws an error that names the variable if a secret is not set. */
export function configuredChannels({ serve }: Config, world: ChannelWorld): readonly ConnectedChannel[] {
  const { telegram: bot, webhook: hook } = serve?.channels ?? {}
  return [
    ...(bot === undefined ? [] : [telegramOf(bot, world)]),
    ...(hook === undefined ? [] : [webhookOf(hook, world)]),
  ]
}

function telegramOf(bot: NonNullable<ChannelsConfig["telegram"]>, { env }: ChannelWorld): ConnectedChannel {
  const { token: tokenName, webhook: webhookUrl, url, rooms } = bot
  const channel = telegram({
    ...{ token: secretIn(env, "serve.channels.telegram.token", tokenName), tokenName, webhookUrl },
    url: url?.replace(/\/+$/, ""),
    wantsAll: rooms === "all",
  })
  return { channel, ...peopleOf(bot) }
}

function webhookOf(
  hook: NonNullable<ChannelsConfig["webhook"]>,
  { env, now }: ChannelWorld,
): ConnectedChannel {
  const named = (key: string, name: string) => secretIn(env, `serve.channels.webhook.${key}`, name)
  const { secret, previous_secret: previous, url } = hook
  const previousSecret = previous && named("previous_secret", previous)
  const channel = webhook({ secret: named("secret", secret), previousSecret, url, now })
  return { channel, ...peopleOf(hook) }
}

function peopleOf({
  allow,
  strangers = "pair",
  rooms = "mentions",
  agent,
}: People): Omit<ConnectedChannel, "channel"> {
  const policy: ChannelPolicy = { allow, strangers, rooms }
  return { policy, agent }
}

function secretIn(env: ChannelWorld["env"], setting: string, name: string): string {
  const value = env[name]?.trim()
  if (value) return value
  throw new IncipitError(
    "no-channel-secret",
    `${setting} names the environment variable ${name}, which is not set`,
  )
}
