// Telegram as a channel: long polls or a webhook in, messages out.
import { IncipitError } from "../../../base/error.ts"
import { type Channel, ChannelFault, type Introduction } from "../channel.ts"
import { type BotApi, createBotApi, TelegramFault } from "./bot-api.ts"
import { createButtons } from "./buttons.ts"
import { called, poll, setWebhook, webhookSecret } from "./receive.ts"
import { addressOf, send } from "./send.ts"
import { split } from "./split.ts"
import { styledText } from "./styled-text.ts"
import { type Bot, readBot } from "./update.ts"

export interface TelegramOptions {
  /** The bot's token, from BotFather. */
  readonly token: string
  /** Where the token came from, for messages. */
  readonly tokenName?: string
  /** Another server than Telegram's own. */
  readonly url?: string | undefined
  /** With this address, Telegram calls us at it; without it, we poll. */
  readonly webhookUrl?: string | undefined
  /** All messages of groups are wanted, which Telegram must be told. */
  readonly wantsAll?: boolean
  /** How long Telegram may hold a poll before it answers with nothing. */
  readonly pollSeconds?: number
}

const POLL_SECONDS = 50

export function telegram(options: TelegramOptions): Channel {
  const { token, webhookUrl, pollSeconds = POLL_SECONDS } = options
  const api = createBotApi(options)
  const buttons = createButtons(api)
  const bot = remembered(() => findBot(api))
  const receiver = { api, buttons, bot }
  const secret = webhookSecret(token)
  return {
    name: "telegram",
    parts: (text) => split(styledText(text)).map((part) => JSON.stringify(part)),
    send: (part) => send(api, part),
    async typing(to) {
      await api.call("sendChatAction", { ...addressOf(to), action: "typing" })
    },
    ask: (question) => buttons.ask(question),
    introduce: () => introduce(bot, options),
    ...(webhookUrl === undefined
      ? { run: (host, signal) => poll({ ...receiver, pollSeconds }, host, signal) }
      : {
          run: () => setWebhook(receiver, { url: webhookUrl, secret }),
          request: (request, host) => called({ ...receiver, secret }, request, host),
        }),
  }
}

async function introduce(
  bot: () => Promise<Bot>,
  { tokenName = "the bot token", wantsAll }: TelegramOptions,
): Promise<Introduction> {
  try {
    const { username, seesAll } = await bot()
    const keptBack = `Telegram sends @${username} only messages of groups that mention it. For \`rooms: all\`, turn its privacy mode off (/setprivacy of @BotFather) and add it to the groups again.`
    return { name: `@${username}`, warnings: wantsAll === true && !seesAll ? [keptBack] : [] }
  } catch (error) {
    // 404: the token doesn't have the form of one.
    if (error instanceof TelegramFault && (error.code === 401 || error.code === 404))
      throw new IncipitError("channel-refused", `Telegram knows no bot with the token in ${tokenName}`)
    throw error
  }
}

async function findBot(api: BotApi): Promise<Bot> {
  const bot = readBot(await api.call<unknown>("getMe", {}, { timeoutMs: 10_000 }))
  if (bot === undefined) throw new ChannelFault("Telegram's getMe names no bot. Check the bot token.")
  return bot
}

/** Asks once; a failure is not remembered. */
function remembered<T>(ask: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined
  return () => {
    found ??= ask().catch((error: unknown) => {
      found = undefined
      throw error
    })
    return found
  }
}
