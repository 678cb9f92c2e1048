// What the providers refuse, taken from their documents, not measured. Bodies come from outside, so nothing is known
// of their types. The rules of Anthropic's Messages API are in examples/programs/messages-api.ts.

/** Why a provider would answer 400, or nothing. */
export type Refuse = (body: Json) => string | undefined
// biome-ignore lint/suspicious/noExplicitAny: a body is read the way a server reads it, field by field.
export type Json = any

/** The first problem that a check finds. */
function firstOf(...checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const found = check()
    if (found !== undefined) return found
  }
  return undefined
}

const say = (wrong: boolean, what: string) => (wrong ? what : undefined)
const MAX_BREAKPOINTS = 4

function tooMany(marks: readonly unknown[]): string | undefined {
  return say(marks.length > MAX_BREAKPOINTS, `at most 4 breakpoints, found ${marks.length}`)
}

function longAfterShort(ttls: readonly (string | undefined)[]): string | undefined {
  const short = ttls.findIndex((ttl) => ttl !== "1h")
  return say(short !== -1 && ttls.slice(short).includes("1h"), "a 1h breakpoint must not come after a 5m one")
}

/** Every call is answered, and every answer has its call. */
function unpaired(calls: readonly string[], results: readonly string[]): string | undefined {
  const open = calls.find((id) => !results.includes(id)) ?? results.find((id) => !calls.includes(id))
  return say(open !== undefined, `a tool call without its result, or the other way round: ${open}`)
}

const PLAIN = /^[a-zA-Z0-9_-]{1,64}$/

/** A call as any provider sees it. */
interface WireCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

/** Ids and names are plain, ids are used once, and the input of a call is an object. */
function badCalls(calls: readonly WireCall[], pattern: RegExp = PLAIN): string | undefined {
  const bad = calls.find(({ id }) => !pattern.test(id))
  if (bad !== undefined) return `the id of a call is not valid: ${JSON.stringify(bad.id)}`
  const named = calls.find(({ name }) => !PLAIN.test(name))
  if (named !== undefined) return `the name of a call is not valid: ${JSON.stringify(named.name)}`
  const twice = calls.find(({ id }, at) => calls.findIndex((one) => one.id === id) !== at)
  if (twice !== undefined) return `the id of a call is used twice: ${twice.id}`
  const odd = calls.find(({ input }) => typeof input !== "object" || input === null || Array.isArray(input))
  return say(odd !== undefined, `the input of the call ${odd?.id} is not an object`)
}

/** Arguments as text, which must be JSON. */
function inputIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const chatCalls = (turns: readonly Json[]): readonly WireCall[] =>
  turns.flatMap(({ tool_calls = [] }) =>
    tool_calls.map(({ id, function: { name, arguments: text } }: Json) => ({
      id,
      name,
      input: inputIn(text),
    })),
  )

const idsOf = (blocks: readonly Json[], of: (block: Json) => string | undefined) =>
  blocks.flatMap((block) => of(block) ?? [])

/** Explicit breakpoints came with GPT-5.6. */
function refuseBreakpoints(model: string, marks: readonly unknown[]): string | undefined {
  const [, major = 0, minor = 0] = /^gpt-(\d+)(?:[.-](\d+))?/.exec(model)?.map(Number) ?? []
  const isOld = major < 5 || (major === 5 && minor < 6)
  return say(isOld && marks.length > 0, `prompt_cache_breakpoint is not supported with ${model}`)
}

export function refuseResponses({ model, input }: Json) {
  const items: Json[] = input
  const blocks = items.flatMap(({ content, output }) => [content, output].filter(Array.isArray).flat())
  const marks = blocks.flatMap(({ prompt_cache_breakpoint }) => prompt_cache_breakpoint ?? [])
  return firstOf(
    () => refuseBreakpoints(model, marks),
    () => tooMany(marks),
    () =>
      say(
        blocks.some(({ text }) => text === ""),
        "text must not be empty",
      ),
    () =>
      badCalls(
        items
          .filter(({ type }) => type === "function_call")
          .map(({ call_id: id, name, arguments: text }) => ({ id, name, input: inputIn(text) })),
      ),
    () =>
      unpaired(
        idsOf(items, ({ type, call_id }) => (type === "function_call" ? call_id : undefined)),
        idsOf(items, ({ type, call_id }) => (type === "function_call_output" ? call_id : undefined)),
      ),
  )
}

export function refuseChat({ model, messages }: Json) {
  const turns: Json[] = messages
  const blocks = turns.flatMap(({ content }) => (Array.isArray(content) ? content : []))
  const marks = blocks.flatMap(({ prompt_cache_breakpoint }) => prompt_cache_breakpoint ?? [])
  return firstOf(
    () => refuseBreakpoints(model, marks),
    () => tooMany(marks),
    () =>
      say(
        blocks.some(({ text }) => text === ""),
        "text must not be empty",
      ),
    () => badCalls(chatCalls(turns)),
    () => unansweredInChat(turns),
  )
}

function unansweredInChat(turns: readonly Json[]): string | undefined {
  for (const [at, { tool_calls }] of turns.entries()) {
    if (tool_calls === undefined) continue
    const end = turns.findIndex(({ role }, later) => later > at && role !== "tool")
    const results = turns.slice(at + 1, end === -1 ? undefined : end)
    const problem = unpaired(
      idsOf(tool_calls, ({ id }) => id),
      idsOf(results, ({ tool_call_id }) => tool_call_id),
    )
    if (problem !== undefined) return problem
  }
  return undefined
}

export function refuseCompatible({ messages }: Json) {
  const turns: Json[] = messages
  const system = turns.flatMap(({ role }, at) => (role === "system" || role === "developer" ? [at] : []))
  return firstOf(
    () =>
      say(
        system.some((at) => at > 0),
        "System message must be at the beginning.",
      ),
    () =>
      say(
        turns.some(({ role }) => role === "developer"),
        "unexpected role developer",
      ),
    () =>
      say(
        turns.some(({ role, content }) => role === "user" && content === ""),
        "text must not be empty",
      ),
    // Such servers make ids of many forms, and take what they made.
    () => badCalls(chatCalls(turns), /^\S+$/),
    () => unansweredInChat(turns),
  )
}

export function refuseGoogle({ contents }: Json) {
  const turns: Json[] = contents
  return firstOf(
    () =>
      say(
        turns.some(({ role }) => role !== "user" && role !== "model"),
        "please use a valid role: user, model",
      ),
    () =>
      say(
        turns.some(({ parts }) => parts.length === 0),
        "contents.parts must not be empty",
      ),
    () =>
      say(
        turns.some(({ parts }) => parts.some(({ text }: Json) => text === "")),
        "text must not be empty",
      ),
    () => say(turns.at(-1)?.role !== "user", "please ensure that the last turn is the user's"),
    () =>
      badCalls(
        turns.flatMap(({ parts }) =>
          parts.flatMap(({ functionCall: call }: Json) =>
            call === undefined ? [] : [{ id: call.id, name: call.name, input: call.args }],
          ),
        ),
      ),
    () => {
      for (const [at, { parts }] of turns.entries()) {
        const calls = idsOf(parts, ({ functionCall }) => functionCall && callName(functionCall))
        const next: Json[] = turns[at + 1]?.parts ?? []
        const results = idsOf(next, ({ functionResponse }) => functionResponse && callName(functionResponse))
        const problem = calls.length > 0 && unpaired(calls, results)
        if (problem) return problem
      }
      return undefined
    },
  )
}

const callName = ({ id, name }: Json) => `${id} ${name}`

export function refuseBedrock({ system = [], messages, toolConfig }: Json) {
  const turns: Json[] = messages
  const blocks: Json[] = [...(toolConfig?.tools ?? []), ...system, ...turns.flatMap(({ content }) => content)]
  const marks: Json[] = blocks.flatMap(({ cachePoint }) => cachePoint ?? [])
  return firstOf(
    () => tooMany(marks),
    () =>
      say(
        turns.some(({ role }) => role === "system"),
        "role system is not supported",
      ),
    () =>
      say(
        blocks.some(({ text }) => text?.trim() === ""),
        "The text field in the ContentBlock is blank.",
      ),
    () => longAfterShort(marks.map(({ ttl }) => ttl)),
    () =>
      badCalls(
        turns.flatMap(({ content }) =>
          content.flatMap(({ toolUse: call }: Json) =>
            call === undefined ? [] : [{ id: call.toolUseId, name: call.name, input: call.input }],
          ),
        ),
      ),
    () =>
      say(
        turns.some(({ role }, at) => role !== (at % 2 === 0 ? "user" : "assistant")),
        "roles must alternate, beginning with the user's",
      ),
    () => say(turns.at(-1)?.role !== "user", "a conversation must end with a user message"),
    () =>
      say(
        turns
          .flatMap(({ content }) => content)
          .some(({ toolResult }) => toolResult?.content.some(({ text }: Json) => text?.trim() === "")),
        "The text field in the ContentBlock is blank.",
      ),
    () => {
      for (const [at, { content }] of turns.entries()) {
        const calls = idsOf(content, ({ toolUse }) => toolUse?.toolUseId)
        const next: Json[] = turns[at + 1]?.content ?? []
        const problem =
          calls.length > 0 &&
          unpaired(
            calls,
            idsOf(next, ({ toolResult }) => toolResult?.toolUseId),
          )
        if (problem) return problem
      }
      return undefined
    },
  )
}
