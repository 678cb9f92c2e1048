// What of Telegram's updates is used, read from JSON field by field: a field of another type counts as missing.
import { isObject } from "./bot-api.ts"

/** The bot itself, from `getMe`. */
export interface Bot {
  readonly id: number
  readonly username: string
  /** False if Telegram keeps back messages of groups that don't mention it. */
  readonly seesAll: boolean
}

export interface Update {
  readonly id: number
  readonly message: TelegramMessage | undefined
  readonly press: ButtonPress | undefined
}

export interface TelegramMessage {
  readonly id: number
  readonly chat: number
  readonly isPrivate: boolean
  readonly thread: number | undefined
  /** A person, or the chat that an anonymous administrator or a channel speaks for. */
  readonly from: number
  readonly isFromBot: boolean
  readonly text: string
  readonly entities: readonly Entity[]
  readonly isForwarded: boolean
  /** What came besides text. */
  readonly attachments: readonly Attachment[]
  readonly repliesTo: { readonly from: number | undefined; readonly text: string } | undefined
  /** Seconds since 1970. */
  readonly editedAt: number | undefined
  /** In the last message of a group: the supergroup that it became. */
  readonly movedTo: number | undefined
}

export interface Attachment {
  /** In words, such as `a photo`. */
  readonly what: string
  /** Undefined for what has no file, such as a location. */
  readonly file: string | undefined
  readonly name: string | undefined
  readonly mediaType: string | undefined
  readonly bytes: number | undefined
}

export interface Entity {
  readonly type: string
  readonly offset: number
  readonly length: number
  readonly user: number | undefined
}

/** Somebody pressed a button below one of the bot's messages. */
export interface ButtonPress {
  readonly id: string
  readonly from: number
  readonly data: string
}

/** Returns undefined for what isn't an update at all. */
export function readUpdate(value: unknown): Update | undefined {
  if (!isObject(value) || !Number.isSafeInteger(value.update_id)) return undefined
  const edited = readMessage(value.edited_message)
  return {
    id: Number(value.update_id),
    message: readMessage(value.message) ?? edited,
    press: readPress(value.callback_query),
  }
}

export function readBot(value: unknown): Bot | undefined {
  if (!isObject(value) || !Number.isSafeInteger(value.id) || typeof value.username !== "string")
    return undefined
  const seesAll = value.can_read_all_group_messages === true
  return { id: Number(value.id), username: value.username, seesAll }
}

function readMessage(value: unknown): TelegramMessage | undefined {
  if (!isObject(value) || !isObject(value.chat)) return undefined
  const [id, chat] = [idIn(value, "message_id"), idIn(value.chat, "id")]
  // `from` of an anonymous message is a bot that all such senders share.
  const from = idIn(value.sender_chat, "id") ?? idIn(value.from, "id")
  if (id === undefined || chat === undefined || from === undefined) return undefined
  const isAutomatic = value.is_automatic_forward === true
  return {
    ...{ id, chat, from },
    isPrivate: value.chat.type === "private",
    thread: value.is_topic_message === true ? idIn(value, "message_thread_id") : undefined,
    isFromBot:
      isAutomatic || (value.sender_chat === undefined && isObject(value.from) && value.from.is_bot === true),
    text: textIn(value, "text") ?? textIn(value, "caption") ?? "",
    entities: readEntities(value.entities ?? value.caption_entities),
    isForwarded: isObject(value.forward_origin),
    attachments: readAttachments(value),
    repliesTo: readReply(value.reply_to_message),
    editedAt: idIn(value, "edit_date"),
    movedTo: idIn(value, "migrate_to_chat_id"),
  }
}

function readReply(value: unknown): TelegramMessage["repliesTo"] {
  if (!isObject(value)) return undefined
  return {
    from: idIn(value.sender_chat, "id") ?? idIn(value.from, "id"),
    text: textIn(value, "text") ?? textIn(value, "caption") ?? "",
  }
}

function readEntities(value: unknown): readonly Entity[] {
  if (!Array.isArray(value)) return []
  return value.filter(isObject).flatMap((entity) => {
    const [offset, length] = [idIn(entity, "offset"), idIn(entity, "length")]
    const type = textIn(entity, "type")
    if (type === undefined || offset === undefined || length === undefined) return []
    return [{ type, offset, length, user: idIn(entity.user, "id") }]
  })
}

const MEDIA: Readonly<Record<string, readonly [what: string, mediaType?: string]>> = {
  photo: ["a photo", "image/jpeg"],
  document: ["a file"],
  voice: ["a voice message"],
  audio: ["an audio file"],
  video: ["a video"],
  video_note: ["a video message"],
  animation: ["an animation"],
  sticker: ["a sticker"],
  location: ["a location"],
  contact: ["a contact"],
  poll: ["a poll"],
}

function readAttachments(message: Readonly<Record<string, unknown>>): readonly Attachment[] {
  return Object.entries(MEDIA).flatMap(([field, [what, mediaType]]) => {
    const value = message[field]
    // Telegram sends an animation as a document, too.
    if (value === undefined || (field === "document" && message.animation !== undefined)) return []
    const file = Array.isArray(value) ? largest(value) : value
    return [
      {
        what,
        file: textIn(file, "file_id"),
        name: textIn(file, "file_name")?.slice(0, LONGEST_NAME),
        mediaType: mediaType ?? textIn(file, "mime_type")?.toLowerCase(),
        bytes: idIn(file, "file_size"),
      },
    ]
  })
}

const LONGEST_NAME = 100

/** Telegram sends a photo in several sizes. */
function largest(sizes: readonly unknown[]): unknown {
  const area = (size: unknown) => (idIn(size, "width") ?? 0) * (idIn(size, "height") ?? 0)
  return sizes.toSorted((a, b) => area(b) - area(a))[0]
}

function readPress(value: unknown): ButtonPress | undefined {
  const [id, data] = [textIn(value, "id"), textIn(value, "data")]
  const from = isObject(value) ? idIn(value.from, "id") : undefined
  return id === undefined || data === undefined || from === undefined ? undefined : { id, from, data }
}

function idIn(value: unknown, field: string): number | undefined {
  const found = isObject(value) ? value[field] : undefined
  return typeof found === "number" && Number.isSafeInteger(found) ? found : undefined
}

function textIn(value: unknown, field: string): string | undefined {
  const found = isObject(value) ? value[field] : undefined
  return typeof found === "string" ? found : undefined
}
