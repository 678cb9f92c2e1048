// Names sort by code point. Digests differ for different values, and ignore the order of keys.
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { canonicalJson, digest, digestOf } from "../../src/base/digest.ts"
import { byCodePoint } from "../../src/base/order.ts"

const text = fc.string({
  unit: fc.constantFrom("a", "b", "Z", "é", "\ud7ff", "\ue000", "\uffff", "😀", "\u{10ffff}"),
})

describe("byCodePoint", () => {
  test("sorts by code point, not by UTF-16 unit", () => {
    expect(["😀", "\uffff", "b", "B", "a", "ab", ""].toSorted(byCodePoint)).toEqual([
      "",
      "B",
      "a",
      "ab",
      "b",
      "\uffff",
      "😀",
    ])
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(byCodePoint(a, b))).toBe(Math.sign(expectedOrder(a, b)))
      }),
      { seed: 7, numRuns: 5_000 },
    )
  })
})

describe("canonicalJson", () => {
  test("sorts keys at every depth and keeps the order of lists", () => {
    expect(canonicalJson({ b: [{ d: 1, c: null }, 2], a: { 10: 1, 9: 2 } })).toBe(
      '{"a":{"9":2,"10":1},"b":[{"c":null,"d":1},2]}',
    )
  })

  test("leaves out what JSON cannot express, and always returns JSON", () => {
    expect(canonicalJson({ a: undefined, b: () => 1 })).toBe("{}")
    expect(canonicalJson(undefined)).toBe("null")
  })

  test("gives the same text for any order of keys, and keeps the meaning", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
      { seed: 7, numRuns: 2_000 },
    )
  })

  test("keeps a __proto__ key", () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"d":1,"c":2}}'))).toBe(
      '{"__proto__":{"c":2,"d":1},"b":1}',
    )
  })
})

describe("digest", () => {
  test("is SHA-256 of UTF-8", () => {
    expect(digest("abc")).toBe("sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    expect(digest("é")).toBe("sha256:4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c")
  })

  test("of a list depends on how the list is divided", () => {
    expect(digestOf(["ab", "c"])).not.toBe(digestOf(["a", "bc"]))
    expect(digestOf([""])).not.toBe(digestOf([]))
    expect(digestOf(["1:a"])).not.toBe(digestOf(["a"]))
    const pieces = fc.array(fc.string({ unit: fc.constantFrom("a", "1", ":", "2") }), { maxLength: 4 })
    fc.assert(
      fc.property(pieces, pieces, (a, b) => {
        expect(digestOf(a) === digestOf(b)).toBe(JSON.stringify(a) === JSON.stringify(b))
      }),
      { seed: 7, numRuns: 2_000 },
    )
  })
})

function expectedOrder(a: string, b: string): number {
  const [left, right] = [a, b].map((one) => Array.from(one, (char) => char.codePointAt(0) ?? 0)) as [
    number[],
    number[],
  ]
  const at = left.findIndex((point, index) => point !== right[index])
  if (at === -1) return left.length - right.length
  return at >= right.length ? 1 : (left[at] ?? 0) - (right[at] ?? 0)
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  )
}
