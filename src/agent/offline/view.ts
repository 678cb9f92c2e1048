// What the offline model sees of a call: the sections of its prompt, the user's own words, the tools, and the calls of
// this turn. Text from tools, memory and the compiler's tail is separated here and never counts as the user's.
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider"
import { insideEnvelope } from "../../core/view/envelope.ts"
import { TAIL_ENVELOPE } from "../../core/write/markup.ts"
import { baseText } from "../../profiles/incipit/text.ts"
import type { ScriptView } from "./scripted.ts"

export interface OfflineView {
  /** A title or summary: the text is material, and there is nobody to talk to. */
  readonly isMinimal: boolean
  /** Whether an earlier answer begins with `label`; if none does, this is the first answer of the conversation. */
  readonly hasAnswered: (label: string) => boolean
  /** The user's own words in the newest message that has any; empty if they were answered already. */
  readonly words: string
  /** Earlier messages, oldest first, without tails and tools. */
  readonly earlier: readonly string[]
  /** Sections of the head by their tag. */
  readonly head: ReadonlyMap<string, string>
  /** The latest text of each turn section. */
  readonly turn: ReadonlyMap<string, string>
  /** The names of each tool's arguments, by the tool's name. */
  readonly tools: ReadonlyMap<string, readonly string[]>
  /** The calls since the newest words, by step. */
  readonly rounds: readonly (readonly Called[])[]
  /** Used in the id of the next call. */
  readonly nextCall: number
}

export interface Called {
  readonly tool: string
  /** Undefined if there is no result. */
  readonly result: Result | undefined
}

export interface Result {
  /** Without the tag around them. */
  readonly lines: readonly string[]
  readonly isError: boolean
}

type Message = LanguageModelV4Prompt[number]

export function viewOf({ prompt, tools = [], toolChoice }: LanguageModelV4CallOptions): OfflineView {
  const said = prompt.findIndex(({ role }) => role !== "system")
  const system = prompt
    .slice(0, said === -1 ? prompt.length : said)
    .flatMap((message) => (message.role === "system" ? [message.content] : []))
    .join("")
  const spoken = prompt.map(wordsOf)
  const newest = prompt.findLastIndex((message, at) => message.role === "user" && spoken[at] !== "")
  const since = prompt.slice(newest + 1)
  const offered = toolChoice?.type === "none" ? [] : tools
  return {
    isMinimal: system.startsWith(MINIMAL),
    hasAnswered: (label) =>
      prompt.some(({ role }, at) => role === "assistant" && spoken[at]?.startsWith(label)),
    words: since.some(isFinal) ? "" : (spoken[newest] ?? ""),
    earlier: spoken.slice(0, Math.max(0, newest)).filter((text) => text !== ""),
    head: new Map(sectionsOf(system)),
    turn: turnSections(prompt.slice(Math.max(0, said))),
    tools: new Map(
      offered.flatMap((tool) => (tool.type === "function" ? [[tool.name, argumentsOf(tool)]] : [])),
    ),
    rounds: roundsOf(since),
    nextCall: 1 + Math.max(0, ...callIds(prompt)),
  }
}

const MINIMAL = baseText({
  mode: "minimal",
  hasTools: false,
  hasTasks: false,
  hasShell: false,
  parallel: false,
  writes: false,
})

/** A tail alone may open a turn, as a schedule does. Words answered before it are done. */
function isFinal(message: Message): boolean {
  return message.role === "assistant" && !message.content.some(({ type }) => type === "tool-call")
}

function textsOf(message: Message): readonly string[] {
  if (message.role !== "user" && message.role !== "assistant") return []
  return message.content.flatMap((part) => (part.type === "text" ? [part.text] : []))
}

function wordsOf(message: Message): string {
  const texts = textsOf(message).map((text) => saidIn(splitTail(text).words))
  return texts.join("\n").trim()
}

/** In a room each message names its speaker; the words are inside that envelope. */
function saidIn(words: string): string {
  return words.startsWith("<said-by ") ? insideEnvelope(words) : words
}

/** The tail is at the start of a text. Only the compiler can write its tag. */
function splitTail(text: string): { readonly tail: string; readonly words: string } {
  const { open, close } = TAIL_ENVELOPE
  const end = text.startsWith(open) ? text.indexOf(close.trimEnd()) : -1
  if (end === -1) return { tail: "", words: text }
  return { tail: text.slice(open.length, end), words: text.slice(end + close.trimEnd().length) }
}

const SECTION = /^<([a-z0-9_-]+)(?: section="([^"]*)")?>\n(.*?)\n<\/\1>$/gms

function sectionsOf(text: string): readonly (readonly [string, string])[] {
  return [...text.matchAll(SECTION)].map(([, tag = "", section = tag, body = ""]) => [section, body] as const)
}

/** What the tail says about an ended section. */
const ENDED = "This no longer applies."

/** With a model that accepts late system messages, part of the tail is in one. */
function turnSections(said: LanguageModelV4Prompt): ReadonlyMap<string, string> {
  const told = new Map<string, string>()
  for (const message of said) {
    if (message.role !== "user" && message.role !== "system") continue
    const tails =
      message.role === "system" ? [message.content] : textsOf(message).map((text) => splitTail(text).tail)
    for (const [name, body] of tails.flatMap(sectionsOf)) {
      if (body === ENDED) told.delete(name)
      else told.set(name, body)
    }
  }
  return told
}

function argumentsOf({
  inputSchema,
}: {
  readonly inputSchema: { readonly properties?: object | undefined }
}) {
  return Object.keys(inputSchema.properties ?? {})
}

function roundsOf(messages: readonly Message[]): readonly (readonly Called[])[] {
  const results = new Map(
    messages.flatMap((message) =>
      message.role === "tool"
        ? message.content.flatMap((part) =>
            part.type === "tool-result" ? [[part.toolCallId, resultOf(part.output)] as const] : [],
          )
        : [],
    ),
  )
  return messages.flatMap((message) => {
    if (message.role !== "assistant") return []
    const calls = message.content.filter((part) => part.type === "tool-call")
    const called = calls.map(({ toolCallId, toolName }) => ({
      tool: toolName,
      result: results.get(toolCallId),
    }))
    return called.length === 0 ? [] : [called]
  })
}

function resultOf(output: LanguageModelV4ToolResultOutput): Result {
  const { type } = output
  const isError = type === "error-text" || type === "error-json" || type === "execution-denied"
  return { lines: unframed(outputText(output)), isError }
}

function outputText(output: LanguageModelV4ToolResultOutput): string {
  if (output.type === "execution-denied") return output.reason ?? "it was refused"
  if (output.type === "content")
    return output.value.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
  return typeof output.value === "string" ? output.value : JSON.stringify(output.value)
}

/** A tool's answer is often in a tag with the tool's name. */
function unframed(text: string): readonly string[] {
  const lines = text.replaceAll("\r\n", "\n").trimEnd().split("\n")
  const [, tag] = /^<([a-z_]+)(?: [^>]*)?>$/.exec(lines[0] ?? "") ?? []
  return tag !== undefined && lines.at(-1) === `</${tag}>` ? lines.slice(1, -1) : lines
}

/** What a script gets of it. */
export function scriptView({ words, tools, rounds }: OfflineView): ScriptView {
  return {
    message: words,
    tools: [...tools.keys()],
    results: rounds.flat().map(({ tool, result }) => ({
      name: tool,
      text: result?.lines.join("\n") ?? "There is no result.",
      isError: result?.isError ?? true,
    })),
  }
}

/** All texts of a call, for counting. */
export function textsSeen({ prompt, tools = [] }: LanguageModelV4CallOptions): readonly string[] {
  return [...prompt.flatMap(seenIn), ...tools.map((tool) => JSON.stringify(tool))]
}

function seenIn(message: Message): readonly string[] {
  if (message.role === "system") return [message.content]
  return message.content.map((part) => {
    if (part.type === "text" || part.type === "reasoning") return part.text
    if (part.type === "tool-call") return `${part.toolName} ${JSON.stringify(part.input)}`
    return part.type === "tool-result" ? outputText(part.output) : ""
  })
}

function callIds(prompt: LanguageModelV4Prompt): readonly number[] {
  return prompt.flatMap((message) =>
    message.role === "assistant"
      ? message.content.flatMap((part) =>
          part.type === "tool-call" ? [Number(/^call_(\d+)$/.exec(part.toolCallId)?.[1] ?? 0)] : [],
        )
      : [],
  )
}
