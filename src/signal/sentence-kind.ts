// What one English sentence of a message does, judged by its form: its first word, whether it inverts subject and verb,
// how it ends. A sentence that matches no form is a statement; an ambiguous one is `unsure`.
import type { SignalMode } from "./signal.ts"
import { isWorkVerb, workAsked } from "./work-verbs.ts"

export type SentenceKind =
  | { readonly kind: "direct"; readonly mode: SignalMode | undefined }
  | { readonly kind: "ask" | "commit" | "decide" | "express" | "inform" | "statement" | "unsure" }

const FILLERS =
  /^(?:(?:please|pls|plz|kindly|just|now|then|also|and|but|so|ok|okay|hey|hi|hello|well|first|next|finally|quickly|maybe|thanks|thx|no|yes|yeah|actually|anyway|urgent|asap|important)\b[\s,:-]*)+/
const PLEASE = /\b(?:please|pls|plz)\b/
const LAST_PLEASE = /,?\s+(?:please|pls|plz)\s*\??$/
const OTHERS_ASKED = /\b(?:can|could|would|will)\s+(?:you|u|ya|we|someone|somebody|anyone|anybody)\b/

const POLITE =
  /^(?:can|could|would|will)\s+(?:you|u|ya)\s+(?:(?:please|pls|plz|kindly|maybe|also|just|quickly|then)\s+)*(.*)$/
const WOULD_MIND = /^(?:would|do)\s+(?:you|u)\s+mind\s+\w+ing\b/
const NEEDED =
  /^(?:(?:i|we)(?:'d| would|'ll)?\s+(?:need|want|like)\s+(?:you|u)\s+to|(?:it'd|it would)\s+be\s+(?:great|nice|lovely|good|helpful)\s+if\s+you\s+could|help\s+me(?:\s+to)?|let's)\s+(.*)$/
const NEEDED_THING = /^(?:i|we)\s+need\s+an?\s+[\w-]+(?:\s+[\w-]+)?\s+(?:that|which)\b/
const KEPT_INFORMED = /^let\s+me\s+know\s+(?:as soon as|when|once|if)\b/
const EXPLAINED =
  /^(?:explain|describe|clarify|tell\s+me\s+(?:what|why|how|which|who|when|where|if|whether|about|more))\b/

const AUXILIARY =
  "is|are|was|were|am|do|does|did|has|have|had|can|could|should|shall|would|will|might|may|must|isn't|aren't|doesn't|don't|didn't|won't|can't|hasn't|haven't|wasn't|weren't|wouldn't|shouldn't|couldn't"
const QUESTION_WORD = new RegExp(
  `^(?:what|why|how|when|where|who|which|whose)\\s+(?:${AUXILIARY}|many|much|long|old|often|far|come|to|time|year|kind|version|port)\\b`,
)
const SHORT_QUESTION = /^(?:what|who|where|when|how|why)(?:'?s|'re)\s+(?!more\b)\S/
const BEGINS_LIKE_QUESTION = /^(?:what|why|how|when|where|who|which|whose|any idea|do you know)\b/
const SUGGESTED = /^(?:how about|why not|why don't|why doesn't|shall we|what if|any chance)\b/
const TURNED = new RegExp(
  `^(?:${AUXILIARY})\\s+(?:i|it|there|this|that|the|a|an|any|anyone|anything|my|our|your|he|she|they|these|those|people)\\s+\\S`,
)
const TURNED_TO_YOU = /^(?:do|did|are|were|have)\s+you\s+(?!mind\b)\S/
const ENGLISH =
  /\b(?:the|is|are|was|were|do|does|did|will|can|it|this|that|my|our|you|to|of|and|in|for|with|not|have|has)\b/

const COMMITTED =
  /^(?:(?:i|we)(?:'ll| will)|(?:i'm|i am|we're|we are)\s+going\s+to|i\s+promise(?:\s+(?:to|that))?(?:\s+i'll)?)\s+(?!be\b|need\b|have\b|want\b|like\b|never\b|not\b|take the\b|go with\b|let you\b|probably\b|see\b)\w+/
const LET_ME = /^let\s+me\s+(?:check|try|look|think|ask|find out|get back|finish|do|handle|take care)\b/
const DECIDED =
  /^(?:approved|confirmed|agreed|rejected|go ahead|do it|ship it|let's go with|we'll go with|i'll go with|(?:i|we)(?:'ve| have)? decided (?!nothing|not)|option \w+$|(?:cancel|scrap|drop) (?:it|that)$)/
const FELT =
  /^(?:thank|thanks|thx|ty\b|cheers|wow|yay|ugh|argh|omg|haha|lol|hooray|great job|great work|good job|well done|nice work|awesome|amazing|good (?:morning|night|evening)|(?:i|we) (?:really |just |so )?(?:love|hate|adore)\b|i(?:'m| am) (?:so|really|very) \w+|i (?:can't|cannot|can not) believe|this is (?:so |really |just )?(?:terrible|awful|great|amazing|awesome|horrible|frustrating|annoying|wonderful|ridiculous|fantastic)|what an? (?:mess|day|week|relief|disaster|shame|pity|nightmare|release)|so (?:proud|happy|sad|frustrated|tired|annoyed|glad|excited|sorry)|feeling|you(?:'re| are) (?:the best|amazing|awesome|a lifesaver|great|wonderful)|.*\bmade my day\b)/
const LONGEST_FEELING = 12
const NOTED =
  /^(?:fyi|for your information|just so you know|for (?:context|the record|reference)|by the way|btw|note that|reminder|heads up|update:|some context|background:)/

/** Takes a sentence in lower case, with straight apostrophes and single spaces. */
export function kindOf(sentence: string): SentenceKind {
  // Before `FILLERS`: information often begins with words that are fillers elsewhere.
  if (NOTED.test(sentence)) return { kind: PLEASE.test(sentence) ? "unsure" : "inform" }
  const bare = sentence.replace(FILLERS, "").replace(/[.!,;:\s]+$/, "")
  const isMarked = /\?["')\s]*$/.test(sentence)
  if (bare === "") return { kind: FELT.test(sentence) ? "express" : "statement" }
  if (DECIDED.test(bare)) return { kind: "decide" }
  const asked = requestIn(bare)
  if (asked !== undefined) return asked
  if (isQuestion(bare, isMarked)) return answerWanted(bare)
  if (isMarked || PLEASE.test(bare) || SUGGESTED.test(bare)) return { kind: "unsure" }
  if (COMMITTED.test(bare) || LET_ME.test(bare)) return { kind: "commit" }
  const isShort = bare.split(" ").length <= LONGEST_FEELING
  if (isShort && (FELT.test(bare) || FELT.test(sentence))) return { kind: "express" }
  return orderInside(bare) ?? { kind: "statement" }
}

/** Requested work or a requested answer, in one of the forms that people use. */
function requestIn(bare: string): SentenceKind | undefined {
  const words = bare.split(" ")
  if (EXPLAINED.test(bare)) return answerWanted(bare)
  if (WOULD_MIND.test(bare) || KEPT_INFORMED.test(bare)) return { kind: "direct", mode: undefined }
  if (NEEDED_THING.test(bare)) return { kind: "direct", mode: "build" }
  const wanted = POLITE.exec(bare)?.[1] ?? NEEDED.exec(bare)?.[1]
  if (wanted === undefined) {
    const work = workAsked(words)
    return work && { kind: "direct", mode: modeOfAll(bare, work.mode) }
  }
  if (EXPLAINED.test(wanted)) return answerWanted(wanted)
  const work = workAsked(wanted.split(" "))
  if (work !== undefined) return { kind: "direct", mode: modeOfAll(wanted, work.mode) }
  // "Can you see it?" is a question; with an unknown verb it could be either.
  return { kind: "unsure" }
}

function isQuestion(bare: string, isMarked: boolean): boolean {
  // "What time is it, please?" is still a question; elsewhere "please" may belong to a request.
  const isPlea = PLEASE.test(BEGINS_LIKE_QUESTION.test(bare) ? bare.replace(LAST_PLEASE, "") : bare)
  if (SUGGESTED.test(bare) || isPlea) return false
  if (OTHERS_ASKED.test(bare) && !BEGINS_LIKE_QUESTION.test(bare)) return false
  if (
    QUESTION_WORD.test(bare) ||
    SHORT_QUESTION.test(bare) ||
    TURNED.test(bare) ||
    TURNED_TO_YOU.test(bare)
  ) {
    return !/^(?:what|how) an?\b/.test(bare)
  }
  if (!isMarked) return false
  return BEGINS_LIKE_QUESTION.test(bare) || ENGLISH.test(bare)
}

/** Clauses after the first: what follows a comma, "and", "then" or "but". */
function laterClauses(bare: string): readonly string[] {
  return bare
    .split(/[,;:]\s+|\s+(?:and|then|but)\s+/)
    .slice(1)
    .map((clause) => clause.replace(FILLERS, ""))
}

/** A question, unless it also asks for work: "Tell me how, and apply it." */
function answerWanted(bare: string): SentenceKind {
  const hasOrder = laterClauses(bare).some((clause) => workAsked(clause.split(" ")) !== undefined)
  return { kind: hasOrder ? "unsure" : "ask" }
}

/** "If the tests pass, merge it": a statement that ends in an order. Only with an object that cannot be a name. */
function orderInside(bare: string): SentenceKind | undefined {
  const clauses = bare.split(/[,;]\s+/).slice(1)
  const order = clauses
    .map((clause) => clause.replace(FILLERS, "").split(" "))
    .find(
      ([verb = "", next = ""]) => isWorkVerb(verb) && /^(?:the|it|that|this|them|those|these)$/.test(next),
    )
  return order && { kind: "direct", mode: workAsked(order)?.mode }
}

/** The mode of the first verb, unless a later clause asks for work with another mode. */
function modeOfAll(words: string, first: SignalMode | undefined): SignalMode | undefined {
  const others = laterClauses(words).flatMap((clause) => workAsked(clause.split(" ")) ?? [])
  return others.every(({ mode }) => mode === undefined || mode === first) ? first : undefined
}
