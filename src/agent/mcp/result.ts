// Turns the answer of an MCP server into text for the model: joins text parts, names what was left out, cuts at whole
// lines to the available tokens, and adds a frame that names the source of the data.
import { z } from "zod"
import { isDeeperThan, MAX_JSON_DEPTH } from "../../base/json-depth.ts"
import { lineCount } from "../../core/model/content.ts"
import type { Counter } from "../../core/model/counter.ts"
import type { ToolContext } from "../../tools/tool-context.ts"
import type { CallResult } from "./calls/call-tool.ts"
import { cleanText, framed } from "./text.ts"

export interface ResultOptions {
  readonly server: string
  readonly tool: string
  readonly counter: Counter
  readonly mostTokens: number
  /** Takes an image for the model; returns false if it isn't taken. */
  readonly attach?: NonNullable<ToolContext["attach"]>
  /** Removes keys before the text is cut. */
  readonly redact?: (text: string) => string
}

export function resultText(result: CallResult, options: ResultOptions): string {
  const text = textOfResult(result, options)
  return fitted(options.redact?.(text) ?? text, options)
}

function textOfResult({ content = [], structuredContent }: CallResult, options: ResultOptions): string {
  const parts = content.map((part) => partText(part, options))
  // A server that answers in both forms repeats itself.
  if (structuredContent !== undefined && !content.some(({ type }) => type === "text"))
    parts.push(structuredText(structuredContent))
  return parts.length === 0 ? "(an empty answer)" : parts.join("\n")
}

function structuredText(content: unknown): string {
  if (isDeeperThan(content, MAX_JSON_DEPTH))
    return `(left out: structured content more than ${MAX_JSON_DEPTH} levels deep)`
  return JSON.stringify(content, undefined, 2) ?? ""
}

const TEXT = z.looseObject({ type: z.literal("text"), text: z.string() })
const BYTES = z.looseObject({ type: z.enum(["image", "audio"]), data: z.string(), mimeType: z.string() })
const LINK = z.looseObject({ type: z.literal("resource_link"), uri: z.string() })
const RESOURCE = z.looseObject({
  type: z.literal("resource"),
  resource: z.looseObject({ uri: z.string(), text: z.string().optional(), mimeType: z.string().optional() }),
})
const PART = z.union([TEXT, BYTES, LINK, RESOURCE])

function partText(
  content: NonNullable<CallResult["content"]>[number],
  { attach = () => false }: ResultOptions,
): string {
  const part = PART.safeParse(content).data
  switch (part?.type) {
    case "text":
      return part.text
    case "image":
    case "audio": {
      const { type, mimeType: mediaType, data } = part
      const isSent = type === "image" && attach({ mediaType, data })
      return `(${isSent ? "attached below" : "left out"}: ${type}, ${mediaType}, ${Math.floor((data.length * 3) / 4)} bytes)`
    }
    case "resource_link":
      return `(a link to a resource: ${part.uri})`
    case "resource": {
      const { uri, text, mimeType = "of unknown type" } = part.resource
      return text === undefined ? `(left out: resource ${uri}, ${mimeType})` : `(resource ${uri})\n${text}`
    }
    case undefined:
      return `(left out: content of the type ${JSON.stringify(content.type)})`
  }
}

/** Characters per token, far more than ordinary text has; anything beyond is not looked at. */
const MOST_CHARACTERS = 25

function fitted(text: string, { server, tool, counter, mostTokens }: ResultOptions): string {
  const read = text.slice(0, mostTokens * MOST_CHARACTERS)
  const { text: clean } = cleanText(read, tool)
  const lines = lineCount(text)
  const frame = (kept: string) => {
    const isWhole = kept === clean && read === text
    return framed({ server, tool, ...(!isWhole && { "left-out": leftOut(kept, text, lines) }) }, kept)
  }
  if (read === text && counter.count(frame(clean)) <= mostTokens) return frame(clean)
  // Escaping makes the text longer, so one try may not be enough.
  for (let room = mostTokens; ; ) {
    const kept = upToLine(clean, counter.prefix(clean, room))
    const over = counter.count(frame(kept)) - mostTokens
    if (over <= 0 || kept === "") return frame(kept)
    room = Math.max(0, room - over)
  }
}

/** Cuts within a line that is longer than the room. */
function upToLine(text: string, end: number): string {
  const line = end < text.length ? text.lastIndexOf("\n", end) : end
  return text.slice(0, line > 0 ? line : end)
}

function leftOut(kept: string, whole: string, lines: number): string {
  const what =
    lines === 1
      ? `about ${whole.length - kept.length} of ${whole.length} characters`
      : `${lines - lineCount(kept)} of ${lines} lines`
  return `${what} at the end, to fit the budget`
}
