// The next step of the offline model: replays its scripts over the calls of this turn and continues after them. It
// keeps no state between calls, so the same conversation always gives the same step.
import { resumedPlan } from "../feeds/plan-text.ts"
import { callExample } from "./call-tool.ts"
import { carryOut, type Rule } from "./carry-out.ts"
import { CALL_ANY, INTENTS } from "./intents.ts"
import { planOf } from "./plan.ts"
import { type Call, type Intent, match, type Script, say } from "./script.ts"
import type { Called, OfflineView } from "./view.ts"

export type OfflineStep =
  | { readonly kind: "calls"; readonly calls: readonly Call[] }
  | { readonly kind: "answer"; readonly text: string }
  /** There is no request, or nothing to report and nobody to read it. */
  | { readonly kind: "silence" }

export function nextStep(view: OfflineView): OfflineStep {
  if (view.words === "") return { kind: "silence" }
  const plan = view.turn.has("plan-mode") ? undefined : resumedPlan(view.words)
  if (plan !== undefined) return play([carryOut(plan, view, (step) => ruleFor(asked(step), view))], view)
  const requests = requestsOf(view.words)
  const scripts = requests.map((request) => scriptFor(request, view))
  const known = scripts.filter((script) => script !== undefined)
  if (known.length === 0 && view.head.has("background")) return { kind: "silence" }
  return play(
    scripts.map((script, at) => script ?? say(help(view, requests[at] ?? ""))),
    view,
  )
}

function requestsOf(words: string): readonly string[] {
  // Match only at the start of a run of blanks: trying each blank would be quadratic.
  return words.split(/(?<!\s)\s+and also\s+/i).map(asked)
}

/** The request without polite phrases. */
function asked(request: string): string {
  return (
    request
      .trim()
      // A greeting alone is kept and answered as one.
      .replace(/^(?:hello|hi|hey|good (?:morning|afternoon|evening))(?: there)?[,.! ]+(?!there\b)(?=\S)/i, "")
      .replace(/^(?:(?:please|now|then|could you|can you|would you|will you)[, ]+)+/i, "")
      .replace(/,? please(?=[.?!]*$)/i, "")
  )
}

/** Rules are for requests, not for pasted text, and the patterns are slower than linear. */
const LONGEST_REQUEST = 4_000

/** The script for a request; undefined if no rule fits. */
function scriptFor(request: string, view: OfflineView): Script | undefined {
  if (request.length > LONGEST_REQUEST) return undefined
  const fitting = rulesFor(request, view)
  const found = fitting.find(({ intent }) => isOffered(intent, view))
  const isPlanned = view.turn.has("plan-mode") && (found === undefined || found.intent.changes === true)
  if (isPlanned) return planOf(request, found?.intent, view)
  if (found !== undefined) return found.script
  const [lacking] = fitting
  return lacking && say(`I cannot ${lacking.intent.can} here: ${whyNot(lacking.intent)}.`)
}

function ruleFor(request: string, view: OfflineView): Rule | undefined {
  return rulesFor(request, view).find(({ intent }) => isOffered(intent, view))
}

function rulesFor(request: string, view: OfflineView): readonly Rule[] {
  if (request.length > LONGEST_REQUEST) return []
  return INTENTS.flatMap((intent) => {
    const script = match(intent, request, view)
    return script === undefined ? [] : [{ intent, script }]
  })
}

function isOffered({ tool, section }: Intent, { tools, head, turn }: OfflineView): boolean {
  const isSent = section === undefined || head.has(section) || turn.has(section)
  return isSent && (tool === undefined || tools.has(tool))
}

function whyNot({ tool }: Intent): string {
  return tool === undefined ? "my prompt does not mention it" : "there is no tool for it"
}

/** Plays all scripts in step: their next calls are sent together. */
function play(scripts: readonly Script[], { rounds }: OfflineView): OfflineStep {
  const done: Called[][] = scripts.map(() => [])
  for (let round = 0; ; round += 1) {
    const wanted = scripts.map(({ steps }, at) => steps[round]?.(done[at] ?? []) ?? [])
    const calls = wanted.flat()
    if (calls.length === 0) break
    const made = rounds[round]
    if (made === undefined) return { kind: "calls", calls }
    let place = 0
    for (const [at, own] of wanted.entries())
      for (const call of own) done[at]?.push(calledAs(call, made[place++]))
  }
  return { kind: "answer", text: scripts.map(({ answer }, at) => answer(done[at] ?? [])).join("\n\n") }
}

/** Another model may have begun the turn; its calls do not count as answers to this one. */
function calledAs({ tool }: Call, made: Called | undefined): Called {
  return made?.tool === tool ? made : { tool, result: undefined }
}

/** The tools with the most telling examples; others follow in the order of the table. */
const SHOWN_FIRST = "memory_write memory_search list read shell task_write incipit_cost incipit_logs".split(
  " ",
)
const MOST_EXAMPLES = 8
const ASKS_FOR_HELP = /^(?:help|what can (?:you|i) (?:do|say|ask)\b.*)[.?!]*$/i

function help(view: OfflineView, request: string): string {
  const offered = INTENTS.filter((intent) => intent !== CALL_ANY && isOffered(intent, view))
  const first = SHOWN_FIRST.flatMap((name) => offered.find(({ tool }) => tool === name) ?? [])
  const examples = new Set([
    ...[...first, ...offered].map(({ example }) => example),
    ...customTools(view).map(([name, names]) => callExample(name, names)),
  ])
  const why = ASKS_FOR_HELP.test(request)
    ? "I answer by fixed rules."
    : "I answer by fixed rules, and none of them fits."
  const lines = [...examples].slice(0, MOST_EXAMPLES).map((example) => `- ${example}`)
  return [`${why} Examples of what I understand:`, ...lines].join("\n")
}

/** Tools that no rule is about, with the names of their arguments. */
function customTools({ tools }: OfflineView): readonly (readonly [string, readonly string[]])[] {
  const known = new Set(INTENTS.map(({ tool }) => tool))
  return [...tools].filter(([name]) => !known.has(name))
}
