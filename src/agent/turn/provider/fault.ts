// Finds the message that a provider names when it refuses a request for its content, such as
// `messages.5.content.0.tool_use.id`. Providers count entries on the wire: some include the head, some merge messages
// of one role, some split one answer. Runs of one role have the same order everywhere, so runs are counted.
import { isSent, type Message } from "../../../core/model/message.ts"

export interface Fault {
  /** The index of the message in the conversation. */
  readonly message: number
  /** The index of its part, if the provider names it. */
  readonly part?: number
}

const PLACE = /\b(?:messages|input|contents)(?:\.|\.?\[)(\d+)\]?(?:\.(?:content|parts)(?:\.|\.?\[)(\d+))?/

/** `why`: the provider's error text. `body`: the request as sent. */
export function faultIn(why: string, body: string, messages: readonly Message[]): Fault | undefined {
  const [, entry, part] = PLACE.exec(why) ?? []
  if (entry === undefined) return undefined
  const group = groupOf(entriesOf(body), Number(entry))
  const members = group === undefined ? [] : membersOf(messages, group)
  return part === undefined ? lastOf(members) : (partOf(messages, members, Number(part)) ?? lastOf(members))
}

type Role = Message["role"]

/** The roles of a request's entries, in order; undefined for the head. */
function entriesOf(body: string): readonly (Role | undefined)[] {
  const { messages, input, contents } = recordOf(JSON.parse(body))
  const entries = [messages, input, contents].find(Array.isArray) ?? []
  return entries.map((entry) => roleOf(recordOf(entry)))
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  // Fields are only read by name, and each may be missing.
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

const OF_THE_MODEL = ["assistant", "model", "function_call", "reasoning"]

function roleOf({ role, type }: Readonly<Record<string, unknown>>): Role | undefined {
  if (role === "system" || role === "developer") return undefined
  return OF_THE_MODEL.includes(String(role ?? type)) ? "assistant" : "user"
}

/** How many runs of one role come before the entry's. Undefined for the head. */
function groupOf(roles: readonly (Role | undefined)[], entry: number): number | undefined {
  if (roles[entry] === undefined) return undefined
  const said = roles.slice(0, entry + 1).filter((role) => role !== undefined)
  return said.filter((role, at) => at > 0 && role !== said[at - 1]).length
}

/** The indexes of a run's messages. A message that sends nothing is in no run. */
function membersOf(messages: readonly Message[], group: number): readonly number[] {
  const sent = [...messages.entries()].filter(([, { parts }]) => parts.some(isSent))
  let run = 0
  return sent.flatMap(([at, { role }], place) => {
    if (place > 0 && role !== sent[place - 1]?.[1].role) run += 1
    return run === group ? [at] : []
  })
}

function lastOf(members: readonly number[]): Fault | undefined {
  const message = members.at(-1)
  return message === undefined ? undefined : { message }
}

/** Parts of merged messages are numbered consecutively. */
function partOf(messages: readonly Message[], members: readonly number[], wanted: number): Fault | undefined {
  let left = wanted
  for (const message of members) {
    const parts = [...(messages[message]?.parts.entries() ?? [])].filter(
      ([, part]) => part.kind === "reasoning" || isSent(part),
    )
    const found = parts[left]
    if (found !== undefined) return { message, part: found[0] }
    left -= parts.length
  }
  return undefined
}
