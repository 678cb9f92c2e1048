// Removes a turn that a provider refused permanently from the conversation, since every later request would be refused
// too. The store keeps it as past, and the record has what was sent.
import { answersNoCall } from "../../../core/model/message.ts"
import type { SessionState } from "../../../database/contract/sessions.ts"
import type { Item, StoredItem } from "../../../database/contract/transcripts.ts"
import type { Work } from "../work.ts"
import type { ModelFailure } from "./call.ts"

/** The provider does not accept the key or know the model, so the messages are not the reason. */
const NOT_ABOUT_THE_MESSAGE: readonly (number | undefined)[] = [401, 403, 404]

/** Neither worth a retry nor stopped by the user. */
export function isRefusal({ kind, status }: ModelFailure): boolean {
  return kind === "too-long" || (kind === "refused" && !NOT_ABOUT_THE_MESSAGE.includes(status))
}

export interface LeftOut {
  /** Ids of items. */
  readonly past: readonly number[]
  /** Their replacement. */
  readonly append: readonly Item[]
  readonly state: SessionState
}

/** The whole turn, and the loose items sent with it: no answer ever followed them. */
export function leftOut({ items, turn, state }: Pick<Work, "items" | "turn" | "state">): LeftOut {
  const begins = items.findIndex((item) => item.turn === turn.id)
  const first = begins === -1 ? items.length : begins
  const last = items.findLastIndex((item, at) => at < first && !isLoose(item))
  const past = items.slice(last + 1)
  return { past: past.map(({ seq }) => seq), append: noteOf(past, REFUSED), state: withoutSent(state) }
}

/** Forgets the tails and the cached call, which are gone with their messages. */
export function withoutSent(state: SessionState): SessionState {
  const { sent: _gone, lastCall: _other, ...kept } = state
  return kept
}

/** Neither an answer, nor a call's result, nor a summary. */
function isLoose({ item }: StoredItem): boolean {
  if (item.kind === "summary") return false
  return item.kind !== "message" || answersNoCall(item.message)
}

const REFUSED = "A message of mine was refused by the provider and is left out here."

/** Keeps which tools ran, without their results. `why`: what became of the message. */
export function noteOf(past: readonly StoredItem[], why: string): readonly Item[] {
  const names = past.flatMap(({ item }) => (item.kind === "message" ? item.message.parts : []))
  const tools = [...new Set(names.flatMap((part) => (part.kind === "tool-call" ? [part.name] : [])))]
  if (tools.length === 0) return []
  const text = `${why} These tools had been called for it: ${tools.join(", ")}.`
  return [{ kind: "custom", by: "incipit", text }]
}
