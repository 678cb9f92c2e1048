// Learns how one person writes from their own messages alone: formality, usual length and frequent topics. Reports
// nothing before it has seen enough, and changes slowly, so that its section is not sent again with every turn.
import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { WritingHabits } from "../../database/contract/people.ts"
import { noiseVerdict } from "../../signal/noise.ts"
import { type FeedOwner, isOnePerson } from "./feed-owner.ts"
import { type OwnWords, ownWords } from "./own-words.ts"

export const FORMALITIES = ["casual", "neutral", "formal"] as const
export type Formality = (typeof FORMALITIES)[number]
export const LENGTHS = ["short", "medium", "long"] as const
export type Length = (typeof LENGTHS)[number]

/** The input of the section. */
export interface CommunicationProfile {
  readonly formality: Formality
  readonly length: Length
  readonly topics: readonly string[]
}

/** Everything that is stored, for the person to see. */
export interface Learned {
  readonly messages: number
  readonly since: number
  /** From -1 to 1. */
  readonly formality: number
  /** Words in a usual message. */
  readonly words: number
  readonly candidates: readonly { readonly word: string; readonly weight: number }[]
  /** What the prompt says about them. */
  readonly reported: CommunicationProfile | undefined
}

export interface Profiler {
  /** Learns from a message that this person wrote to the agent. Small talk and commands are ignored. */
  observe(message: string): Promise<void>
  profile(): Promise<CommunicationProfile | undefined>
  show(): Promise<Learned | undefined>
  erase(): Promise<void>
}

/** Nothing is reported before this many messages, and the report is reviewed only after as many more. */
const LEAST_MESSAGES = 5
const LEAST_WORDS = 5
/** The least weight of a new message against all earlier ones; the first few all weigh the same. */
const LEAST_SHARE = 0.05
/** A topic's weight is multiplied by this for each message about something else. */
const FADING = 0.97
/** Caps a topic's weight, so that even a long discussion fades. */
const MOST_WEIGHT = 6
const MOST_CANDIDATES = 150
const MOST_TOPICS = 5
/** A topic enters after about three recent messages and leaves when little of its weight remains. */
const TOPIC_ENTERS = 2.5
const TOPIC_LEAVES = 1

interface State {
  readonly messages: number
  readonly since: number
  readonly formality: number
  /** Logarithm of the word count, so that one long text does not make every message look long. */
  readonly size: number
  /** Each word with its weight. */
  readonly topics: Readonly<Record<string, number>>
  readonly reported?: CommunicationProfile
}

/** How the person writes, with one more message counted that is not learned from yet. Has no effects. */
export async function readProfile(
  habits: Pick<WritingHabits, "read">,
  owner: FeedOwner,
  message?: string,
): Promise<CommunicationProfile | undefined> {
  const state = stateIn(await habits.read(owner))
  const words = message === undefined ? undefined : lessonIn(message, owner)
  return (words === undefined ? state : after(state ?? empty(owner.now()), words))?.reported
}

export function openProfiler(
  { writingHabits: habits }: Pick<AgentStore, "writingHabits">,
  owner: FeedOwner,
): Profiler {
  return {
    async observe(message) {
      const words = lessonIn(message, owner)
      if (words === undefined) return
      // Another process may learn at the same time: then this message is counted on top of that.
      for (let isLearned = false; !isLearned; ) {
        const json = await habits.read(owner)
        const state = after(stateIn(json) ?? empty(owner.now()), words)
        isLearned = await habits.replace(owner, json, JSON.stringify(state))
      }
    },
    profile: () => readProfile(habits, owner),
    async show() {
      const state = stateIn(await habits.read(owner))
      return state && learned(state)
    },
    erase: () => habits.erase(owner),
  }
}

function stateIn(json: string | undefined): State | undefined {
  if (json === undefined) return undefined
  // Only `observe` writes it, from a value of this type. Version 0.1.0 called the report `told`.
  const { told, ...state } = JSON.parse(json) as State & { readonly told?: CommunicationProfile }
  return told === undefined ? state : { reported: told, ...state }
}

/** Returns undefined if the message teaches nothing. */
function lessonIn(message: string, { who }: FeedOwner): OwnWords | undefined {
  if (!isOnePerson(who)) return undefined
  const words = ownWords(message)
  return teaches(message, words) ? words : undefined
}

/** Even a light message shows how a person writes: "hey can't start the boat". */
function teaches(message: string, { words }: OwnWords): boolean {
  if (words === 0 || message.startsWith("/")) return false
  const { kind, reason } = noiseVerdict(message, { afterQuestion: false })
  return kind !== "noise" || (reason === "low-weight" && words >= LEAST_WORDS)
}

function empty(now: number): State {
  return { messages: 0, since: now, formality: 0, size: 0, topics: {} }
}

function after(state: State, { words, formality, topics }: OwnWords): State {
  const messages = state.messages + 1
  const share = Math.max(1 / messages, LEAST_SHARE)
  const mixed = (old: number, now: number) => rounded(old + (now - old) * share)
  const next = {
    ...state,
    messages,
    formality: mixed(state.formality, formality),
    size: mixed(state.size, Math.log2(words)),
    topics: faded(state.topics, topics),
  }
  return messages % LEAST_MESSAGES === 0 ? { ...next, reported: reportOf(next, state.reported) } : next
}

function faded(
  known: Readonly<Record<string, number>>,
  topics: readonly string[],
): Readonly<Record<string, number>> {
  const weights = new Map(Object.entries(known).map(([word, weight]) => [word, rounded(weight * FADING)]))
  for (const word of topics) weights.set(word, Math.min(MOST_WEIGHT, (weights.get(word) ?? 0) + 1))
  return Object.fromEntries(byWeight(weights).slice(0, MOST_CANDIDATES))
}

/** Topics of equal weight keep their order. */
function byWeight(weights: Iterable<readonly [string, number]>): readonly (readonly [string, number])[] {
  return [...weights].sort(([, one], [, other]) => other - one)
}

/** Each value changes only when it is clearly in another range. */
function reportOf(state: State, last: CommunicationProfile | undefined): CommunicationProfile {
  return {
    formality: level(FORMALITIES, [-0.3, 0.3], state.formality, { old: last?.formality, margin: 0.12 }),
    // As logarithms: 16 and 64 words.
    length: level(LENGTHS, [4, 6], state.size, { old: last?.length, margin: 0.4 }),
    topics: topicsOf(state.topics, last?.topics ?? []),
  }
}

function level<Level extends string>(
  levels: readonly [Level, Level, Level],
  [low, high]: readonly [number, number],
  value: number,
  { old, margin }: { readonly old: Level | undefined; readonly margin: number },
): Level {
  const shift = (at: number) => (old === undefined ? 0 : levels.indexOf(old) <= at ? margin : -margin)
  if (value < low + shift(0)) return levels[0]
  return value < high + shift(1) ? levels[1] : levels[2]
}

/** Reported topics keep their order while they have weight left; others fill the free places. */
function topicsOf(weights: Readonly<Record<string, number>>, reported: readonly string[]): readonly string[] {
  const stay = reported.filter((word) => (weights[word] ?? 0) >= TOPIC_LEAVES)
  const enter = byWeight(Object.entries(weights))
    .filter(([word, weight]) => weight >= TOPIC_ENTERS && !stay.includes(word))
    .map(([word]) => word)
  return [...stay, ...enter].slice(0, MOST_TOPICS)
}

function learned({ messages, since, formality, size, topics, reported }: State): Learned {
  return {
    messages,
    since,
    formality,
    words: Math.round(2 ** size),
    candidates: byWeight(Object.entries(topics)).map(([word, weight]) => ({ word, weight })),
    reported,
  }
}

/** Keeps the stored JSON short. */
function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000
}
