// A conversation as text: the material for a model that does not have it in its cache, and the excerpt that is kept if
// no model summarises it.
import { firstCharacters, lastCharacters } from "../../../base/text/characters.ts"
import type { Message } from "../../../core/model/message.ts"
import { nativeName } from "../../../core/model/part-text.ts"
import { insideEnvelope } from "../../../core/view/envelope.ts"
import type { Speaker, StoredItem } from "../../../database/contract/transcripts.ts"
import { speakerLabel } from "../../inbox/speaker.ts"
import { messageOf } from "../../models/item-messages.ts"

const PART_CHARACTERS = 4_000
const LINE_END = /\r\n|[\n\r\u2028\u2029]/g

/** The conversation, one paragraph per part. */
export function transcriptText(items: readonly StoredItem[]): string {
  return items.flatMap(linesOf).join("\n\n")
}

function linesOf({ item }: StoredItem): readonly string[] {
  const message = messageOf(item)
  return message === undefined ? [] : partLines(message, item.kind === "message" ? item.by : undefined)
}

function partLines({ role, parts }: Message, by: Speaker | undefined): readonly string[] {
  return parts.flatMap((part) => {
    if (part.kind === "reasoning" || (part.kind === "text" && part.tail)) return []
    if (part.kind === "native") return part.fields ? [] : [`${role}: [${nativeName(part.value)}]`]
    if (part.kind === "tool-call") return [`${role} calls ${part.name} ${JSON.stringify(part.input)}`]
    const isSaid = part.kind === "text" && part.envelope === true && by !== undefined
    const who = part.kind === "tool-result" ? "tool" : isSaid ? speakerLabel(by) : role
    const whole = isSaid ? insideEnvelope(part.text) : part.text
    const first = firstCharacters(whole, PART_CHARACTERS)
    const text = first === whole ? whole : `${first} ...`
    // Indent further lines, so that none is mistaken for another speaker.
    return [`${who}: ${text.trim().replaceAll(LINE_END, "\n  ")}`]
  })
}

const EXCERPT_CHARACTERS = 200
const OLD_CHARACTERS = 8_000

/** Without a model: the summary so far, then questions and answers by their first words. */
export function excerptOf(items: readonly StoredItem[]): string {
  const old = items.flatMap(({ item }) =>
    item.kind === "summary" ? [lastCharacters(item.text, OLD_CHARACTERS)] : [],
  )
  const spoken = items.filter(({ item }) => item.kind !== "summary")
  const lines = spoken.flatMap((one) =>
    linesOf(one)
      .filter((line) => !line.startsWith("tool:") && !line.includes(" calls "))
      .map((line) => `- ${firstCharacters(line.replaceAll(/\s+/g, " "), EXCERPT_CHARACTERS)}`),
  )
  return [...old, ...lines].join("\n")
}
