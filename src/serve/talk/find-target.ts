// Where a request goes: into the session that the client names, else the one whose conversation the request's earlier
// messages continue, else a new one. An edit or a second answer to the same message branches. Results of tools go to the
// turn that waits for them.
import type { Conversations, FoundPlace } from "../../agent/branch/held-conversations.ts"
import type { Sender } from "../../database/contract/sender.ts"
import { beginningDigests } from "./conversation-digest.ts"
import { messageOf, type Said, type TalkRequest } from "./request/talk-request.ts"
import { invalid, SurfaceError } from "./surface-error.ts"

export type Target =
  /** `session`: undefined for a conversation that begins. `brought`: what counts from an earlier message. */
  | {
      readonly kind: "message"
      readonly session: string | undefined
      readonly brought?: FoundPlace["brought"]
    }
  /** `answer`: the id of the answer, since the turn has answered with calls before. */
  | { readonly kind: "results"; readonly turn: string; readonly answer: string }

export interface TargetFinder {
  readonly conversations: Conversations
  readonly from: Sender
}

export async function findTarget(finder: TargetFinder, request: TalkRequest): Promise<Target> {
  const { message, session } = request
  const known = await knownPlace(finder, request)
  if (message.results.length > 0) return resultsTarget(known, message)
  if (known?.place.isWaiting && known.rest.length === 0) throw missingResults()
  if (session !== undefined) return { kind: "message", session }
  const found = known && (await continued(finder, known))
  return {
    ...{ kind: "message", session: found ?? (await begun(finder, request)) },
    ...(request.isThread && known && { brought: known.place.brought }),
  }
}

interface Known {
  readonly place: FoundPlace
  /** What the client has after that place, before its message. */
  readonly rest: readonly Said[]
}

async function knownPlace(
  { conversations, from }: TargetFinder,
  { session, previous, earlier }: TalkRequest,
): Promise<Known | undefined> {
  if (session !== undefined) {
    const place = await conversations.place(from, session)
    return place && { place, rest: [] }
  }
  if (previous !== undefined) {
    const place = await conversations.find(from, { response: previous })
    return place === undefined ? notThere(previous) : { place, rest: earlier }
  }
  const all = beginningDigests(earlier)
  const answers = all.filter((_digest, at) => earlier[at]?.role === "assistant")
  const place =
    answers.length === 0 ? undefined : await conversations.find(from, { digests: answers.toReversed() })
  return place && { place, rest: earlier.slice(all.indexOf(place.digest ?? "") + 1) }
}

function resultsTarget(known: Known | undefined, { text, files }: Said): Target {
  if (text.trim() !== "" || files.length > 0)
    throw invalid(
      "messages",
      "send the results of tools alone, and what else there is to say after the answer",
    )
  if (known === undefined || known.rest.length > 0) throw unknownResults()
  const { turn, seq } = known.place
  return { kind: "results", turn, answer: `${turn}.${seq}` }
}

function notThere(previous: string): never {
  throw new SurfaceError(
    404,
    "previous_response_not_found",
    `there is no answer "${previous}" for this caller; send the whole conversation instead`,
    "previous_response_id",
  )
}

function missingResults(): SurfaceError {
  return new SurfaceError(
    400,
    "tool_results_missing",
    "the conversation waits for the results of tools that the client runs; send them first",
  )
}

function unknownResults(): SurfaceError {
  return new SurfaceError(
    400,
    "tool_calls_unknown",
    "these results belong to no call that was made in this conversation; send the message again",
  )
}

/** The same session if nothing came after that place, else a branch of it. */
async function continued(
  { conversations, from }: TargetFinder,
  { place, rest }: Known,
): Promise<string | undefined> {
  if (place.isLast && rest.length === 0) return place.session
  return conversations.branch(from, place, rest.map(messageOf))
}

/** A conversation that was held elsewhere begins with what was said there. */
async function begun(
  { conversations, from }: TargetFinder,
  { earlier }: TalkRequest,
): Promise<string | undefined> {
  return earlier.length === 0 ? undefined : conversations.begin(from, earlier.map(messageOf))
}
