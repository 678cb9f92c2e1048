// A message of Telegram as a message for the agent.
import type { ChannelFile, ChannelMessage } from "../channel.ts"
import type { BotApi } from "./bot-api.ts"
import type { Attachment, Bot, TelegramMessage } from "./update.ts"

/** Returns undefined if there is nothing to answer: a message of a bot, or one without content. */
export function incoming(
  message: TelegramMessage,
  bot: Bot,
  api: Pick<BotApi, "download">,
): ChannelMessage | undefined {
  const { id, chat, from, thread, isPrivate, isFromBot, attachments } = message
  const files = attachments.map((attachment) => fileOf(attachment, api))
  const text = message.text.trim()
  if (isFromBot || (text === "" && files.length === 0)) return undefined
  return {
    place: { channel: `telegram:${chat}`, ...(thread !== undefined && { thread: String(thread) }) },
    sender: `telegram:${from}`,
    isRoom: !isPrivate,
    isAddressed: isPrivate || isFor(message, bot),
    text: [...contextOf(message, bot), text].join("\n").trim(),
    files,
    replyTo: String(id),
  }
}

function fileOf(
  { file, what, name, mediaType, bytes }: Attachment,
  api: Pick<BotApi, "download">,
): ChannelFile {
  return {
    ...{ what, name, bytes },
    // What has no file cannot be loaded, and no type says so.
    mediaType: file === undefined ? undefined : mediaType,
    load: (options) => api.download(file ?? "", options),
  }
}

/** How much of the message that is replied to is quoted. */
const QUOTED = 400

/** Lines before the text that say what it refers to. */
function contextOf({ repliesTo, editedAt, isForwarded }: TelegramMessage, bot: Bot): readonly string[] {
  // The agent knows its own last words, so only words of others are quoted.
  const quoted = repliesTo === undefined || repliesTo.from === bot.id ? "" : repliesTo.text.trim()
  return [
    ...(editedAt === undefined ? [] : ["[an earlier message, edited]"]),
    ...(isForwarded ? ["[forwarded; somebody else may have written it]"] : []),
    ...(quoted === "" ? [] : [quote(quoted)]),
  ]
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

/**
 * Stays the same if Telegram sends an update again, by a poll or a webhook. An edit is an arrival of its own. Each bot
 * counts the messages of a chat for itself.
 */
export function arrivalId({ chat, id, editedAt }: TelegramMessage, bot: Bot): string {
  return [bot.id, chat, id, ...(editedAt === undefined ? [] : [editedAt])].join("/")
}
