// Headers of an answer: its session, the turn that leads to the exact prompt, and fields that had no effect.
import type { TalkRequest } from "./request/talk-request.ts"

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
