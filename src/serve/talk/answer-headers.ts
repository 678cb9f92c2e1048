// Headers of an answer: its session, the turn that leads to the exact prompt, and fields that had no effect.
import type { TalkRequest } from "./talk-request.ts"

export function answerHeaders(
  { session, turn }: { readonly session: string; readonly turn: string },
  { ignored }: Pick<TalkRequest, "ignored">,
): Readonly<Record<string, string>> {
  return {
    "x-incipit-session": session,
    "x-incipit-turn": turn,
    ...(ignored.length > 0 && { "x-incipit-ignored": ignored.join(", ") }),
  }
}

const MOST_IGNORED = 20

/** Fields of a request that have no effect; names that no API uses are left out. */
export function ignoredFields(
  body: Readonly<Record<string, unknown>>,
  used: readonly string[],
): readonly string[] {
  return Object.keys(body)
    .filter((name) => !used.includes(name) && body[name] !== null && /^\w{1,40}$/.test(name))
    .slice(0, MOST_IGNORED)
}
