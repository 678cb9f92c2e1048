// Telegram as a channel: long polls or a webhook in, messages out. Telegram keeps every update until a later poll names
// an offset behind it, so the offset moves only after the store has the messages.
import { createHash, timingSafeEqual } from "node:crypto"
import {
  type Channel,
  type ChannelArrival,
  ChannelFault,
  type ChannelHost,
  type OutgoingPart,
  type Place,
} from "../channel.ts"
import { type BotApi, createBotApi, isObject } from "./bot-api.ts"
import { type Buttons, createButtons } from "./buttons.ts"
import { arrivalId, incoming } from "./incoming.ts"
import { split } from "./split.ts"
import { type StyledText, styledText } from "./styled-text.ts"
import { type Bot, readBot, readUpdate, type Update } from "./update.ts"

export interface TelegramOptions {
  /** The bot's token, from BotFather. */
  readonly token: string
  /** Another server than Telegram's own. */
  readonly url?: string
  /** With it, Telegram calls us, and sends this secret along; without it, we poll. */
  readonly webhookSecret?: string
  /** How long Telegram may hold a poll before it answers with nothing. */
  readonly pollSeconds?: number
}

const KINDS = ["message", "edited_message", "callback_query"]
const POLL_SECONDS = 50
/** What a held poll may take on top, before the connection counts as dead. */
const SLACK_MS = 15_000

export function telegram(options: TelegramOptions): Channel {
  const api = createBotApi(options)
  const buttons = createButtons(api)
  const bot = remembered(() => findBot(api))
  const common: Channel = {
    name: "telegram",
    parts: (text) => split(styledText(text)).map((part) => JSON.stringify(part)),
    send: (part) => send(api, part),
    typing: async (to) => {
      await api.call("sendChatAction", { ...addressOf(to), action: "typing" })
    },
    ask: (question) => buttons.ask(question),
  }
  const { webhookSecret, pollSeconds = POLL_SECONDS } = options
  if (webhookSecret === undefined)
    return { ...common, run: (host, signal) => poll({ api, buttons, bot, pollSeconds }, host, signal) }
  return { ...common, request: (request, host) => called({ buttons, bot, webhookSecret }, request, host) }
}

interface Poller {
  readonly api: BotApi
  readonly buttons: Buttons
  readonly bot: () => Promise<Bot>
  readonly pollSeconds: number
}

async function poll(poller: Poller, host: ChannelHost, signal: AbortSignal): Promise<void> {
  const { api, bot, buttons, pollSeconds } = poller
  const self = await bot()
  let offset = offsetOf(await host.position())
  while (!signal.aborted) {
    const found = await api
      .call<unknown>(
        "getUpdates",
        { ...(offset !== undefined && { offset }), timeout: pollSeconds, allowed_updates: KINDS },
        { signal, timeoutMs: pollSeconds * 1_000 + SLACK_MS },
      )
      .catch((error: unknown) => {
        if (signal.aborted) return []
        throw error
      })
    for (const update of updatesIn(found)) {
      await host.take(arrivalOf(update, self))
      // The next poll confirms it to Telegram.
      offset = update.id + 1
      if (update.press !== undefined) await buttons.press(update.press)
    }
  }
}

function updatesIn(found: unknown): readonly Update[] {
  if (!Array.isArray(found)) throw new ChannelFault("Telegram's updates are not a list")
  return found.map(readUpdate).filter((update) => update !== undefined)
}

function offsetOf(position: string | undefined): number | undefined {
  const offset = Number(position)
  return position !== undefined && Number.isSafeInteger(offset) ? offset : undefined
}

function arrivalOf({ id, message }: Update, self: Bot): ChannelArrival {
  return {
    id: message === undefined ? `update/${id}` : arrivalId(message),
    position: String(id + 1),
    message: message && incoming(message, self),
  }
}

interface Called extends Pick<Poller, "buttons" | "bot"> {
  readonly webhookSecret: string
}

async function called({ buttons, bot, webhookSecret }: Called, request: Request, host: ChannelHost) {
  const given = request.headers.get("x-telegram-bot-api-secret-token") ?? ""
  if (request.method !== "POST" || !isSame(given, webhookSecret)) return new Response(null, { status: 401 })
  const update = readUpdate(await request.json().catch(() => undefined))
  // Telegram repeats what is refused, so what cannot be read is accepted and left.
  if (update === undefined) return new Response(null, { status: 200 })
  // Telegram counts what a webhook has taken itself.
  await host.take({ ...arrivalOf(update, await bot()), position: undefined })
  if (update.press !== undefined) await buttons.press(update.press)
  return new Response(null, { status: 200 })
}

/** Digests have one length, so the comparison takes the same time for every guess. */
function isSame(given: string, secret: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest()
  return secret !== "" && timingSafeEqual(digest(given), digest(secret))
}

async function send(api: BotApi, { place, body, replyTo }: OutgoingPart): Promise<string | undefined> {
  const sent = await api.call<unknown>("sendMessage", {
    ...addressOf(place),
    // Written by `parts`, possibly by an earlier process.
    ...(JSON.parse(body) as StyledText),
    link_preview_options: { is_disabled: true },
    ...(replyTo !== undefined && { reply_parameters: replyParameters(replyTo) }),
  })
  return isObject(sent) && typeof sent.message_id === "number" ? String(sent.message_id) : undefined
}

/** The message may have been deleted since. */
function replyParameters(replyTo: string) {
  return { message_id: Number(replyTo), allow_sending_without_reply: true }
}

function addressOf({ channel, thread }: Place) {
  return {
    chat_id: channel.slice("telegram:".length),
    ...(thread !== undefined && { message_thread_id: Number(thread) }),
  }
}

async function findBot(api: BotApi): Promise<Bot> {
  const bot = readBot(await api.call<unknown>("getMe", {}))
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
