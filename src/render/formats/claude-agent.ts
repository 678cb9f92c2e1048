// Renders a prompt for `query` of `@anthropic-ai/claude-agent-sdk`. The SDK keeps the conversation, sets its own
// breakpoints and has its own tools. Sends the head, split at the first text that changes, and the newest message.
import { wellFormed } from "../../base/text/well-formed.ts"
import { checkMessages, type Message } from "../../core/model/message.ts"
import type { Prompt } from "../../core/model/prompt.ts"
import { checkPrompt, checkTail } from "./check.ts"
import { tailPosition } from "./conversation.ts"
import { ownParts } from "./native.ts"
import { placesOf, type Rendered } from "./place.ts"
import { joinTexts, type RenderOptions, sentParts } from "./renderer.ts"

/** What `query` of the Claude Agent SDK takes. */
export interface ClaudeAgentRequest {
  /** For the options of `query`. */
  readonly systemPrompt: string[]
  readonly prompt: string
}

/** The SDK's marker between text that all sessions share and text of this session. */
export const BOUNDARY = "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__"

/** Writes the system prompt and the message for the Claude Agent SDK. */
export function renderClaudeAgent(
  prompt: Prompt,
  messages: readonly Message[],
  { withoutTail = false }: Pick<RenderOptions, "withoutTail"> = {},
): Rendered<ClaudeAgentRequest> {
  checkPrompt(prompt)
  checkMessages(messages)
  const { head } = prompt
  const moving = head.findIndex(({ pace }) => pace !== "stable")
  const stable = moving === -1 ? head.length : moving
  const texts = head.map(({ text }) => text)
  const newest = messages.findLastIndex(({ role }) => role === "user")
  const { text, offsets } = joinTexts(textsOf(messages[newest]))
  const position = tailPosition(prompt, messages)
  const offset = position?.message === newest ? offsets.get(position.part) : undefined
  if (offset === undefined && !withoutTail)
    checkTail(prompt, messages.slice(newest === -1 ? messages.length : newest))
  return {
    request: wellFormed({
      systemPrompt: head.length === 0 ? [] : texts.toSpliced(stable, 0, BOUNDARY),
      prompt: text,
    }),
    places: placesOf(prompt, {
      head: (block) => ({ pointer: `/systemPrompt/${block < stable ? block : block + 1}`, offset: 0 }),
      tail:
        offset === undefined
          ? []
          : [{ start: 0, end: prompt.tail?.text.length ?? 0, pointer: "/prompt", offset }],
    }),
    diagnostics: ownMessages(messages.slice(newest, newest + 1)).diagnostics,
  }
}

const ownMessages = ownParts(undefined)

function textsOf(message: Message | undefined): readonly (readonly [number, string])[] {
  if (message === undefined) return []
  return sentParts(message).flatMap(([at, part]) => (part.kind === "text" ? [[at, part.text] as const] : []))
}
