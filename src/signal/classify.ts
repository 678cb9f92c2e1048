// Classifies a message by rules: tables of words, tried in order; the first match wins. Ignores grammar: "no new
// features" counts as building. A host that knows better passes its own signal.
import { closingExclamation, type FindKeyword, findKeyword, fold, questionMark } from "./keywords.ts"
import type { Signal, SignalFormat, SignalGenre, SignalMode, SignalType } from "./signal.ts"
import { type Share, weigh } from "./weigh.ts"

/** What is known about a message besides its text. */
export interface ClassifyOptions {
  /** Where the message came from, such as "cli" or "telegram:42". */
  readonly channel?: string | undefined
}

/** What decided a value. */
export type Reason =
  | { readonly kind: "word"; readonly word: string }
  | { readonly kind: "mark"; readonly mark: string }
  | { readonly kind: "channel"; readonly channel: string }
  | { readonly kind: "default" }

/** What kind of message it is, and why. */
export interface Classified {
  readonly signal: Signal
  readonly reasons: Readonly<Record<"mode" | "genre" | "type" | "format", Reason>>
  readonly shares: readonly Share[]
}

interface Rule<Value> {
  readonly value: Value
  readonly word?: FindKeyword
  readonly mark?: FindKeyword
}

const MODE_RULES: readonly Rule<SignalMode>[] = [
  {
    value: "build",
    word: findKeyword({
      starts: ["build", "create", "generate", "make", "scaffold", "design"],
      whole: ["new"],
    }),
  },
  {
    value: "execute",
    word: findKeyword({ starts: ["run", "execute", "trigger", "sync", "send", "import", "export"] }),
  },
  {
    value: "analyze",
    word: findKeyword({
      starts: ["analyze", "report", "dashboard", "metrics", "trend", "compare", "kpi"],
    }),
  },
  {
    value: "maintain",
    word: findKeyword({
      starts: ["update", "upgrade", "migrate", "fix", "health", "backup", "restore", "rollback", "version"],
    }),
  },
]

const GENRE_RULES: readonly Rule<SignalGenre>[] = [
  {
    value: "direct",
    word: findKeyword({ starts: ["please", "run", "make", "create", "send"], whole: ["do"] }),
    // So "Thanks!" is `direct`, not `express`.
    mark: closingExclamation,
  },
  {
    value: "commit",
    word: findKeyword({ whole: ["i will", "i'll", "let me", "i promise", "i commit"] }),
  },
  {
    value: "decide",
    word: findKeyword({ starts: ["approve", "reject", "cancel", "confirm", "decide"], whole: ["set"] }),
  },
  {
    value: "express",
    word: findKeyword({ starts: ["thanks", "love", "hate", "great", "terrible", "wow"] }),
  },
]

const TYPE_RULES: readonly Rule<SignalType>[] = [
  { value: "question", mark: questionMark },
  { value: "question", word: findKeyword({ starts: ["help", "how", "what", "why", "when", "where"] }) },
  { value: "issue", word: findKeyword({ starts: ["error", "bug", "broken", "fail", "crash"] }) },
  { value: "scheduling", word: findKeyword({ starts: ["remind", "schedule", "later", "tomorrow"] }) },
  { value: "summary", word: findKeyword({ starts: ["summarize", "summary", "brief", "recap"] }) },
]

/** By the channel's family, which is the text before its first colon. */
const FORMATS: ReadonlyMap<string, SignalFormat> = new Map([
  ["cli", "command"],
  ["webhook", "notification"],
  ["filesystem", "document"],
])

/** Says what kind of message this is, by rules. */
export function classify(text: string, options: ClassifyOptions = {}): Signal {
  return classifyWithReasons(text, options).signal
}

/** The same, with the words that decided it. */
export function classifyWithReasons(text: string, { channel }: ClassifyOptions = {}): Classified {
  const folded = fold(text)
  const mode = firstOf(MODE_RULES, folded) ?? byDefault("assist")
  const genre = firstOf(GENRE_RULES, folded) ?? byDefault("inform")
  const type = firstOf(TYPE_RULES, folded) ?? byDefault("general")
  const format = formatOf(channel)
  const { weight, shares } = weigh(text)
  return {
    signal: { mode: mode.value, genre: genre.value, type: type.value, format: format.value, weight },
    reasons: { mode: mode.reason, genre: genre.reason, type: type.reason, format: format.reason },
    shares,
  }
}

interface Decision<Value> {
  readonly value: Value
  readonly reason: Reason
}

function firstOf<Value>(rules: readonly Rule<Value>[], folded: string): Decision<Value> | undefined {
  for (const { value, word: findWord, mark: findMark } of rules) {
    const word = findWord?.(folded)
    if (word !== undefined) return { value, reason: { kind: "word", word } }
    const mark = findMark?.(folded)
    if (mark !== undefined) return { value, reason: { kind: "mark", mark } }
  }
  return undefined
}

function byDefault<const Value>(value: Value): Decision<Value> {
  return { value, reason: { kind: "default" } }
}

function formatOf(channel = ""): Decision<SignalFormat> {
  const family = fold(channel.split(":", 1)[0] ?? "")
  const value = FORMATS.get(family)
  return value === undefined ? byDefault("message") : { value, reason: { kind: "channel", channel: family } }
}
