// Questions about a named file: reads it and quotes the lines that share words with the question.
import { keywordsOf, quoted, saidBy, troubleOf } from "./answer.ts"
import { ask, type Script } from "./script.ts"
import type { Called } from "./view.ts"

const MOST_LINES = 5

/** A word with a dot and an extension, or with a slash, but not a web address. */
const NAMED =
  /(?<![\w:/])(?:[\w.~-]*\/)*[\w-]*\.[a-z][a-z0-9]{0,7}\b(?!:\/)|(?<![\w:/])[\w.~-]+(?:\/[\w.-]+)+/i

export function fileNamedIn(text: string): string | undefined {
  return NAMED.exec(text)?.[0]
}

export function askFile(path: string, question: string): Script {
  const wanted = keywordsOf(question.replaceAll(path, " "))
  return ask([{ tool: "read", input: { path } }], ([called]) =>
    called === undefined ? `I could not read ${path}.` : tell(path, wanted, called),
  )
}

function tell(path: string, wanted: readonly string[], called: Called): string {
  const trouble = troubleOf(called)
  if (trouble !== undefined) return trouble
  const lines = called.result?.lines ?? []
  const fitting = lines
    .map((line, at) => ({ line, at, shared: sharedWords(line, wanted) }))
    .filter(({ shared }) => shared > 0)
    .toSorted((a, b) => b.shared - a.shared || a.at - b.at)
    .slice(0, MOST_LINES)
    .toSorted((a, b) => a.at - b.at)
  return fitting.length === 0
    ? `No line of ${path} shares a word with the question. ${saidBy(called)}`
    : `The lines of ${path} that match best:\n${quoted(fitting.map(({ line }) => line))}`
}

/** Two words match if one is a prefix of the other, so that "lamps" matches "lamp". */
function sharedWords(line: string, wanted: readonly string[]): number {
  const words = keywordsOf(line)
  return wanted.filter((one) => words.some((other) => isSame(one, other))).length
}

function isSame(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.length >= 3 ? long.startsWith(short) && long.length - short.length <= 3 : one === other
}
