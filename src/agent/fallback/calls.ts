// Tool calls of a model without tool calling: fenced `tool_call` blocks with JSON in its answer. Mends slips that leave
// only one reading; any other mistake becomes a sentence for the model. Runs nothing.
import { isRecord } from "../../base/is-record.ts"
import { isDeeperThan, MAX_JSON_DEPTH } from "../../base/json-depth.ts"
import type { ProviderData } from "../../core/model/message.ts"
import { type Fence, isClosedBy, openedBy } from "./fence.ts"

export interface FallbackCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
  /** The block as the model wrote it. Sending it back unchanged keeps the server's cached prefix valid. */
  readonly data: ProviderData
}

export interface FallbackAnswer {
  /** The text before the first block, which is shown to the person. */
  readonly before: string
  readonly calls: readonly FallbackCall[]
  /** Mistakes in the answer, reported to the model. */
  readonly problems: readonly string[]
}

/** Sent to the model for a call that the output limit cut. */
export const CUT_OFF = "Your call was cut off by the output limit, so it was not run."

export interface FallbackOptions {
  /** Makes the id of the call at index `at` of the answer. Ids must be unique in the conversation. */
  readonly id: (at: number) => string
  /** The answer hit the output limit, perhaps in the middle of its last block. */
  readonly isCut?: boolean
}

export function fallbackCalls(text: string, { id, isCut = false }: FallbackOptions): FallbackAnswer {
  const blocks = blocksOf(text)
  const [first] = blocks
  if (first === undefined) return { before: text, calls: [], problems: [] }
  const calls: FallbackCall[] = []
  const problems: string[] = []
  for (const [at, block] of blocks.entries()) {
    const read = readCall(block.body)
    if (typeof read === "string" && isCut && block.end === text.length) problems.push(CUT_OFF)
    else if (typeof read === "string") problems.push(`Block ${at + 1} ${read}: ${excerpt(block.body)}`)
    else calls.push({ id: id(calls.length), ...read, data: { fallback: { written: block.written } } })
  }
  const stray = strayText(text, blocks)
  if (stray !== "") problems.push(`Text after a block is ignored; write it before the first block: ${stray}`)
  return { before: text.slice(0, first.start), calls, problems }
}

interface Block {
  readonly start: number
  readonly end: number
  readonly body: string
  readonly written: string
}

function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = []
  let open: Open | undefined
  for (const { line, start, end } of linesOf(text)) {
    if (open === undefined) {
      const fence = openedBy(line)
      open = fence && { ...fence, start, inside: end }
    } else if (isClosedBy(line, open)) {
      const blockEnd = start + line.trimEnd().length
      if (open.isCall) blocks.push(blockOf(text, open, [start, blockEnd]))
      open = undefined
    }
  }
  if (open?.isCall) blocks.push(unclosed(text, open))
  return blocks.map((block, at) => withGap(text, block, blocks[at + 1]))
}

interface Open extends Fence {
  readonly start: number
  /** Where its second line begins. */
  readonly inside: number
}

/** `bodyEnd` and `end`: where the closing line starts and ends. */
function blockOf(text: string, { start, inside }: Open, [bodyEnd, end]: readonly [number, number]): Block {
  return { start, end, body: text.slice(inside, bodyEnd), written: text.slice(start, end) }
}

/** Adds the closing fence, or the next message would be read as part of the block. */
function unclosed(text: string, open: Open): Block {
  const block = blockOf(text, open, [text.length, text.length])
  return { ...block, written: `${block.written.trimEnd()}\n${open.marks}` }
}

/** Keeps the blank lines up to the next block, so that the answer is sent back unchanged. */
function withGap(text: string, block: Block, next: Block | undefined): Block {
  const isBlank = next !== undefined && text.slice(block.end, next.start).trim() === ""
  return isBlank ? { ...block, written: text.slice(block.start, next.start) } : block
}

function* linesOf(text: string) {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start)
    const end = found === -1 ? text.length : found + 1
    yield { line: text.slice(start, end), start, end }
    start = end
  }
}

function strayText(text: string, blocks: readonly Block[]): string {
  const gaps = blocks.map(({ end }, at) => text.slice(end, blocks[at + 1]?.start))
  return gaps.some((gap) => gap.trim() !== "") ? excerpt(gaps.join(" ")) : ""
}

const LONGEST_EXCERPT = 80

function excerpt(text: string): string {
  const points = [...text.replaceAll(/\s+/g, " ").trim()]
  const cut = points.length > LONGEST_EXCERPT
  return JSON.stringify(cut ? `${points.slice(0, LONGEST_EXCERPT).join("")}...` : points.join(""))
}

/** Returns the call, or a sentence about what is wrong with it. */
function readCall(body: string): Pick<FallbackCall, "name" | "input"> | string {
  const value = parsed(body)
  if (!isRecord(value))
    return 'is not a single JSON object (in strings, a line break is \\n and a quote is \\")'
  const names = fieldsOf(value, ["tool", "name"])
  const inputs = fieldsOf(value, ["arguments", "parameters", "input"])
  const [name] = names
  if (names.length !== 1 || typeof name !== "string" || name.trim() === "")
    return 'must name one tool as "tool"'
  const [given = {}] = inputs
  const input = typeof given === "string" ? parsed(given) : given
  if (inputs.length > 1 || !isRecord(input)) return 'must have one object as "arguments"'
  if (isDeeperThan(input, MAX_JSON_DEPTH)) return `has arguments more than ${MAX_JSON_DEPTH} levels deep`
  return { name: name.trim(), input }
}

function fieldsOf(value: Readonly<Record<string, unknown>>, names: readonly string[]): readonly unknown[] {
  return Object.entries(value).flatMap(([key, field]) => (names.includes(key.toLowerCase()) ? [field] : []))
}

function parsed(text: string): unknown {
  return tryParse(text) ?? tryParse(repaired(text))
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Removes trailing commas and escapes control characters inside strings. */
function repaired(text: string): string {
  // Match an unterminated string whole; otherwise each quote in it would be tried again.
  return text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|,(?=\s*[}\]])/gs, (piece) =>
    piece === "," ? "" : piece.replaceAll(/\\.|\p{Cc}/gsu, escaped),
  )
}

function escaped(piece: string): string {
  return piece.startsWith("\\") ? piece : JSON.stringify(piece).slice(1, -1)
}
