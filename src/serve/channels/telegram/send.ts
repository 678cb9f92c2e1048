// Sends a part of an answer over Telegram.
import type { OutgoingPart, Place } from "../channel.ts"
import { type BotApi, isObject, TelegramFault } from "./bot-api.ts"
import type { StyledText } from "./styled-text.ts"

/** Returns the id of the message. */
export async function send(api: BotApi, part: OutgoingPart): Promise<string | undefined> {
  try {
    return await sendOnce(api, part)
  } catch (error) {
    const other = error instanceof TelegramFault ? otherForm(part, error) : undefined
    if (other === undefined) throw error
    return sendOnce(api, other)
  }
}

async function sendOnce(api: BotApi, { place, body, replyTo }: OutgoingPart): Promise<string | undefined> {
  const sent = await api.call<unknown>("sendMessage", {
    ...addressOf(place),
    ...styledIn(body),
    link_preview_options: { is_disabled: true },
    ...(replyTo !== undefined && { reply_parameters: replyParameters(replyTo) }),
  })
  return isObject(sent) && typeof sent.message_id === "number" ? String(sent.message_id) : undefined
}

/** The form in which a refused part can still be sent. */
function otherForm(part: OutgoingPart, { code, movedTo, message }: TelegramFault): OutgoingPart | undefined {
  // The group has a new id, and its topics and messages have, too.
  if (movedTo !== undefined)
    return { id: part.id, body: part.body, place: { channel: `telegram:${movedTo}` } }
  const { text, entities } = styledIn(part.body)
  // Better plain than not at all.
  if (code === 400 && entities.length > 0 && /entit/i.test(message))
    return { ...part, body: JSON.stringify({ text, entities: [] }) }
  return undefined
}

/** Written by `parts`, possibly by an earlier process. */
function styledIn(body: string): StyledText {
  return JSON.parse(body) as StyledText
}

/** The message may have been deleted since. */
function replyParameters(replyTo: string) {
  return { message_id: Number(replyTo), allow_sending_without_reply: true }
}

export function addressOf({ channel, thread }: Place) {
  return {
    chat_id: channel.slice("telegram:".length),
    ...(thread !== undefined && { message_thread_id: Number(thread) }),
  }
}
