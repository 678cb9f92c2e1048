// What renderers have in common: their options, the breakpoints that they write down, tools and text. A renderer turns a
// prompt into a request for one provider; it drops and decides nothing. conversation.ts writes the conversation.
import { canonicalJson } from "../../base/digest.ts"
import { wellFormed } from "../../base/text/well-formed.ts"
import type { TailForm } from "../../core/layout/tail.ts"
import { isSent, type Message, type MessagePart, type SentPart } from "../../core/model/message.ts"
import type { Block } from "../../core/model/plan.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import type { Tool } from "../../core/model/scope.ts"
import { type Breakpoint, planBreakpoints } from "../cache/breakpoints.ts"
import type { CacheRule } from "../cache/cache-rule.ts"
import { ruleFor } from "../cache/cache-rules.ts"
import { tailFormOf } from "./late-system.ts"
import type { Rendered } from "./place.ts"

export interface RenderOptions {
  /** With or without its provider: `anthropic/claude-sonnet-5-5` or `claude-sonnet-5-5`. */
  readonly model: string
  /** The longest answer, in tokens. */
  readonly maxTokens?: number
  /** In place of the planned ones. */
  readonly breakpoints?: readonly Breakpoint[]
  /** In place of the bundled rule for the model. */
  readonly rule?: CacheRule
  /** How long the conversation is kept; at most as long as the head. */
  readonly ttl?: string
  /** How many breakpoints the caller adds itself. */
  readonly taken?: number
  /** Nothing goes on from this request, so its newest message is not marked. */
  readonly oneOff?: boolean
}

/** For providers that route calls with one key to where the prefix is. */
export interface KeyedOptions extends RenderOptions {
  readonly cacheKey?: string
}

/** What was written once is used again, so a request is not to be changed; it is typed as SDKs ask for it. */
export type Render<R, O extends RenderOptions = RenderOptions> = (
  prompt: Prompt,
  messages: readonly Message[],
  options: O,
) => Rendered<R>

/** The breakpoint after a part of a message, if there is one. */
export type PartMarks<M> = (part: number) => M | undefined

/** Breakpoints by place, in the provider's form: what a renderer asks when it writes a block or a part. */
export interface Marks<M> {
  readonly head: (block: number) => M | undefined
  /** Nothing for a message without a breakpoint. */
  readonly message: (message: number) => PartMarks<M> | undefined
}

export const NO_MARKS: Marks<never> = { head: () => undefined, message: () => undefined }

export interface MarkOptions<M> extends RenderOptions {
  /** A breakpoint that lives so long. */
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

/** For renderers that can write a late system message: whether the model takes it. */
export function tailFormFor(prompt: Prompt, { model, rule = ruleFor(model) }: RenderOptions): TailForm {
  return tailFormOf(prompt, rule)
}

/** The model's own name, as its provider knows it. */
export function bareModel(model: string, provider: string): string {
  return model.startsWith(`${provider}/`) ? model.slice(provider.length + 1) : model
}

/** The parts that are sent, each with its number: providers refuse empty text. */
export function sentParts({ parts }: Message): readonly (readonly [number, SentPart])[] {
  return [...parts.entries()].flatMap(([at, part]) => (isSent(part) ? [[at, part] as const] : []))
}

export function isTail(part: MessagePart): boolean {
  return part.kind === "text" && part.tail === true
}

/** The name of the tool that a result is from. A result without its call cannot be named: its id stands in. */
export function toolNameOf(id: string, calls: Message | undefined): string {
  const call = calls?.parts.find((part) => part.kind === "tool-call" && part.id === id)
  return call?.kind === "tool-call" ? call.name : id
}

/**
 * The arguments of a call; a call without any has none, which every API writes as an empty object. Well-formed already
 * here: some APIs take them as a string of JSON, in which half a pair would be hidden as an escape.
 */
export function callInput({ input }: Extract<MessagePart, { kind: "tool-call" }>): unknown {
  return input === undefined ? {} : wellFormed(input)
}

/** The same as the text that a model wrote. */
export function argumentsOf(part: Extract<MessagePart, { kind: "tool-call" }>): string {
  return JSON.stringify(callInput(part))
}

/** The arguments of a tool are always an object, and a schema that says less is refused. */
export interface ToolSchema {
  readonly type: "object"
  readonly [key: string]: unknown
}

/** Renders lists of tools, each list once, with sorted keys: whatever order a host registers in changes no byte. */
export function toolsWriter<T>(render: (tool: Tool, parameters: ToolSchema) => T): (prompt: Prompt) => T[] {
  const known = new WeakMap<readonly Tool[], T[]>()
  return ({ tools }) => {
    const found = known.get(tools)
    if (found !== undefined) return found
    const made = tools.map((tool) => render(tool, schemaOf(tool)))
    known.set(tools, made)
    return made
  }
}

function schemaOf({ parameters }: Tool): ToolSchema {
  // What was written as a record with a type is read as one.
  return JSON.parse(canonicalJson({ type: "object", ...parameters })) as ToolSchema
}

interface JoinedHead {
  readonly text: string
  /** By block: where its text begins. */
  readonly offsets: readonly number[]
}

const HEADS = new WeakMap<readonly Block[], JoinedHead>()

/** The head for targets that take one string. Blocks end a line, so nothing stands between them. */
export function joinHead({ head }: Prompt): JoinedHead {
  const known = HEADS.get(head)
  if (known !== undefined) return known
  let text = ""
  const offsets = head.map((block) => {
    const offset = text.length
    text += block.text
    return offset
  })
  HEADS.set(head, { text, offsets })
  return { text, offsets }
}

/** Text for targets that take one string; parts that do not end a line are kept apart by a blank one. */
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
