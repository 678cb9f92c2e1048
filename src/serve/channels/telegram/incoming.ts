// A message of Telegram as a message for the agent.
import type { ChannelMessage } from "../channel.ts"
import type { Bot, TelegramMessage } from "./update.ts"

/** Returns undefined if there is nothing to answer: a message of a bot, or one without content. */
export function incoming(message: TelegramMessage, bot: Bot): ChannelMessage | undefined {
  const { id, chat, from, thread, isPrivate, isFromBot } = message
  const text = textOf(message, bot)
  if (isFromBot || text === "") return undefined
  return {
    place: { channel: `telegram:${chat}`, ...(thread !== undefined && { thread: String(thread) }) },
    sender: `telegram:${from}`,
    isRoom: !isPrivate,
    isAddressed: isPrivate || isFor(message, bot),
    text,
    replyTo: String(id),
  }
}

/** How much of the message that is replied to is quoted. */
const QUOTED = 400

function textOf({ text, attachments, repliesTo, editedAt }: TelegramMessage, bot: Bot): string {
  const own = [text.trim(), ...attachments.map((what) => `[${what}; it cannot be opened here]`)]
    .filter((line) => line !== "")
    .join("\n")
  if (own === "") return ""
  // The agent knows its own last words, so only words of others are quoted.
  const quoted = repliesTo === undefined || repliesTo.from === bot.id ? "" : repliesTo.text.trim()
  return [
    ...(editedAt === undefined ? [] : ["[an earlier message, edited]"]),
    ...(quoted === "" ? [] : [quote(quoted)]),
    own,
  ].join("\n")
}

function quote(text: string): string {
  const start = [...text].slice(0, QUOTED).join("")
  return (start === text ? text : `${start} …`)
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n")
}

function isFor({ text, entities, repliesTo }: TelegramMessage, bot: Bot): boolean {
  if (repliesTo?.from === bot.id) return true
  const name = `@${bot.username}`.toLowerCase()
  return entities.some(({ type, offset, length, user }) => {
    const word = text.slice(offset, offset + length).toLowerCase()
    if (type === "mention") return word === name
    if (type === "text_mention") return user === bot.id
    return type === "bot_command" && word.endsWith(name)
  })
}

/** Stays the same if Telegram sends an update again, by a poll or a webhook. An edit is an arrival of its own. */
export function arrivalId({ chat, id, editedAt }: TelegramMessage): string {
  return [chat, id, ...(editedAt === undefined ? [] : [editedAt])].join("/")
}
