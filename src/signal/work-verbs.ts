// Verbs that ask for work when they begin a sentence, by the mode of the work. Lists only verbs that people use as in
// "fix the link". A verb with several meanings has no mode, and a word that is also a noun ("run", "test") counts only
// before an object, since "Run time doubled" asks for nothing.
import type { SignalMode } from "./signal.ts"

interface WorkVerb {
  /** Absent if the verb alone doesn't determine it: you can add to a list, or add a login. */
  readonly mode: SignalMode | undefined
  readonly isNoun: boolean
}

const BY_MODE: readonly (readonly [mode: SignalMode | undefined, verbs: string, nouns: string])[] = [
  ["build", "write create generate implement scaffold compose prepare", "build draft design"],
  ["execute", "send deploy install execute merge publish launch rerun reboot restart", "run start stop"],
  ["execute", "import export sync kill remind subscribe post cancel upload download", "book schedule print"],
  ["analyze", "analyze analyse compare investigate summarize summarise evaluate examine inspect", "review"],
  ["analyze", "assess diagnose verify", "audit check rank"],
  ["maintain", "fix update upgrade rename refactor migrate replace tidy simplify rewrite reformat", "change"],
  ["maintain", "correct shorten increase decrease reduce lower remove bump swap", "move repair patch"],
  ["maintain", "modernize adjust tighten improve clean", "pin sort format"],
  [undefined, "add delete put make give show translate explore find apply handle extract commit", "set open"],
  [
    undefined,
    "restore revert undo bring convert keep collect ensure configure enable disable",
    "test use turn",
  ],
  [
    undefined,
    "list read arrange choose suggest recommend propose proofread append insert",
    "plan search look",
  ],
  [
    undefined,
    "get take close finish continue complete connect rebase reset archive invite",
    "order log call try",
  ],
]

const VERBS: ReadonlyMap<string, WorkVerb> = new Map(
  BY_MODE.flatMap(([mode, verbs, nouns]) => [
    ...entries(verbs, { mode, isNoun: false }),
    ...entries(nouns, { mode, isNoun: true }),
  ]),
)

function entries(words: string, verb: WorkVerb): readonly (readonly [string, WorkVerb])[] {
  return words.split(" ").map((word) => [word, verb])
}

/** The start of an object: "fix the", "run all", "send it". */
const OBJECT =
  /^(?:the|a|an|this|that|these|those|it|them|him|her|us|me|my|our|your|his|their|all|any|some|every|each|both|another|new|as|to|at|up|down|on|off|in|out|over|through|into|for|how|what|which|whether|if|why|and|\d.*|["'`(].*|.*[/_.#(].*|.*[a-z]'s)$/

/** Makes the word before it a noun: "Update failed", "Install takes ten minutes", "Fix: …". */
const PREDICATE =
  /^(?:is|are|was|were|has|have|had|does|did|do|fails?|failed|failing|works?|worked|breaks?|broke|takes?|took|went|goes|landed|seems?|looks?|looked|button|page|time|error|errors|results?|request|requests|of|from|arrived|finished|done|still|again|never|always|will|can|would)$/

export interface WorkAsked {
  readonly mode: SignalMode | undefined
}

/** The work that the words ask for, if they begin with a verb that asks for some. Lower case. */
export function workAsked(words: readonly string[]): WorkAsked | undefined {
  const [said = "", next = ""] = words
  const verb = VERBS.get(said)
  if (verb === undefined) return undefined
  const isAsked = verb.isNoun ? OBJECT.test(next) : next !== "" && !PREDICATE.test(next)
  return isAsked ? { mode: said === "make" ? modeOfMaking(words) : verb.mode } : undefined
}

export function isWorkVerb(word: string): boolean {
  return VERBS.has(word)
}

/** "Make a list" builds something; "make the button bigger" changes something that exists. */
function modeOfMaking([, next = "", after = ""]: readonly string[]): SignalMode | undefined {
  if (/^(?:a|an)$/.test(next) || (next === "me" && /^(?:a|an)$/.test(after))) return "build"
  return undefined
}
