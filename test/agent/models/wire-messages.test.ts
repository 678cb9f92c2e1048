// For any list of messages, whatever order calls and results are in and whatever their ids are, what is sent keeps the
// rules that all providers share, and what was sent before keeps its bytes.
import fc from "fast-check"
import { expect, test } from "vitest"
import { wireMessages } from "../../../src/agent/models/wire-messages.ts"
import { isSent, type Message, type MessagePart } from "../../../src/core/model/message.ts"

const PLAIN = /^[A-Za-z0-9_-]{1,64}$/
const model = { id: "anthropic/claude-sonnet-5-5", callIds: PLAIN }

const id = fc.constantFrom("call_0", "call_1", "functions.read:0", "", "a b", "k7q2m9x4p", "x".repeat(80))
const name = fc.constantFrom("read", "functions.read", "", "two words", "n".repeat(90), "\u{1F30A}")
const input = fc.oneof(
  fc.constantFrom<unknown>({}, { a: 1 }, "{not json", 7, null, [1], undefined),
  fc.object(),
)
const data = fc.option(
  fc.record({ given: fc.record({ id, by: fc.constantFrom(model.id, "ollama/kimi") }) }),
  { nil: undefined },
)
const text = fc.constantFrom("", " ", "Yes.", "\ud83c")
const words: fc.Arbitrary<MessagePart> = text.map((one) => ({ kind: "text", text: one }))
const call = fc
  .record({ id, name, input, data })
  .map(
    ({ data: given, ...one }): MessagePart => ({ kind: "tool-call", ...one, ...(given && { data: given }) }),
  )
const result = fc.record({ id, text }).map((one): MessagePart => ({ kind: "tool-result", ...one }))
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.array(fc.oneof(words, call), { maxLength: 4 }).map((parts): Message => ({ role: "assistant", parts })),
  fc.array(fc.oneof(words, result), { maxLength: 4 }).map((parts): Message => ({ role: "user", parts })),
)

const idsOf = ({ parts }: Message, kind: "tool-call" | "tool-result") =>
  parts.flatMap((part) => (part.kind === kind ? [part.id] : []))

test("ids are plain and used once, each call has its result right after it, and the user has the first word and the last", () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 8 }), (messages) => {
      const { messages: sent, origins } = wireMessages(messages, model)
      const calls = sent.flatMap((one) => idsOf(one, "tool-call"))
      expect(calls.every((one) => PLAIN.test(one))).toBe(true)
      expect(new Set(calls).size).toBe(calls.length)
      for (const [at, one] of sent.entries()) {
        const next = sent[at + 1]
        if (one.role === "assistant")
          expect(next ? idsOf(next, "tool-result") : []).toEqual(idsOf(one, "tool-call"))
        else
          expect(
            one.parts.slice(0, idsOf(one, "tool-result").length).every(({ kind }) => kind === "tool-result"),
          ).toBe(true)
        for (const part of one.parts) {
          if (part.kind === "tool-result") expect(part.text.trim()).not.toBe("")
          if (part.kind !== "tool-call") continue
          expect(part.name).toMatch(PLAIN)
          expect(part.input).toBeTypeOf("object")
          expect(part.input === null || Array.isArray(part.input)).toBe(false)
          expect(part.data?.given).toBeUndefined()
        }
      }
      const said = sent.filter(({ parts }) => parts.some(isSent))
      expect([said[0]?.role, said.at(-1)?.role].every((role) => role !== "assistant")).toBe(true)
      expect(origins.filter((from) => from !== undefined)).toEqual(messages.map((_message, at) => at))
    }),
  )
})

test("what was sent once keeps its bytes as the conversation grows", () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 8 }), (messages) => {
      const all = wireMessages(messages, model)
      for (let end = 0; end < messages.length; end += 1) {
        const before = wireMessages(messages.slice(0, end), model)
        // What was put in at the end is gone once there is more.
        const kept = before.origins.findLastIndex((from) => from !== undefined) + 1
        expect(before.messages.slice(0, kept)).toEqual(all.messages.slice(0, kept))
      }
    }),
    { numRuns: 50 },
  )
})
