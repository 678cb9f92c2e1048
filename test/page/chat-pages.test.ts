// The messages of a conversation when its newest page is read again, at any moment of a turn.
import { expect, test } from "vitest"
import { type Conversation, withNewest } from "../../page/views/chat/turns/with-newest.ts"
import type { ShownMessage } from "../../src/serve/api/sessions/shown-message.ts"

const SESSION = { isYours: true }
const NONE: Conversation = { session: undefined, messages: [], hasEarlier: false, problem: undefined }
const PAGE = 4

function message(seq: number, turn: string, kind: ShownMessage["kind"] = "message"): ShownMessage {
  return {
    ...{ seq, turn, kind, at: "2026-11-18T09:14:00.000Z", role: seq % 2 === 1 ? "user" : "assistant" },
    ...{ text: `words ${seq}`, by: null, files: [], calls: [], results: [] },
  } as ShownMessage
}

/** A question and an answer in each turn. */
const STORED = Array.from({ length: 12 }, (_, at) => message(at + 1, `turn ${Math.floor(at / 2)}`))

function newest(stored: readonly ShownMessage[]) {
  return { session: SESSION, messages: stored.slice(-PAGE), hasEarlier: stored.length > PAGE }
}

const seqs = ({ messages }: Conversation) => messages.map(({ seq }) => seq)

test("a question stays, also if its answer was the first of a page that was read in the middle of a turn", () => {
  let shown = NONE
  for (let length = PAGE; length <= STORED.length; length += 1)
    shown = withNewest(shown, newest(STORED.slice(0, length)))
  expect(seqs(shown)).toEqual(STORED.map(({ seq }) => seq))
})

test("messages between two pages are not left out: only the newest page is shown then", () => {
  const shown = withNewest(withNewest(NONE, newest(STORED.slice(0, 4))), newest(STORED))
  expect(seqs(shown)).toEqual([9, 10, 11, 12])
  expect(shown.hasEarlier).toBe(true)
})

test("what a summary took the place of stays, and what is kept beside it is not shown twice", () => {
  const before = withNewest(NONE, newest(STORED.slice(0, 4)))
  const summed = [message(20, "turn 1", "summary"), message(21, "turn 1"), message(22, "turn 1")]
  const shown = withNewest(before, { session: SESSION, messages: summed, hasEarlier: false })
  expect(seqs(shown)).toEqual([1, 2, 20, 21, 22])
})
