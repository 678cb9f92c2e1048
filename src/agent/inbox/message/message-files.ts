// The files that come with a message: checked when it is received, and what the model gets of them. Images and PDFs are
// sent as they are; text is sent as text, which every model can read.
import { IncipitError } from "../../../base/error.ts"
import { isRecord } from "../../../base/is-record.ts"
import type { MessagePart } from "../../../core/model/message.ts"
import { plainName } from "../../../core/view/envelope.ts"
import type { MessageFile } from "../../../database/contract/message-file.ts"

/** What providers accept in one request. */
export const MOST_FILES = 20
/** All files of a message together. */
export const MOST_FILE_BYTES = 8_000_000
/** All text files of a message together: they become part of its text, and counting its tokens blocks the process. */
export const MOST_TEXT_FILE_BYTES = 1_000_000

const SENT_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"]
const TEXT_TYPES = /^(?:text\/[\w.+-]+|application\/(?:json|xml|yaml))$/
const NOT_BASE64 = /[^A-Za-z0-9+/]/

/** Programs pass on what they got over the network. Throws `bad-option`. */
export function checkedFiles(given: unknown): readonly MessageFile[] | undefined {
  if (given === undefined) return undefined
  if (!Array.isArray(given)) throw bad("files must be a list")
  if (given.length > MOST_FILES)
    throw bad(`a message has ${given.length} files; at most ${MOST_FILES} are taken`)
  const files = given.map(checked)
  const bytes = bytesOf(files)
  if (bytes > MOST_FILE_BYTES)
    throw bad(`the files of a message have ${bytes} bytes together; at most ${MOST_FILE_BYTES} are taken`)
  const text = bytesOf(files.filter(isTextFile))
  if (text > MOST_TEXT_FILE_BYTES)
    throw bad(
      `the text files of a message have ${text} bytes together; at most ${MOST_TEXT_FILE_BYTES} are taken`,
    )
  return files.length === 0 ? undefined : files
}

/** Decoded. */
export function bytesOf(files: readonly MessageFile[]): number {
  return files.reduce((sum, { data }) => sum + Buffer.byteLength(data, "base64"), 0)
}

/** Whether a model can be shown files of this type. */
export function isTakenType(mediaType: string): boolean {
  return SENT_TYPES.includes(mediaType) || TEXT_TYPES.test(mediaType)
}

function checked(given: unknown, at: number): MessageFile {
  const { mediaType, data: content, name } = isRecord(given) ? given : {}
  const which = `file ${at + 1}`
  if (typeof mediaType !== "string") throw bad(`${which} needs a mediaType, such as image/png`)
  if (name !== undefined && typeof name !== "string") throw bad(`the name of ${which} must be a string`)
  if (!isTakenType(mediaType))
    throw bad(
      `${which} is of the type "${plainName(mediaType)}"; use ${SENT_TYPES.join(", ")}, or a type of text`,
    )
  const data = content instanceof Uint8Array ? Buffer.from(content).toString("base64") : content
  if (typeof data !== "string" || !isBase64(data))
    throw bad(`the data of ${which} must be bytes or their base64, and not be empty`)
  return { mediaType, data, ...(name !== undefined && { name: plainName(name) }) }
}

/** Looks for what is not base64: a pattern for all of it would fill the stack with megabytes to go back to. */
function isBase64(data: string): boolean {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0
  const isWhole = data.length > 0 && data.length % 4 === 0
  return isWhole && !NOT_BASE64.test(data.slice(0, data.length - padding))
}

function bad(why: string): IncipitError {
  return new IncipitError("bad-option", why)
}

/** The images of one tool call, each of a type that models take, within the limits of a message. */
export function imageList(): { readonly images: readonly MessageFile[]; add(file: MessageFile): boolean } {
  const images: MessageFile[] = []
  const sizeOf = (files: readonly MessageFile[]) => files.reduce((sum, { data }) => sum + data.length, 0)
  return {
    images,
    add({ mediaType, data }) {
      const isImage = mediaType.startsWith("image/") && SENT_TYPES.includes(mediaType)
      const isWhole = isBase64(data)
      const bytes = ((sizeOf(images) + data.length) * 3) / 4
      if (!isImage || !isWhole || images.length >= MOST_FILES || bytes > MOST_FILE_BYTES) return false
      images.push({ mediaType, data })
      return true
    },
  }
}

/** Whether a file is sent as text. */
export function isTextFile({ mediaType }: Pick<MessageFile, "mediaType">): boolean {
  return TEXT_TYPES.test(mediaType)
}

/** The files that are text, as text. `redact` removes the agent's own keys. */
export function textOfFiles(files: readonly MessageFile[] = [], redact: (text: string) => string): string {
  return files
    .filter(isTextFile)
    .map(({ name = "without a name", data }) => {
      const text = redact(Buffer.from(data, "base64").toString("utf8"))
      return `\n\n[file ${name}]\n${text.trimEnd()}\n[end of the file]`
    })
    .join("")
}

/** The others, as parts of a message. */
export function fileParts(files: readonly MessageFile[] = []): readonly MessagePart[] {
  return files
    .filter((file) => !isTextFile(file))
    .map(({ mediaType, data, name }) => ({
      ...{ kind: "native", format: "file" },
      value: { type: "file", mediaType, data, ...(name !== undefined && { name }) },
    }))
}
