// A portable file in a conversation, in the form of each API.
import type { Native, NativeFormat } from "../../core/model/message.ts"

interface File {
  readonly mediaType: string
  /** base64 */
  readonly data: string
  readonly name: string | undefined
}

type Write = (file: File) => Native["value"]

const isImage = ({ mediaType }: File) => mediaType.startsWith("image/")
const urlOf = ({ mediaType, data }: File) => `data:${mediaType};base64,${data}`
const nameOf = ({ name, mediaType }: File) => name ?? `file.${subtype(mediaType)}`

const WRITE: Readonly<Record<Exclude<NativeFormat, "file">, Write>> = {
  anthropic: (file) => ({
    type: isImage(file) ? "image" : "document",
    source: { type: "base64", media_type: file.mediaType, data: file.data },
    ...(!isImage(file) && file.name !== undefined && { title: file.name }),
  }),
  chat: (file) =>
    isImage(file)
      ? { type: "image_url", image_url: { url: urlOf(file) } }
      : { type: "file", file: { filename: nameOf(file), file_data: urlOf(file) } },
  responses: (file) =>
    isImage(file)
      ? { type: "input_image", detail: "auto", image_url: urlOf(file) }
      : { type: "input_file", filename: nameOf(file), file_data: urlOf(file) },
  google: ({ mediaType: mimeType, data }) => ({ inlineData: { mimeType, data } }),
  bedrock: (file) => {
    const source = { bytes: { $bytes: file.data } }
    const format = subtype(file.mediaType)
    return isImage(file)
      ? { image: { format, source } }
      : { document: { format, name: bedrockName(nameOf(file)), source } }
  },
  "ai-sdk": ({ mediaType, data, name }) => ({
    ...{ type: "file", mediaType, data },
    ...(name !== undefined && { filename: name }),
  }),
}

/** Undefined if the format can send no files. */
export function fileIn(value: Native["value"], format: NativeFormat | undefined): Native | undefined {
  const { mediaType, data, name } = value
  if (format === undefined || format === "file") return undefined
  if (typeof mediaType !== "string" || typeof data !== "string") return undefined
  return {
    format,
    value: WRITE[format]({ mediaType, data, name: typeof name === "string" ? name : undefined }),
  }
}

function subtype(mediaType: string): string {
  return mediaType.split("/")[1] ?? "bin"
}

/** The API allows letters, digits, single spaces, hyphens and brackets. */
function bedrockName(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9()[\]-]+/g, " ").trim()
  return plain === "" ? "file" : plain
}
