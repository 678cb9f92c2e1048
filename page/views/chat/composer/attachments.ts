// Files for a message: read in the browser, and refused before they are sent if the server would refuse them.
import type { OutgoingFile } from "../sending/outbox.ts"

/** As `src/agent/inbox/message/message-files.ts` has them; a test compares the two. */
export const LIMITS = { files: 20, bytes: 8_000_000, textBytes: 1_000_000 } as const
export const SENT_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"]
const TEXT_TYPES = /^(?:text\/[\w.+-]+|application\/(?:json|xml|yaml))$/

/** For the browser's own dialog. */
export const ACCEPTED = [
  ...SENT_TYPES,
  "text/*",
  "application/json",
  "application/xml",
  ".md",
  ".yaml",
  ".yml",
].join()

/** Browsers give these no type, or one that says "program". */
const TEXT_ENDINGS =
  /\.(?:md|markdown|txt|log|csv|tsv|ya?ml|toml|ini|json|jsonl|xml|html?|css|[cm]?[jt]sx?|py|rb|go|rs|java|kt|swift|c|h|cpp|hpp|cs|php|sh|sql|diff|patch|tex|vue|svelte)$/i

export interface ReadFiles {
  readonly files: readonly OutgoingFile[]
  /** One sentence for each file that is not taken. */
  readonly refused: readonly string[]
}

/** `before`: the files that the message has already. */
export async function readFiles(given: readonly File[], before: readonly OutgoingFile[]): Promise<ReadFiles> {
  const files: OutgoingFile[] = [...before]
  const refused: string[] = []
  for (const file of given) {
    const mediaType = typeOf(file)
    const problem = mediaType === undefined ? WRONG_TYPE : problemWith(file.size, mediaType, files)
    if (mediaType === undefined || problem !== undefined) refused.push(`${nameOf(file)}: ${problem}`)
    else files.push({ mediaType, name: nameOf(file), data: base64(new Uint8Array(await file.arrayBuffer())) })
  }
  return { files, refused }
}

const WRONG_TYPE = "this kind of file cannot be read by models. Attach images, PDFs or text."

/** Undefined if models are not shown such files. */
function typeOf({ type, name }: File): string | undefined {
  const [plain = ""] = type.toLowerCase().split(";")
  if (SENT_TYPES.includes(plain) || TEXT_TYPES.test(plain)) return plain
  return TEXT_ENDINGS.test(name) ? "text/plain" : undefined
}

function problemWith(size: number, mediaType: string, before: readonly OutgoingFile[]): string | undefined {
  if (size === 0) return "the file is empty."
  if (before.length >= LIMITS.files) return `a message takes at most ${LIMITS.files} files.`
  if (bytesOf(before) + size > LIMITS.bytes)
    return `the files of a message may have ${megabytes(LIMITS.bytes)} together.`
  const texts = before.filter((one) => TEXT_TYPES.test(one.mediaType))
  if (TEXT_TYPES.test(mediaType) && bytesOf(texts) + size > LIMITS.textBytes)
    return `the text files of a message may have ${megabytes(LIMITS.textBytes)} together.`
  return undefined
}

function bytesOf(files: readonly OutgoingFile[]): number {
  return files.reduce((sum, { data }) => sum + Math.floor((data.length * 3) / 4), 0)
}

function megabytes(bytes: number): string {
  return `${bytes / 1_000_000} MB`
}

/** Pasted pictures have no name worth showing, but need one to be told apart. */
function nameOf({ name, type }: File): string {
  return name === "" ? `pasted.${type.split("/")[1] ?? "bin"}` : name
}

const AT_ONCE = 0x80_00

function base64(bytes: Uint8Array): string {
  let text = ""
  for (let at = 0; at < bytes.length; at += AT_ONCE)
    text += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE))
  return btoa(text)
}
