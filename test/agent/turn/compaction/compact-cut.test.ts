// Where a conversation is cut when it is made shorter: nothing is lost or said twice, no result is without its call, and
// the message that the turn is about stays.
import fc from "fast-check"
import { expect, test } from "vitest"
import { splitItems } from "../../../../src/agent/turn/compaction/compact-cut.ts"
import { createConversation } from "../../../../src/agent/turn/conversation.ts"
import type { Message, MessagePart } from "../../../../src/core/model/message.ts"
import type { StoredItem } from "../../../../src/database/contract/transcripts.ts"

type Said = readonly [kind: "user" | "call" | "result" | "answer" | "summary", words: number]

/** Turns of one number for each item from the message that opens it on; ids count from 1. */
function conversation(said: readonly Said[]): readonly StoredItem[] {
  let turn = 0
  return said.map(([kind, words], at) => {
    if (kind === "user") turn += 1
    const text = "oil ".repeat(words)
    const item: StoredItem["item"] =
      kind === "summary" ? { kind, text } : { kind: "message", message: messageOf(kind, text, turn) }
    return { seq: at + 1, turn: turn === 0 ? undefined : `t${turn}`, at, item }
  })
}

function messageOf(kind: Exclude<Said[0], "summary">, text: string, turn: number): Message {
  const id = `c${turn}`
  const parts: Readonly<Record<typeof kind, MessagePart>> = {
    user: { kind: "text", text },
    answer: { kind: "text", text },
    call: { kind: "tool-call", id, name: "read", input: { text } },
    result: { kind: "tool-result", id, text },
  }
  return { role: kind === "user" || kind === "result" ? "user" : "assistant", parts: [parts[kind]] }
}

function tokens(items: readonly StoredItem[]): number {
  const { messagesOf, tokens: count } = createConversation()
  return count(messagesOf(items), 1)
}

function cut(said: readonly Said[], turn: string, most: number) {
  const { summed, kept } = splitItems(conversation(said), { turn, most, tokens })
  return [summed, kept].map((items) => items.map(({ seq }) => seq))
}

const TURN: readonly Said[] = [
  ["user", 10],
  ["call", 10],
  ["result", 500],
  ["answer", 10],
]

test("of turns that are over, the newest stay", () => {
  const said = [...TURN, ...TURN, ...TURN, ["user", 10] as const]
  expect(cut(said, "t4", 1_200)).toEqual([
    [1, 2, 3, 4],
    [5, 6, 7, 8, 9, 10, 11, 12, 13],
  ])
  expect(cut(said, "t4", 100)).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], [13]])
})

test("of a turn that takes too much by itself, its message and the newest steps stay", () => {
  const steps: readonly Said[] = [1, 2, 3].flatMap(() => [
    ["call", 10],
    ["result", 500],
  ])
  const said: readonly Said[] = [...TURN, ["user", 200], ...steps]
  expect(cut(said, "t2", 1_400)).toEqual([
    [1, 2, 3, 4, 6, 7],
    [5, 8, 9, 10, 11],
  ])
  // With its message the two steps would be more than may stay.
  expect(cut(said, "t2", 1_200)).toEqual([
    [1, 2, 3, 4, 6, 7, 8, 9],
    [5, 10, 11],
  ])
  expect(cut(said, "t2", 50)).toEqual([
    [1, 2, 3, 4, 6, 7, 8, 9],
    [5, 10, 11],
  ])
})

test("a result stays with its call, however long the call is", () => {
  const said: readonly Said[] = [
    ["user", 10],
    ["call", 10],
    ["result", 10],
    ["call", 900],
    ["result", 10],
  ]
  expect(cut(said, "t1", 100)).toEqual([
    [2, 3],
    [1, 4, 5],
  ])
})

const step = fc.nat(300).chain((call) =>
  fc.nat(300).map((result): readonly Said[] => [
    ["call", call],
    ["result", result],
  ]),
)
const opening = fc.nat(300).map((words): readonly Said[] => [["user", words]])
const anyTurn = fc.tuple(opening, fc.array(step, { maxLength: 4 }))

test("nothing is lost, doubled or parted, whatever was said and however little may stay", () => {
  fc.assert(
    fc.property(
      fc.array(anyTurn, { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 2_000 }),
      (turns, isSummed, most) => {
        const said = turns.flatMap(([user, steps], at) => [
          ...user,
          ...steps.flat(),
          ...(at < turns.length - 1 ? [["answer", 5] as const] : []),
        ])
        const items = conversation(isSummed ? [["summary", 50], ...said] : said)
        const turn = `t${turns.length}`
        const { summed, kept } = splitItems(items, { turn, most, tokens })
        const parts = [summed, kept]
        for (const part of parts) expect(part).toEqual(part.toSorted((a, b) => a.seq - b.seq))
        expect(parts.flat().toSorted((a, b) => a.seq - b.seq)).toEqual(items)
        expect(kept).toContain(items.find((item) => item.turn === turn))
        for (const { seq, item } of kept)
          if (item.kind === "message" && item.message.parts[0]?.kind === "tool-result")
            expect(kept.map((one) => one.seq)).toContain(seq - 1)
        const isLeast = kept.length <= 3 && kept[0]?.turn === turn
        expect(summed.length === 0 || isLeast || tokens(kept) <= most).toBe(true)
      },
    ),
  )
})
