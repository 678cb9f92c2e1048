// The next request of a session is read only where it differs from the last one, and what is read of it is what would be
// read of all of it: for every way in which two requests can share a beginning.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  createKnownRequests,
  type KnownRequest,
  type NewKnown,
  type ReadRequest,
  readRequest,
} from "../../../src/record/write/known-request.ts"
import { isList, isObject, type Json } from "../../../src/record/write/request-marks.ts"

/** As a receipt leaves it. What the elements are stored as does not matter here. */
function made(text: string): NewKnown {
  const { start = 0, ends = [] } = readRequest(text) ?? {}
  return { text, start, ends, elements: [], nodes: [], receipt: { turn: "t", step: 0 } }
}

function known(text: string): KnownRequest | undefined {
  const requests = createKnownRequests()
  requests.keep("s", made(text))
  return requests.of("s")
}

function itemsIn(value: Json | undefined, field = "messages"): readonly Json[] {
  const items = isObject(value) ? value[field] : undefined
  return isList(items) ? items : []
}

/** How many items are known, and those that were read. */
function read(before: string, after: string) {
  const { shared, value, known: used } = readRequest(after, known(before)) ?? {}
  return { shared, items: itemsIn(value), isAfter: used !== undefined }
}

const body = (items: readonly unknown[], more: Readonly<Record<string, unknown>> = {}) =>
  JSON.stringify({ model: "m", messages: items, top: 1, ...more })

const [A, B, C] = [{ a: 1 }, { b: [{ text: "two" }] }, { c: "three" }]

describe("two requests", () => {
  test.each<readonly [string, string, string, number, readonly unknown[]]>([
    ["one that grew", body([A, B]), body([A, B, C]), 2, [C]],
    ["one that grew by more", body([A]), body([A, B, C]), 1, [B, C]],
    ["the same", body([A, B]), body([A, B]), 2, []],
    ["one that was cut", body([A, B, C]), body([A]), 1, []],
    ["a changed item", body([A, B, C]), body([A, C, C]), 1, [C, C]],
    ["a changed field after the conversation", body([A, B]), body([A, B], { top: 2 }), 2, []],
    ["an item that goes on", body([A, { c: 1 }]), body([A, { c: 1, d: 2 }]), 1, [{ c: 1, d: 2 }]],
    ["an item that ended before", body([A, { c: 1, d: 2 }]), body([A, { c: 1 }]), 1, [{ c: 1 }]],
  ])("%s", (_, before, after, shared, items) => {
    expect(read(before, after)).toEqual({ shared, items, isAfter: true })
  })

  test.each<readonly [string, string, string]>([
    ["no item in common", body([A, B]), body([C, B])],
    ["no item before", body([]), body([A])],
    ["no item after", body([A]), body([])],
    ["another field before the conversation", body([A, B]), body([A, B]).replace('"m"', '"n"')],
    ["items that are no objects", body(["one", "two"]), body(["one", "two", "three"])],
    ["a number that goes on", body([A, 1]), body([A, 12])],
    ["a text that no program writes", body([A]), body([A, B]).replace(',"top"', ', "top"')],
    ["a number that is written otherwise", body([A]), body([A, { n: 1 }]).replace('"n":1', '"n":1.0')],
    ["two fields of one name", body([A]), body([A, B]).replace('"top":1', '"messages":[{"c":1}]')],
    ["a mark as an item of its own", body([A]), body([A, { cachePoint: {} }])],
  ])("%s: all of it is read", (_, before, after) => {
    expect(readRequest(after, known(before))).toEqual(readRequest(after))
    expect(readRequest(after, known(before))?.shared).toBe(0)
  })

  test("of which one has its conversation elsewhere: all of it is read", () => {
    const [before, after] = [{ input: [A] }, { input: [A], messages: [B] }].map((value) =>
      JSON.stringify(value),
    )
    expect(readRequest(after ?? "", known(before ?? ""))).toEqual(readRequest(after ?? ""))
  })

  test("of which one is no JSON, or has no conversation", () => {
    const none = JSON.stringify({ prompt: "hello" })
    expect([
      readRequest("{", known(body([A]))),
      readRequest(body([A, B]).slice(0, -1), known(body([A]))),
    ]).toEqual([undefined, undefined])
    expect(readRequest(none, known(body([A])))).toEqual({
      ...{ value: { prompt: "hello" }, text: none, rounded: [], shared: 0, known: undefined },
      ...{ start: 0, ends: [] },
    })
    expect(readRequest(body([A]), known(none))).toEqual(readRequest(body([A])))
  })

  test("where every item ends, counted in the text", () => {
    const text = body([A, B, C])
    const { start = 0, ends = [] } = readRequest(text, known(body([A]))) ?? {}
    const starts = [start, ...ends.map((end) => end + 1)]
    expect(ends.map((end, at) => text.slice(starts[at], end))).toEqual(
      [A, B, C].map((item) => JSON.stringify(item)),
    )
  })
})

test("a difference is found wherever it is in long requests", () => {
  const items = Array.from({ length: 30 }, (_, at) => ({ text: `${at} `.repeat(120) }))
  const before = body(items)
  const { ends = [] } = readRequest(before) ?? {}
  const places = [4_096, 8_192].flatMap((place) => [-2, -1, 0, 1, 2].map((off) => place + off))
  for (const place of [...places, before.length - 2]) {
    const after = `${before.slice(0, place)}${before.charAt(place) === "7" ? "8" : "7"}${before.slice(place + 1)}`
    const whole = readRequest(after)
    // Where the change is no JSON any more there is nothing to compare.
    if (whole === undefined) continue
    const shared = ends.filter((end) => end <= place).length
    expect([place, readRequest(after, known(before))?.shared]).toEqual([place, shared])
  }
})

test("what is known and what is read are together what is there", () => {
  const text = fc.oneof(
    fc.string({ maxLength: 5 }),
    fc.constantFrom('"},{"', "]}", "\ud800", "x".repeat(5_000)),
  )
  const item = fc.oneof(
    fc.record({ role: fc.constantFrom("a", "b"), text }),
    fc.constantFrom<Json>("one", 1, 12, null, {}, [], [{}], { cachePoint: {} }),
  )
  const change = fc.record({
    keep: fc.nat(6),
    add: fc.array(item, { maxLength: 3 }),
    field: fc.constantFrom("messages", "messages", "messages", "input"),
    top: fc.nat(1),
  })
  const built = (items: readonly Json[], field: string, top: number) =>
    JSON.stringify({ model: "m", [field]: items, top })
  fc.assert(
    fc.property(fc.array(item, { maxLength: 6 }), change, (items, { keep, add, field, top }) => {
      const before = built(items, "messages", 0)
      const after = built([...items.slice(0, keep), ...add], field, top)
      const whole = readRequest(after)
      const part = readRequest(after, known(before))
      const facts = (given: ReadRequest | undefined) => [
        given?.text,
        given?.start,
        given?.ends,
        given?.rounded,
      ]
      expect(facts(part)).toEqual(facts(whole))
      const first = items.slice(0, part?.shared ?? 0)
      expect([...first, ...itemsIn(part?.value, field)]).toEqual(itemsIn(whole?.value, field))
      expect({ ...Object(part?.value), [field]: [] }).toEqual({ ...Object(whole?.value), [field]: [] })
    }),
    { numRuns: 500 },
  )
})

describe("the requests that are kept", () => {
  const sized = (characters: number) => made(body([{ text: "x".repeat(characters - '{"text":""}'.length) }]))

  test("are those of 500 sessions and more, with one text for what comes before their conversations", () => {
    const requests = createKnownRequests()
    const conversation = (session: number) =>
      made(body([{ text: `session ${session}` }], { system: "s".repeat(50_000) }))
    const sessions = Array.from({ length: 500 }, (_, session) => session)
    for (const session of sessions) requests.keep(`s${session}`, conversation(session))
    const items = sessions.map((session) => requests.of(`s${session}`)?.items)
    expect(items).toEqual(sessions.map((session) => `{"text":"session ${session}"}`))
    expect(new Set(sessions.map((session) => requests.of(`s${session}`)?.before)).size).toBe(1)
  })

  test("have at most 16 million characters of conversation together, the least recently used left out first", () => {
    const requests = createKnownRequests()
    const keep = (session: string, characters: number) => requests.keep(session, sized(characters))
    // Asks in the order of their names, so "c" is then the most recently used.
    const kept = () => ["a", "b", "c"].filter((name) => requests.of(name) !== undefined)
    for (const name of ["a", "b", "a", "b", "b"]) keep(name, 8_000_000)
    expect(kept()).toEqual(["a", "b"])
    keep("c", 100)
    expect(kept()).toEqual(["b", "c"])
    keep("b", 16_000_001)
    expect(kept()).toEqual(["c"])
  })
})
