import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { jsonLines } from "../../src/base/text/json-lines.ts"

test("maps the pointer of every value to the line on which it starts", () => {
  const text = '\n{ "a": 1,\n  "b/c~": [\n    "x",\n    { "d": null }\n  ],\n  "a": 2\n}\n'
  expect(Object.fromEntries(jsonLines(text).lines)).toEqual({
    "": 2,
    "/a": 7,
    "/b~1c~0": 3,
    "/b~1c~0/0": 4,
    "/b~1c~0/1": 5,
    "/b~1c~0/1/d": 5,
  })
})

describe("the first syntax error is on line", () => {
  test.each([
    [1, ""],
    [2, "\n x"],
    [3, '{\n "a": 1,\n}'],
    [3, '{\n "a": 1\n "b": 2 }'],
    [2, '{ "a":\n what }'],
    [3, "[1,\n2\n"],
    [1, '{ "a": "x\ny" }'],
    [1, "[01]"],
    [1, "{'a': 1}"],
    [2, "[1]\n[2]"],
    [1, "[1}"],
    [1, "]"],
    [1, ","],
  ])("%i of %j", (line, text) => {
    expect(jsonLines(text).fault).toBe(line)
  })
})

test("reports a fault exactly when JSON.parse refuses the text", () => {
  const broken = fc
    .tuple(
      fc.json({ maxDepth: 4 }),
      fc.nat(),
      fc.constantFrom("", ",", "]", '"', "\\", "\n", "x", "0", "\u0001"),
    )
    .map(([text, at, insert]) => {
      const place = at % (text.length + 1)
      return text.slice(0, place) + insert + text.slice(place + (insert === "" ? 1 : 0))
    })
  fc.assert(
    fc.property(fc.oneof(fc.json({ maxDepth: 4 }), broken), (text) => {
      expect(jsonLines(text).fault === undefined).toBe(isJson(text))
    }),
    { seed: 8, numRuns: 2000 },
  )
})

test("finds the lines of values that JSON.stringify wrote", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string()), (fields) => {
      const { lines } = jsonLines(JSON.stringify(fields, undefined, 2))
      const names = Object.keys(fields).map((key) => key.replaceAll("~", "~0").replaceAll("/", "~1"))
      expect(names.map((name) => lines.get(`/${name}`))).toEqual(names.map((_name, at) => at + 2))
    }),
    { seed: 8, numRuns: 200 },
  )
})

test("reads long strings, unterminated strings and deep lists in one pass", () => {
  const long = JSON.stringify(["a\\".repeat(300_000), "b".repeat(300_000)])
  const endless = `"${"a\\n".repeat(300_000)}`
  const deep = "[".repeat(200_000)
  expect([long, endless, deep].map((text) => jsonLines(text).fault)).toEqual([undefined, 1, 1])
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
