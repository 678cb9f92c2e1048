// How many tokens the input of a call may have. A prompt counts every file like an image, which is far too little for a
// long PDF: providers read the text and a picture of each page.
import type { Message, MessagePart } from "../../core/model/message.ts"
import type { Taken } from "../models/answer-limit.ts"

/** Never more than the window, because the provider would refuse it. */
export function mostInput({ taken, window }: Taken, messages: readonly Message[]): number {
  const pdfs = messages.flatMap(({ parts }) => parts).reduce((sum, part) => sum + pdfTokens(part), 0)
  return Math.max(taken, Math.min(window, taken + pdfs))
}

/** A dense page of text and its picture. */
const PAGE_TOKENS = 4_500
/** For pages that cannot be counted, such as those of an encrypted file. */
const BYTES_PER_TOKEN = 16

function pdfTokens(part: MessagePart): number {
  if (part.kind !== "native" || part.format !== "file") return 0
  const { mediaType, data } = part.value
  if (mediaType !== "application/pdf" || typeof data !== "string") return 0
  const bytes = Buffer.from(data, "base64")
  return Math.max(pagesIn(bytes.toString("latin1")) * PAGE_TOKENS, Math.ceil(bytes.length / BYTES_PER_TOKEN))
}

/** At least one. If pages are inside compressed objects, every stream may be the content of one. */
function pagesIn(pdf: string): number {
  const seen = countOf(pdf, /\/Type\s*\/Page(?![A-Za-z])/g)
  return Math.max(1, seen, pdf.includes("/ObjStm") ? countOf(pdf, /endstream/g) : 0)
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
