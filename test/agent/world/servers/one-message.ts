// Requests as tests read them: what a model is sent as a system message after the user's words is put back into the
// message before it, as other models get it. Most tests ask what was told, and not in which form; those that do ask
// look at the bytes as they were sent.
import type { Json } from "./refusals.ts"

const OPEN = "<turn-context>\n"
const CLOSE = "</turn-context>\n\n"

/** The body itself, if it has no late system message. */
export function inOneMessage(body: Json): Json {
  const field = Array.isArray(body.messages) ? "messages" : "input"
  const items: readonly Json[] = Array.isArray(body[field]) ? body[field] : []
  const isSystem = ({ role }: Json) => role === "system" || role === "developer"
  const first = items.findIndex((item) => !isSystem(item))
  if (first === -1 || !items.slice(first).some(isSystem)) return body
  const merged: Json[] = []
  for (const [at, item] of items.entries()) {
    if (at < first || !isSystem(item)) merged.push(item)
    else merged.push(...withTail(merged.pop(), item))
  }
  return { ...body, [field]: merged }
}

function withTail(said: Json, late: Json): readonly Json[] {
  const [block] = typeof late.content === "string" ? [{ text: late.content }] : late.content
  const { text, type: _type, ...mark } = block
  // A result of a tool is an item of its own in some protocols: the tail is the message after it.
  if (!Array.isArray(said?.content)) return [said, { role: "user", content: [tailOf(said, text, mark)] }]
  const content: readonly Json[] = said.content
  const known = content.findIndex((part) => part.text?.startsWith(OPEN))
  if (known !== -1) {
    const whole = content[known].text.slice(0, -CLOSE.length) + text + CLOSE
    return [{ ...said, content: marked(content.with(known, { ...content[known], text: whole }), mark) }]
  }
  const tail = tailOf(said, text, {})
  const isWithinTurn = content.some(({ type }) => type === "tool_result")
  return [{ ...said, content: marked(isWithinTurn ? [...content, tail] : [tail, ...content], mark) }]
}

function tailOf(said: Json, text: string, mark: object): Json {
  const isResponses = said?.type === "function_call_output" || said?.content?.[0]?.type === "input_text"
  return { type: isResponses ? "input_text" : "text", text: OPEN + text + CLOSE, ...mark }
}

function marked(content: readonly Json[], mark: object): readonly Json[] {
  return content.with(-1, { ...content.at(-1), ...mark })
}
