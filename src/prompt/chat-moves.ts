// What a program does with a chat apart from making requests. Each move checks first and changes the chat last, so that
// one that throws leaves it as it was.
import { guardPart } from "../core/layout/guard-part.ts"
import { checkMessages, type Message } from "../core/model/message.ts"
import { checkCallIds, openCalls, resultParts, type ToolCall, type ToolResult, toolCall } from "./calls.ts"
import { sessionFor } from "./chat-session.ts"
import type { ChatState } from "./chat-state.ts"
import { type ChatWork, checkAnswered, stateNow, turnOf, wrongOrder } from "./chat-work.ts"
import { writeTexts } from "./definition.ts"
import { isOwnMessages, type ModelOutput, readOutput } from "./formats.ts"
import { spokenMessage } from "./spoken-message.ts"

export function say(work: ChatWork, words: string | Message, inputs: object): void {
  const state = stateNow(work)
  checkAnswered(state.messages)
  const message = spokenMessage(words)
  const texts = writeTexts(work.kit.definition, "turn", inputs)
  const { report: _ofTheTurnBefore, ...rest } = state
  const turn = state.turn + 1
  const messages = [...state.messages, guarded(message)]
  moveTo(work, { ...rest, isWaiting: false, turn, texts, messages })
  work.turn = turnOf(turn, texts)
}

export function add(work: ChatWork, output: ModelOutput): readonly ToolCall[] {
  const state = stateNow(work)
  const messages = [...state.messages, ...read(state, output)]
  const calls = openCalls(messages)
  checkCallIds(calls)
  moveTo(work, { ...state, messages, isWaiting: false })
  return calls.map(toolCall)
}

function read({ target, isWaiting, messages }: ChatState, output: ModelOutput): readonly Message[] {
  if (isOwnMessages(output)) {
    checkMessages(output)
    return output.map(guarded)
  }
  if (target === undefined || !isWaiting)
    throw wrongOrder(
      "no request is waiting for an answer; make one first, with chat.openai(…) or another method",
    )
  return readOutput(target.format, output, messages).map(guarded)
}

export function answer(work: ChatWork, results: readonly ToolResult[], inputs: object | undefined): void {
  const state = stateNow(work)
  const calls = openCalls(state.messages)
  if (calls.length === 0) throw wrongOrder("no call is waiting for a result")
  const parts = resultParts(calls, results)
  const texts = inputs === undefined ? state.texts : writeTexts(work.kit.definition, "turn", inputs)
  moveTo(work, { ...state, texts, messages: withResults(state.messages, guarded({ role: "user", parts })) })
  if (inputs !== undefined) work.turn = turnOf(state.turn, texts)
}

/** All results of one answer are one message: some providers refuse them in two. */
function withResults(messages: readonly Message[], results: Message): readonly Message[] {
  const last = messages.at(-1)
  if (last?.role !== "user") return [...messages, results]
  return messages.with(-1, { ...last, parts: [...last.parts, ...results.parts] })
}

export function update(work: ChatWork, changes: object): void {
  const given = { ...work.given, ...changes, id: work.given.id }
  const session = sessionFor(work.kit.definition, given)
  moveTo(work, stateNow(work))
  work.given = given
  work.session = session
}

/** From here on, the newest request is part of the conversation. */
function moveTo(work: ChatWork, state: ChatState): void {
  work.state = state
  work.asked = undefined
}

/** Text of people and tools must not pass for the compiler's own. */
function guarded(message: Message): Message {
  return message.role === "user"
    ? { ...message, parts: message.parts.map((part) => guardPart(part)) }
    : message
}
