// Whether a message asks for work that should be planned first. The request decides, not the length or urgency of the
// message: work on something large that has several parts or affects the whole of it.
import { sentencesOf } from "./read-message.ts"
import { kindOf } from "./sentence-kind.ts"

const WANTED = /^(?:so\s+|and\s+)?(?:i|we)(?:'d| would)?\s+(?:need|want|like)\s+(?:to|an?|you)\b/
const HEAVY_WORK =
  /\b(?:migrat|refactor|redesign|re-?architect|restructur|overhaul|moderni[sz]|integrat|mov(?:e|ing)\b.*\bfrom\b|split)/
const LARGE_THING =
  /\b(?:system|platform|backend|frontend|app|application|api|pipeline|module|database|engine|framework|service|codebase|code base|project|suite|website|site|tool|library|infrastructure|architecture|client|server|interface)s?\b/
const WHOLE =
  /\b(?:whole|entire|complete|full|everything|everywhere|every|all (?:of )?(?:the|our)|across|throughout|from scratch)\b/
const FEWEST_PARTS = 3

/**
 * Whether a message asks for work that is better planned first. False for questions, for information, and for work of
 * a single step.
 */
export function wantsPlan(message: string): boolean {
  const sentences = sentencesOf(message)
  const kinds = sentences.map((sentence) => kindOf(sentence).kind)
  const isAsked = kinds.includes("direct") || sentences.some((sentence) => WANTED.test(sentence))
  if (!isAsked || kinds.includes("ask")) return false
  const text = sentences.join(" ")
  const isLarge = HEAVY_WORK.test(text) || LARGE_THING.test(text)
  return isLarge && (WHOLE.test(text) || sentences.some((sentence) => partsOf(sentence) >= FEWEST_PARTS))
}

/** How many things a sentence lists: "a login, a calendar and an email" are three. */
function partsOf(sentence: string): number {
  return sentence.split(/,\s+(?:and\s+|or\s+)?|\s+and\s+|;\s+/).length
}
