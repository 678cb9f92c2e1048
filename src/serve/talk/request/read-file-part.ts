// Images and documents in messages. The server fetches nothing, so they must be in the request itself.
import { checkedFiles } from "../../../agent/inbox/message/message-files.ts"
import type { SentFile } from "../../../agent/setup/agent.ts"
import { IncipitError } from "../../../base/error.ts"
import { isRecord } from "../../../base/is-record.ts"
import type { MessageFile } from "../../../database/contract/message-file.ts"
import { invalid, unsupported } from "../surface-error.ts"

type Part = Readonly<Record<string, unknown>>

/** How each type of part holds its file. */
const READERS: Readonly<Record<string, (part: Part, place: string) => SentFile>> = {
  image_url: ({ image_url: image }, place) => fromUrl(isRecord(image) ? image.url : image, place),
  input_image: (part, place) => fromUrl(part.image_url, place),
  file: ({ file }, place) => fromData(isRecord(file) ? file : {}, place),
  input_file: fromData,
  image: ({ source }, place) => fromSource(isRecord(source) ? source : {}, place),
  document: ({ source, title }, place) => ({
    ...fromSource(isRecord(source) ? source : {}, place),
    ...(typeof title === "string" && { name: title }),
  }),
}

export function isFilePart({ type }: Part): boolean {
  return typeof type === "string" && Object.hasOwn(READERS, type)
}

export function fileOf(part: Part, place: string): MessageFile {
  const file = READERS[String(part.type)]?.(part, place)
  try {
    const [checked] = checkedFiles([file]) ?? []
    if (checked !== undefined) return checked
  } catch (error) {
    if (error instanceof IncipitError) throw invalid(place, `${place}: ${error.message}`)
    throw error
  }
  throw invalid(place, `${place} has no file`)
}

function fromUrl(url: unknown, place: string): SentFile {
  if (typeof url === "string" && url.startsWith("data:")) return fromDataUrl(url, place)
  throw notHere(place)
}

function notHere(place: string) {
  return unsupported(
    place,
    `${place}: the server fetches no addresses and stores no files; send the content as a data: URL or base64`,
  )
}

function fromDataUrl(url: string, place: string): SentFile {
  const comma = url.indexOf(",")
  const [mediaType = "", ...options] = url.slice("data:".length, Math.max(comma, 0)).split(";")
  if (comma < 0 || !options.includes("base64")) throw invalid(place, `${place}: a data: URL must have base64`)
  return { mediaType: mediaType.toLowerCase(), data: url.slice(comma + 1) }
}

/** The part for files of OpenAI's APIs: a data: URL, or base64 whose type only its name tells. */
function fromData({ file_data: data, filename }: Part, place: string): SentFile {
  if (typeof data !== "string") throw notHere(place)
  const name = typeof filename === "string" ? { name: filename } : {}
  if (data.startsWith("data:")) return { ...fromDataUrl(data, place), ...name }
  return { mediaType: typeOfName(name.name ?? ""), data, ...name }
}

const TYPES: Readonly<Record<string, string>> = {
  pdf: "application/pdf",
  json: "application/json",
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  txt: "text/plain",
  md: "text/markdown",
  csv: "text/csv",
}

function typeOfName(name: string): string {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ""
  return Object.hasOwn(TYPES, ending) ? (TYPES[ending] ?? "") : ending
}

/** The sources of Anthropic's API. */
function fromSource({ type, media_type: mediaType, data, content }: Part, place: string): SentFile {
  if (type === "base64" && typeof mediaType === "string" && typeof data === "string")
    return { mediaType, data }
  const text = type === "text" ? data : content
  if ((type === "text" || type === "content") && typeof text === "string")
    return { mediaType: "text/plain", data: new TextEncoder().encode(text) }
  throw notHere(place)
}
