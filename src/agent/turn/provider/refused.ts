// What a provider refused for good: it leaves the conversation, since every later request would be refused with it. The
// store keeps it as past, and the record has what was sent.
import { answersNoCall } from "../../../core/model/message.ts"
import type { SessionState } from "../../store/stored.ts"
import type { Item, StoredItem } from "../../store/transcript.ts"
import type { ModelFailure } from "../call.ts"
import type { Work } from "../work.ts"

/** A key or a model that the provider does not know: nothing that was said is the reason. */
const NOT_ABOUT_THE_MESSAGE: readonly (number | undefined)[] = [401, 403, 404]

/** Neither to be tried again nor stopped by anybody. */
export function isRefusal({ kind, status }: ModelFailure): boolean {
  return kind === "too-long" || (kind === "refused" && !NOT_ABOUT_THE_MESSAGE.includes(status))
}

export interface LeftOut {
  /** Items by id. */
  readonly past: readonly number[]
  /** What takes their place. */
  readonly append: readonly Item[]
  readonly state: SessionState
}

/** All of the turn, and what was told with it: none of it was ever followed by an answer. */
export function leftOut({ items, turn, state }: Pick<Work, "items" | "turn" | "state">): LeftOut {
  const begins = items.findIndex((item) => item.turn === turn.id)
  const first = begins === -1 ? items.length : begins
  const last = items.findLastIndex((item, at) => at < first && !isLoose(item))
  const past = items.slice(last + 1)
  return { past: past.map(({ id }) => id), append: noteOf(past, REFUSED), state: withoutTold(state) }
}

/** The tails went with their messages, and so did what a cache holds of them. */
export function withoutTold(state: SessionState): SessionState {
  const { told: _gone, lastCall: _other, ...kept } = state
  return kept
}

/** It stands by itself: neither an answer, nor what answers a call, nor a summary. */
function isLoose({ item }: StoredItem): boolean {
  if (item.kind === "summary") return false
  return item.kind !== "message" || answersNoCall(item.message)
}

const REFUSED = "A message of mine was refused by the provider and is left out here."

/** What was done stays known, without what came of it. `why`: what became of the message. */
export function noteOf(past: readonly StoredItem[], why: string): readonly Item[] {
  const names = past.flatMap(({ item }) => (item.kind === "message" ? item.message.parts : []))
  const tools = [...new Set(names.flatMap((part) => (part.kind === "tool-call" ? [part.name] : [])))]
  if (tools.length === 0) return []
  const text = `${why} For it these tools had been called: ${tools.join(", ")}.`
  return [{ kind: "custom", by: "incipit", text }]
}
