// What renderers have in common: their options, the breakpoints that they write down, and where the tail stands in
// the conversation. A renderer turns a prompt into a request for one provider; it orders, drops and decides nothing.
import type { Message } from "../core/message.ts"
import type { Prompt } from "../core/prompt.ts"
import { type Breakpoint, type Position, planBreakpoints } from "./breakpoints.ts"
import { type CacheRule, ruleFor } from "./cache-rules.ts"
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
}

export type Render<R> = (prompt: Prompt, messages: readonly Message[], options: RenderOptions) => Rendered<R>

/** Lifetimes by place: what a renderer asks when it writes a block or a part. */
export interface Marks {
  readonly head: (block: number) => string | undefined
  readonly part: (message: number, part: number) => string | undefined
}

export function marksOf(prompt: Prompt, messages: readonly Message[], options: RenderOptions): Marks {
  const { breakpoints = planned(prompt, messages, options) } = options
  const at = (wanted: Position) => breakpoints.find(({ after }) => isSame(after, wanted))?.ttl
  return {
    head: (block) => at({ kind: "head", block }),
    part: (message, part) => at({ kind: "message", message, part }),
  }
}

function planned(
  prompt: Prompt,
  messages: readonly Message[],
  { model, rule = ruleFor(model), ttl, taken }: RenderOptions,
): readonly Breakpoint[] {
  return planBreakpoints(prompt, messages, {
    rule,
    ...(ttl !== undefined && { ttl }),
    ...(taken !== undefined && { taken }),
  })
}

function isSame(a: Position, b: Position): boolean {
  if (a.kind === "head") return b.kind === "head" && a.block === b.block
  return b.kind === "message" && a.message === b.message && a.part === b.part
}

/** The model's own name, as its provider knows it. */
export function bareModel(model: string, provider: string): string {
  return model.startsWith(`${provider}/`) ? model.slice(provider.length + 1) : model
}

/** The newest part that is this prompt's tail. From the end: two turns within a minute may have the same one. */
export function tailPosition(
  { tail }: Prompt,
  messages: readonly Message[],
): { readonly message: number; readonly part: number } | undefined {
  if (tail === undefined) return undefined
  for (let message = messages.length - 1; message >= 0; message -= 1) {
    const parts = messages[message]?.parts ?? []
    const part = parts.findLastIndex(
      (candidate) => candidate.kind === "text" && candidate.tail === true && candidate.text === tail.text,
    )
    if (part !== -1) return { message, part }
  }
  return undefined
}
