// What Telegram brings, by long polls or by calls of its webhook. Telegram brings every update again until it was
// confirmed: by a poll that names an offset behind it, or by the answer to the call. Both happen after the store has it,
// and the store takes each once.
import { createHmac } from "node:crypto"
import { isSameSecret } from "../../auth/secret.ts"
import { type ChannelArrival, ChannelFault, type ChannelHost } from "../channel.ts"
import type { BotApi } from "./bot-api.ts"
import type { Buttons } from "./buttons.ts"
import { arrivalId, incoming } from "./incoming.ts"
import { type Bot, readUpdate, type Update } from "./update.ts"

export interface Receiver {
  readonly api: BotApi
  readonly buttons: Buttons
  readonly bot: () => Promise<Bot>
}

const KINDS = ["message", "edited_message", "callback_query"]
/** What a held poll may take on top, before the connection counts as dead. */
const SLACK_MS = 15_000

export async function poll(
  receiver: Receiver & { readonly pollSeconds: number },
  host: ChannelHost,
  signal: AbortSignal,
): Promise<void> {
  const { api, bot, pollSeconds } = receiver
  const self = await bot()
  // Named once, to confirm what was taken: Telegram may continue with smaller numbers after a quiet week.
  let offset: number | undefined
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
    offset = undefined
    for (const update of updatesIn(found)) {
      await take(receiver, { update, self }, host)
      offset = update.id + 1
    }
  }
}

function updatesIn(found: unknown): readonly Update[] {
  if (!Array.isArray(found)) throw new ChannelFault("Telegram's updates are not a list")
  return found.map(readUpdate).filter((update) => update !== undefined)
}

/** Has Telegram call `url` from now on. */
export async function setWebhook(
  { api }: Receiver,
  { url, secret }: { readonly url: string; readonly secret: string },
): Promise<void> {
  await api.call("setWebhook", { url, secret_token: secret, allowed_updates: KINDS })
}

/** Follows from the token, so that there is one secret to keep. */
export function webhookSecret(token: string): string {
  return createHmac("sha256", token).update("incipit webhook").digest("base64url")
}

/** Answers a call of Telegram. */
export async function called(
  receiver: Receiver & { readonly secret: string },
  request: Request,
  host: ChannelHost,
): Promise<Response> {
  const given = request.headers.get("x-telegram-bot-api-secret-token") ?? ""
  if (request.method !== "POST" || !isSameSecret(given, receiver.secret))
    return new Response(null, { status: 401 })
  const update = readUpdate(await request.json().catch(() => undefined))
  // Telegram repeats what is refused, so what cannot be read is accepted and left.
  if (update !== undefined) await take(receiver, { update, self: await receiver.bot() }, host)
  return new Response(null, { status: 200 })
}

interface Received {
  readonly update: Update
  readonly self: Bot
}

async function take(receiver: Receiver, received: Received, host: ChannelHost): Promise<void> {
  const { message, press } = received.update
  await host.take(arrivalOf(receiver, received))
  if (press !== undefined) await receiver.buttons.press(press)
  if (message?.movedTo !== undefined)
    host.report(
      `The group telegram:${message.chat} has become telegram:${message.movedTo}. Change it under \`rooms\` and \`allow\` in incipit.yaml.`,
    )
}

function arrivalOf({ api }: Receiver, { update: { id, message }, self }: Received): ChannelArrival {
  if (message === undefined) return { id: `${self.id}/update/${id}`, message: undefined }
  return { id: arrivalId(message, self), message: incoming(message, self, api) }
}
