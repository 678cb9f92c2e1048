// Parts that receipts share are split once: what is stored of a request is the same as if each were split on its own.
import fc from "fast-check"
import { expect, test } from "vitest"
import type { Ref } from "../../../src/database/text-ref.ts"
import { createCommonParts, storedAlike } from "../../../src/record/write/common-parts.ts"
import type { Json } from "../../../src/record/write/request-marks.ts"
import { takeApart } from "../../../src/record/write/request-parts.ts"

const BLOCKS = [["The stable text. ".repeat(10), "Its second piece. ".repeat(10)], [], ["short"]]
const words = fc.oneof(
  fc.constantFrom("name", "key", "$text", ...BLOCKS.flat(), BLOCKS.map((pieces) => pieces.join("")).join("")),
  fc.string({ minLength: 500, maxLength: 600 }),
  fc.string({ maxLength: 5 }),
)
const { value: values } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    words,
    fc.integer(),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(words, tie("value"), { maxKeys: 4 }),
  ),
}))

function taken(request: Json, changed: ReadonlyMap<string, string>, common: readonly Json[]) {
  const partOf = createCommonParts()
  const parts = common.map((value) => partOf(JSON.stringify(value)))
  const [tools = null] = parts.map(({ value }) => value)
  const texts = new Map<Ref, string>()
  const shown = (text: string) => changed.get(text) ?? text
  const keep = (ref: Ref, text: string) => texts.set(ref, text)
  const ready = storedAlike(parts, changed, BLOCKS)
  const value = parts.length === 0 ? request : { ...(request as object), tools }
  const { elements, ...rest } = takeApart(value, { shown, blocks: BLOCKS, keep, ready })
  return { ...rest, elements, texts: [...texts].sort() }
}

test("a shared part is stored as it would be alone, whatever is redacted and whichever blocks it has", () => {
  const marked = fc.constantFrom({}, { cache_control: { type: "ephemeral" } })
  fc.assert(
    fc.property(values, marked, fc.array(words, { maxLength: 2 }), (value, mark, secrets) => {
      const tools: Json = [value, { description: value, ...mark }]
      const changed = new Map(secrets.map((text) => [text, `[redacted:${text.length}]`]))
      const request = { tools, messages: [{ role: "user", content: "Hello" }] }
      expect(taken(request, changed, [tools])).toEqual(taken(request, changed, []))
    }),
    { numRuns: 200 },
  )
})

test("a part as deep as a request can be is stored as it would be alone", () => {
  const deep = JSON.parse(`${'{"a":'.repeat(100)}"${"long ".repeat(200)}"${"}".repeat(100)}`) as Json
  const request = { tools: deep, messages: [] }
  expect(taken(request, new Map(), [deep])).toEqual(taken(request, new Map(), []))
})

test("parts are kept up to a sum of characters, and none that is very long", () => {
  const partOf = createCommonParts()
  const isKept = (json: string) => new Set([partOf(json), partOf(json)]).size === 1
  const long = (length: number, name: string) => JSON.stringify(name.padEnd(length, "x"))
  expect([isKept("[]"), isKept(long(100_000, "a")), isKept(long(600_000, "a"))]).toEqual([true, true, false])
  const first = partOf("[]")
  const add = (count: number, name: string) => {
    for (let at = 0; at < count; at += 1) partOf(long(100_000, `${name}${at}`))
  }
  add(60, "b")
  expect(partOf("[]")).toBe(first)
  add(40, "c")
  expect(partOf("[]")).not.toBe(first)
})
