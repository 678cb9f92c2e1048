// Checks what a renderer is given, before it writes a request. The types exclude most of these mistakes, but a host may
// be written in JavaScript, and a prompt that loses text without a word is worse than one that is refused.
import { IncipitError } from "../../base/error.ts"
import { checkMessages, type Message } from "../../core/model/message.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import type { RenderOptions } from "./renderer.ts"

/** Throws if the request would lack something that the prompt's plan lists. */
export function checkGiven(
  prompt: Prompt,
  messages: readonly Message[],
  options: Pick<RenderOptions, "model" | "withoutTail">,
): void {
  checkPrompt(prompt)
  checkMessages(messages)
  const model: unknown = (options as Partial<RenderOptions> | undefined)?.model
  if (typeof model !== "string" || model === "")
    throw new IncipitError("bad-render-call", 'a renderer needs a model, such as { model: "gpt-5.2" }')
  if (options.withoutTail !== true) checkTail(prompt, messages)
}

/** Throws if it isn't what `head.step` or `compile` returns. */
export function checkPrompt(prompt: unknown): void {
  const isPrompt = typeof prompt === "object" && prompt !== null && "plan" in prompt && "head" in prompt
  if (!isPrompt)
    throw new IncipitError(
      "bad-render-call",
      "a renderer needs the prompt that head.step(turn) or compile(…) returns",
    )
}

/**
 * Throws if the text of the tail is nowhere in the messages. The plan would say that it was sent, and the next step
 * would not send it again. A host that keeps its own transcript may have lost the mark of the tail, but not its text.
 */
export function checkTail({ tail, plan, head }: Prompt, messages: readonly Message[]): void {
  if (tail === undefined) return
  const text = tail.text.trimEnd()
  const isThere = messages.findLast(({ parts }) =>
    parts.some((part) => part.kind === "text" && part.text.includes(text)),
  )
  if (isThere !== undefined) return
  const lost = plan.entries.flatMap(({ kind, id, spans }) =>
    kind !== "envelope" && spans.some(({ block }) => block === head.length) ? [id] : [],
  )
  throw new IncipitError(
    "tail-missing",
    `the messages lack the prompt's turn context (${lost.join(", ")}); call attach(messages, prompt.tail) first`,
  )
}
