// Compiles sections of the caller's own: the chat of `definePrompt`, one call at a time. Its state goes out with the
// answer and comes back with the next call, so that any program gets the same bytes as one that holds the chat.
import { IncipitError } from "../../../base/error.ts"
import type { Prompt } from "../../../core/model/prompt.ts"
import type { ToolCall } from "../../../prompt/calls.ts"
import type { Chat } from "../../../prompt/chat.ts"
import type { SavedChat } from "../../../prompt/chat-state.ts"
import type { DefinedPrompt } from "../../../prompt/define-prompt.ts"
import { definePrompt } from "../../../prompt/define-with-o200k.ts"
import { type AnyDefinedSection, perSession, perTurn, text } from "../../../prompt/defined-section.ts"
import type { ModelOutput } from "../../../prompt/formats.ts"
import { SurfaceError } from "../../talk/surface-error.ts"
import { badField } from "../read-input.ts"
import type { InlineBody } from "./inline-schema.ts"

type AnyChat = Chat<object, object>

export interface InlineCompiled {
  /** Undefined after an output: its calls wait for results, or the turn is over. */
  readonly made: { readonly prompt: Prompt; readonly request: unknown } | undefined
  readonly calls: readonly ToolCall[]
  readonly chat: SavedChat
}

/** Throws a refusal that says what is wrong with the body. */
export function compileInline(body: InlineBody): InlineCompiled {
  return blamingTheBody(body, () => {
    const chat = chatOf(body)
    const { output, results, message, target } = body
    // `add` checks what it gets.
    const calls = output === undefined ? [] : chat.add(output as ModelOutput)
    // The texts of turn sections may have changed with the results.
    if (results !== undefined) chat.answer(results, {})
    if (message !== undefined) chat.say(message, {})
    const isOver = output !== undefined && results === undefined && message === undefined
    if (isOver) return { made: undefined, calls, chat: chat.save() }
    const request = requestOf(chat, target)
    const { prompt } = chat
    return { made: prompt && { prompt, request }, calls: [], chat: chat.save() }
  })
}

function chatOf({ chat: saved, audience = {}, ...body }: InlineBody): AnyChat {
  const prompt = promptOf(body)
  // `resume` checks what it gets.
  if (saved !== undefined) return prompt.resume(saved as unknown as SavedChat, audience)
  if (body.message === undefined)
    throw badField("message", "is missing: a chat begins with what the person says")
  return prompt.open({ ...audience, id: "api" })
}

function promptOf({ sections, tools, budget, ttl }: Omit<InlineBody, "chat">): DefinedPrompt<object, object> {
  const ids = sections.map(({ id }) => id)
  const twice = ids.findIndex((id, at) => ids.indexOf(id) !== at)
  if (twice !== -1) throw badField(`sections.${twice}.id`, `there are two sections "${ids[twice]}"`)
  return definePrompt({
    sections: Object.fromEntries(sections.map((one) => [one.id, sectionOf(one)])),
    ...{ tools, budget, ttl },
  })
}

function sectionOf(given: InlineBody["sections"][number]): AnyDefinedSection {
  const { id: _key, text: words, pace, onChange, ...options } = given
  // The schema has checked that `onChange` fits the pace.
  if (pace === "turn") return perTurn(() => words, { ...options, onChange: onChange as "turn" })
  const head = { ...options, onChange: onChange as "append" }
  return pace === "session" ? perSession(() => words, head) : text(words, head)
}

function requestOf(chat: AnyChat, { format, model, ...options }: InlineBody["target"]): unknown {
  return chat[format](model, definedOnly(options))
}

function definedOnly({ maxTokens, cacheKey }: Pick<InlineBody["target"], "maxTokens" | "cacheKey">) {
  return { ...(maxTokens !== undefined && { maxTokens }), ...(cacheKey !== undefined && { cacheKey }) }
}

/** It depends on nothing but the body, so whatever is thrown is the body's fault. */
function blamingTheBody<T>({ chat }: InlineBody, compile: () => T): T {
  try {
    return compile()
  } catch (error) {
    if (error instanceof SurfaceError) throw error
    if (error instanceof IncipitError) throw new SurfaceError(400, error.code, `${error.message}.`)
    // A saved chat is checked only on its surface.
    if (chat !== undefined) throw badField("chat", "is damaged; send it back as it was returned")
    throw error
  }
}
