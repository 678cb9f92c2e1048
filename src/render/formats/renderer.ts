// What renderers share: options, breakpoints, tools and text. A renderer turns a prompt into a request for one
// provider; it drops nothing and decides nothing. conversation.ts writes the conversation.
import type { Diagnostic } from "../../base/diagnostic.ts"
import { canonicalJson } from "../../base/digest.ts"
import { oncePerObject } from "../../base/memo/once.ts"
import { wellFormed } from "../../base/text/well-formed.ts"
import type { TailForm } from "../../core/layout/tail.ts"
import type { Tool } from "../../core/model/inputs.ts"
import {
  isSent,
  type Message,
  type MessagePart,
  type NativeFormat,
  type SentPart,
} from "../../core/model/message.ts"
import type { Block } from "../../core/model/plan.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { type Breakpoint, planBreakpoints } from "../cache/breakpoints.ts"
import type { CacheRule } from "../cache/cache-rule.ts"
import { NO_CACHE, ruleFor } from "../cache/cache-rules.ts"
import { tailFormOf } from "./late-system.ts"
import { nativeOf } from "./native.ts"
import type { Rendered } from "./place.ts"

/** The model of a request, the length of its answer, and its cache marks. */
export interface RenderOptions {
  /** With or without its provider: `anthropic/claude-sonnet-5-5` or `claude-sonnet-5-5`. */
  readonly model: string
  /** The longest answer, in tokens. */
  readonly maxTokens?: number
  /** Replaces the planned breakpoints. */
  readonly breakpoints?: readonly Breakpoint[]
  /** Replaces the bundled rule for the model. */
  readonly rule?: CacheRule
  /** How long the conversation is cached; at most as long as the head. */
  readonly ttl?: string
  /** How many breakpoints the caller adds itself. */
  readonly taken?: number
  /** No later request continues this one, so its newest message isn't marked. */
  readonly oneOff?: boolean
  /** The messages leave out the prompt's tail on purpose. Otherwise a renderer refuses messages that lack it. */
  readonly withoutTail?: boolean
}

/**
 * Render options for providers with a cache key. For providers that route calls with the same key to the server that
 * has the prefix.
 */
export interface KeyedOptions extends RenderOptions {
  readonly cacheKey?: string
}

/**
 * A renderer: writes the request for one API. Parts of a request are cached and reused, so don't change it. Its type
 * is not readonly because SDKs require that.
 */
export type Render<R, O extends RenderOptions = RenderOptions> = (
  prompt: Prompt,
  messages: readonly Message[],
  options: O,
) => Rendered<R>

/** The breakpoint after a part of a message, if there is one. */
export type PartMarks<M> = (part: number) => M | undefined

/** Breakpoints by position, in the provider's form, for a renderer that writes a block or a part. */
export interface Marks<M> {
  readonly head: (block: number) => M | undefined
  /** Returns undefined for a message without a breakpoint. */
  readonly message: (message: number) => PartMarks<M> | undefined
}

export const NO_MARKS: Marks<never> = { head: () => undefined, message: () => undefined }

export interface MarkOptions<M> extends RenderOptions {
  /** Makes a breakpoint with this lifetime. */
  readonly mark: (ttl: string) => M
  /** How the renderer writes tails. Default: in messages. */
  readonly form?: TailForm
}

export function marksOf<M>(prompt: Prompt, messages: readonly Message[], options: MarkOptions<M>): Marks<M> {
  const { mark, breakpoints = planned(prompt, messages, options) } = options
  const head = new Map<number, M>()
  const parts = new Map<number, Map<number, M>>()
  for (const { after, ttl } of breakpoints) {
    if (after.kind === "head") head.set(after.block, mark(ttl))
    else
      parts.set(after.message, (parts.get(after.message) ?? new Map<number, M>()).set(after.part, mark(ttl)))
  }
  return {
    head: (block) => head.get(block),
    message: (message) => {
      const marked = parts.get(message)
      return marked && ((part) => marked.get(part))
    },
  }
}

function planned(
  prompt: Prompt,
  messages: readonly Message[],
  {
    model,
    rule = ruleFor(model),
    ttl,
    taken,
    oneOff = false,
    form = "message",
  }: RenderOptions & { readonly form?: TailForm },
): readonly Breakpoint[] {
  return planBreakpoints(prompt, messages, {
    rule,
    form,
    oneOff,
    ...(ttl !== undefined && { ttl }),
    ...(taken !== undefined && { taken }),
  })
}

/** For formats with cache marks. `full`: the model's name with its provider, if the format implies one. */
export function cacheDiagnostics(
  { model, rule, breakpoints }: RenderOptions,
  full = model,
): readonly Diagnostic[] {
  const isKnown = rule !== undefined || breakpoints !== undefined || ruleFor(full) !== NO_CACHE
  return isKnown ? [] : [{ code: "no-cache-rule", model }]
}

/** For renderers that can write a late system message: whether the model accepts it. */
export function tailFormFor(prompt: Prompt, { model, rule = ruleFor(model) }: RenderOptions): TailForm {
  return tailFormOf(prompt, rule)
}

/** The model's name without its provider. */
export function bareModel(model: string, provider: string): string {
  return model.startsWith(`${provider}/`) ? model.slice(provider.length + 1) : model
}

/** The parts that are sent, each with its index. Providers refuse empty text. */
export function sentParts({ parts }: Message): readonly (readonly [number, SentPart])[] {
  return [...parts.entries()].flatMap(([at, part]) => (isSent(part) ? [[at, part] as const] : []))
}

/**
 * The same with reasoning, for APIs that need it back. They refuse an answer that ends with it, as one does that reached
 * its limit of tokens while the model was thinking.
 */
export function writtenParts({ parts }: Message): readonly (readonly [number, MessagePart])[] {
  const last = parts.findLastIndex(isSaid)
  return [...parts.entries()].filter(([at, part]) => (part.kind === "reasoning" ? at < last : isSent(part)))
}

/** Fields of a message are no content of it. */
function isSaid(part: MessagePart): boolean {
  return isSent(part) && !(part.kind === "native" && part.fields)
}

export function isTail(part: MessagePart): boolean {
  return part.kind === "text" && part.tail === true
}

/** The name of the tool that a result comes from. Falls back to the id if the call is missing. */
export function toolNameOf(id: string, calls: Message | undefined): string {
  const call = calls?.parts.find((part) => part.kind === "tool-call" && part.id === id)
  return call?.kind === "tool-call" ? call.name : id
}

/**
 * The arguments of a call. Every API writes a call without arguments as an empty object, and only some take plain text
 * as the input of a custom tool. Made well-formed here already,
 * because some APIs take them as a JSON string, in which an unpaired surrogate would be hidden as an escape.
 */
export function callInput({ input }: Extract<MessagePart, { kind: "tool-call" }>): unknown {
  if (typeof input === "string") return { input: input.toWellFormed() }
  return input === undefined ? {} : wellFormed(input)
}

/** The arguments as JSON text: as the model wrote them, if that is known and still true. */
export function argumentsOf(part: Extract<MessagePart, { kind: "tool-call" }>, format: NativeFormat): string {
  const { arguments: written } = nativeOf(part, format)
  if (typeof written === "string" && saysInput(written, part)) return written.toWellFormed()
  return JSON.stringify(callInput(part))
}

/** A hook may have changed the input since. */
function saysInput(written: string, { input, unread }: Extract<MessagePart, { kind: "tool-call" }>): boolean {
  const read = unread === undefined ? parsedOr({}, written) : { unread: written }
  return canonicalJson(read) === canonicalJson(input)
}

function parsedOr(otherwise: unknown, text: string): unknown {
  return text.trim() === "" ? otherwise : JSON.parse(text)
}

/** A result for APIs that take values: its text, or what its JSON says. Text that was cut is no JSON any more. */
export function resultValue({ text, json }: Extract<MessagePart, { kind: "tool-result" }>): unknown {
  if (json !== true) return text
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

/**
 * The JSON Schema of a tool's arguments. The arguments of a tool are always an object; APIs refuse a schema that
 * doesn't say so.
 */
export interface ToolSchema {
  readonly type: "object"
  readonly [key: string]: unknown
}

/**
 * Renders each list of tools once, with sorted keys, so that the order of registration changes no byte. Every request has
 * its own list: programs add tools that the provider runs.
 */
export function toolsWriter<T>(render: (tool: Tool, parameters: ToolSchema) => T): (prompt: Prompt) => T[] {
  const rendered = oncePerObject((tools: readonly Tool[]) =>
    tools.map((tool) => render(tool, schemaOf(tool))),
  )
  return ({ tools }) => [...rendered(tools)]
}

function schemaOf({ parameters }: Tool): ToolSchema {
  // A record with a type was written, so a record with a type is read.
  return JSON.parse(canonicalJson({ type: "object", ...parameters })) as ToolSchema
}

interface JoinedHead {
  readonly text: string
  /** By block: where its text begins. */
  readonly offsets: readonly number[]
}

/** The head for APIs that take one string. Blocks end a line, so they need no separator. */
export function joinHead({ head }: Pick<Prompt, "head">): JoinedHead {
  return joinedHead(head)
}

const joinedHead = oncePerObject((head: readonly Block[]): JoinedHead => {
  let text = ""
  const offsets = head.map((block) => {
    const offset = text.length
    text += block.text
    return offset
  })
  return { text, offsets }
})

/** Text for APIs that take one string. A blank line separates parts that don't end a line. */
export function joinTexts(parts: readonly (readonly [number, string])[]): {
  readonly text: string
  /** By part: where its text begins. */
  readonly offsets: ReadonlyMap<number, number>
} {
  const offsets = new Map<number, number>()
  let text = ""
  for (const [part, next] of parts) {
    if (text !== "" && !text.endsWith("\n")) text += "\n\n"
    offsets.set(part, text.length)
    text += next
  }
  return { text, offsets }
}
