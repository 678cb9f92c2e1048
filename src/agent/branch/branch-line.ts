// The line about what a fork left behind. It is made from the transcript without a model, so that the same conversation
// gives the same bytes. The model must know of it: what tools have changed there is still changed.
import { firstCharacters } from "../../base/text/characters.ts"
import { type Message, wordsIn } from "../../core/model/message.ts"
import { insideEnvelope, plainName } from "../../core/view/envelope.ts"
import type { StoredItem } from "../../database/contract/transcripts.ts"
import { speakerLabel } from "../inbox/speaker.ts"

/** How much of a message is quoted. */
const QUOTED = 80

/** Returns undefined if nothing was said there. `isRoom`: each quoted message names its speaker. */
export function branchLine(left: readonly StoredItem[], isRoom: boolean): string | undefined {
  const said = left.flatMap(({ item }) => (item.kind === "message" && item.by !== undefined ? [item] : []))
  const messages = left.flatMap(({ item }) => (item.kind === "message" ? [item.message] : []))
  const answer = messages.findLast(({ role, parts }) => role === "assistant" && wordsIn(parts).trim() !== "")
  if (said.length === 0 && answer === undefined) return undefined
  const quotes = [said.at(0), said.length > 1 ? said.at(-1) : undefined].flatMap((item) => {
    if (item?.by === undefined) return []
    const words = quoted(spoken(item.message))
    return [isRoom ? `${speakerLabel(item.by)}: ${words}` : words]
  })
  return [
    `The conversation went back to here. ${countText(left, said.length)} left behind${quotesText(quotes)}.`,
    ...(answer === undefined ? [] : [`The last answer there: ${quoted(wordsIn(answer.parts))}.`]),
    ...toolsText(messages),
  ].join(" ")
}

function countText(left: readonly StoredItem[], count: number): string {
  // A summary stands for an unknown number of messages.
  const isMore = left.some(({ item }) => item.kind === "summary")
  if (count === 0) return isMore ? "Earlier messages were" : "An answer was"
  return `${isMore ? "At least " : ""}${count} message${count === 1 && !isMore ? " was" : "s were"}`
}

function quotesText([first, last]: readonly string[]): string {
  if (first === undefined) return ""
  return last === undefined ? `: ${first}` : `: from ${first} to ${last}`
}

function toolsText(messages: readonly Message[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const part of messages.flatMap(({ parts }) => parts))
    if (part.kind === "tool-call") counts.set(part.name, (counts.get(part.name) ?? 0) + 1)
  if (counts.size === 0) return []
  const tools = [...counts].map(
    ([name, count]) => `${plainName(name)}${count === 1 ? "" : ` (${count} times)`}`,
  )
  return [`Tools called there: ${tools.join(", ")}. What they changed is still changed.`]
}

/** What a person said, without the tail and the envelope around it. */
function spoken({ parts }: Message): string {
  const own = parts.filter((part) => part.kind === "text" && part.tail !== true)
  return own
    .map((part) => (part.kind !== "text" ? "" : part.envelope ? insideEnvelope(part.text) : part.text))
    .join("")
}

/** On one line, with visible characters only. */
function quoted(text: string): string {
  const line = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ").trim()
  const start = firstCharacters(line, QUOTED)
  return `"${start === line ? line : `${start}...`}"`
}
