// Tool calls of an answer, and the results that go back. Providers refuse a conversation in which a call has no result
// or a result has no call, so both are checked here, where the mistake is made.
import { IncipitError } from "../base/error.ts"
import { isRecord } from "../base/is-record.ts"
import { plainJson, resultText } from "../base/text/result-text.ts"
import type { Message, MessagePart } from "../core/model/message.ts"

/** A call of a tool that the model asks for. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  /** The arguments as the model wrote them: check them before you use them. */
  readonly input: unknown
  /** Why the arguments could not be read. Don't run the call; answer it with an error. */
  readonly problem?: string
}

/** What a call returned. Text is sent as it is, any other value as JSON. */
export type ToolResult = {
  /** The id of the call. */
  readonly id: string
  /** Whether the call failed. */
  readonly isError?: boolean | undefined
} & ({ readonly output: unknown } | { readonly text: string })

type CallPart = Extract<MessagePart, { kind: "tool-call" }>
type ResultPart = Extract<MessagePart, { kind: "tool-result" }>

/** The calls of the newest answer that have no result yet. */
export function openCalls(messages: readonly Message[]): readonly CallPart[] {
  const last = messages.findLastIndex(({ role }) => role === "assistant")
  const first = messages.findLastIndex(({ role }, at) => at < last && role !== "assistant") + 1
  const parts = messages.slice(first).flatMap((message) => message.parts)
  const answered = new Set(parts.flatMap((part) => (part.kind === "tool-result" ? [part.id] : [])))
  return parts.filter((part) => part.kind === "tool-call").filter(({ id }) => !answered.has(id))
}

const PROBLEMS = {
  cut: "the arguments were cut off",
  malformed: "the arguments are not a JSON object",
} as const

/** Throws if two calls have the same id: a result could not say which of them it answers. */
export function checkCallIds(calls: readonly CallPart[]): void {
  const ids = new Set<string>()
  for (const { id } of calls) {
    if (ids.has(id))
      throw new IncipitError("bad-sdk-messages", `the output has two calls with the id "${id}"`)
    ids.add(id)
  }
}

export function toolCall({ id, name, input, unread }: CallPart): ToolCall {
  return unread === undefined ? { id, name, input } : { id, name, input, problem: PROBLEMS[unread] }
}

/** In the order of the calls, each call once. */
export function resultParts(
  calls: readonly CallPart[],
  results: readonly ToolResult[],
): readonly ResultPart[] {
  if (!Array.isArray(results))
    throw badResults(`answer takes a list of { id, output }, not ${given(results)}`)
  const byId = new Map<string, ToolResult>()
  for (const [at, result] of results.entries()) {
    checkResult(result, `result ${at + 1}`)
    if (byId.has(result.id)) throw badResults(`there are two results for the call "${result.id}"`)
    if (!calls.some(({ id }) => id === result.id))
      throw badResults(
        `there is a result for "${result.id}", but the open calls are ${calls.map(({ id }) => `"${id}"`).join(", ")}`,
      )
    byId.set(result.id, result)
  }
  return calls.map((call) => {
    const result = byId.get(call.id)
    if (result === undefined) throw badResults(`the call "${call.id}" of ${call.name} has no result`)
    return resultPart(call, result)
  })
}

/** The types exclude these, but a program may be written in JavaScript. */
function checkResult(result: unknown, name: string): void {
  if (!isRecord(result) || result instanceof Promise)
    throw badResults(`${name} is ${given(result)}, not an object with id and output`)
  if (typeof result.id !== "string")
    throw badResults(`${name} has no id; pass the id of the call that add returned`)
  if (result.output instanceof Promise)
    throw badResults(`the output of the call "${result.id}" is a promise; wait for it first`)
}

function given(value: unknown): string {
  if (value instanceof Promise) return "a promise (wait for it first)"
  if (value === undefined || value === null) return String(value)
  if (Array.isArray(value)) return "a list"
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}

function resultPart({ id, name }: CallPart, result: ToolResult): ResultPart {
  if (!("output" in result) && !("text" in result))
    throw badResults(`the result of the call "${id}" has neither output nor text`)
  const value = "output" in result ? result.output : result.text
  const json = jsonOf(value)
  if (json !== undefined)
    return { kind: "tool-result", id, text: json, json: true, ...errorFlag(result.isError) }
  const { text, isError } = resultText(name, value)
  return { kind: "tool-result", id, text, ...errorFlag(isError || result.isError) }
}

function errorFlag(isError: boolean | undefined): { readonly isError?: true } {
  return isError ? { isError } : {}
}

/** Objects and lists as JSON without white space, which costs tokens. Anything else has a text of its own. */
function jsonOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || value instanceof Error || ArrayBuffer.isView(value))
    return undefined
  try {
    const json = plainJson(value)
    // A date is written as a string, for example.
    return json !== undefined && /^[[{]/.test(json) ? json : undefined
  } catch {
    // Getters and `toJSON` are the program's code and may throw anything.
    return undefined
  }
}

function badResults(problem: string): IncipitError {
  return new IncipitError("bad-tool-results", problem)
}
