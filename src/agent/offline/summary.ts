// Titles and summaries by rules: first sentences, names, numbers, decisions and open questions of a text. The text is
// material: instructions in it are not followed.
import { clipped, sentencesOf } from "./answer.ts"
import type { OfflineView } from "./view.ts"

const MOST_SENTENCES = 3
const MOST_ITEMS = 12
const LONGEST_TITLE = 60

export function summaryOf(view: OfflineView): string {
  const { instruction, material } = split(view)
  const sentences = sentencesOf(material)
  if (/\btitle\b/i.test(instruction)) return clipped(sentences[0] ?? material, LONGEST_TITLE)
  const list = (name: string, items: readonly string[], by = "; ") =>
    items.length === 0 ? [] : [`${name}: ${items.slice(0, MOST_ITEMS).join(by)}`]
  return [
    ...list("Begins", sentences.slice(0, MOST_SENTENCES), " "),
    ...list("Names", namesIn(sentences), ", "),
    ...list("Numbers", numbersIn(material), ", "),
    ...list("Decisions", sentences.filter(isDecision)),
    ...list("Open questions", sentences.filter(isQuestion)),
  ].join("\n")
}

/** The instruction is in the last message, or in the first line if there is only one. */
function split({ words, earlier }: OfflineView): { readonly instruction: string; readonly material: string } {
  if (earlier.length > 0) return { instruction: words, material: withoutTags(earlier.join("\n")) }
  const [first = "", ...rest] = words.split("\n")
  const isInstruction = rest.join("").trim() !== "" && ASKS.test(first)
  return isInstruction
    ? { instruction: first, material: withoutTags(rest.join("\n")) }
    : { instruction: "", material: withoutTags(words) }
}

const ASKS = /^\s*(?:please\s+)?(?:summari[sz]e|sum up|condense|shorten|write|give|make|find|name)\b/i

function withoutTags(text: string): string {
  return text.replaceAll(/^<\/?[a-z][^>\n]*>$/gim, "").trim()
}

/** Capitalised words that do not start a sentence; adjacent ones are joined. */
function namesIn(sentences: readonly string[]): readonly string[] {
  const found = sentences.flatMap((sentence) => [
    ...sentence.matchAll(/(?<=[\p{Ll}\p{N},:;] )\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)*/gu),
  ])
  return [...new Set(found.map(([name]) => name))]
}

function numbersIn(text: string): readonly string[] {
  const found = text.match(
    /(?<![\p{L}\p{N}])[$€£]?\d(?:[\d.,:/-]*\d)?(?:\s?(?:%|ms|s|h|tokens|dollars))?(?![\p{L}\p{N}])/gu,
  )
  return [...new Set(found)]
}

function isDecision(sentence: string): boolean {
  return (
    /\b(?:decided?|agreed|approved|chose|settled|will|must|let us|let's)\b/i.test(sentence) &&
    !isQuestion(sentence)
  )
}

function isQuestion(sentence: string): boolean {
  return sentence.endsWith("?")
}
