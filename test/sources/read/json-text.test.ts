import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { lineOf } from "../../../src/core/model/source.ts"
import { readJson } from "../../../src/sources/read/json-text.ts"

test("knows the line on which each value is", () => {
  const text = '\n{ "a": 1,\n  "b/c~": [\n    "x",\n    { "d": null }\n  ],\n  "a": 2\n}\n'
  const keys = [[], ["a"], ["b/c~"], ["b/c~", 0], ["b/c~", 1], ["b/c~", 1, "d"]]
  expect(keys.map(linesIn(text))).toEqual([2, 7, 3, 4, 5, 5])
})

test("knows the line around a value that is missing", () => {
  const text = '{\n "a": [\n  {}\n ]\n}'
  expect([["b"], ["a", 0, "c"], ["a", 7]].map(linesIn(text))).toEqual([1, 3, 2])
})

describe("the first syntax error is on line", () => {
  test.each([
    [1, ""],
    [2, "\n x"],
    [3, '{\n "a": 1,\n}'],
    [3, "[\n 1,\n]"],
    [2, "[\n # one\n 1\n]"],
    [2, "[\n 'a'\n]"],
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
    expect(readJson(text)).toEqual({ kind: "problem", line, problem: "it is not valid JSON here" })
  })
})

test("a fault is on its line, whatever comes before and after", () => {
  const faults = fc.constantFrom(
    '"a" "b",',
    "'a',",
    "what,",
    "# note",
    ",",
    "}",
    "01,",
    '"\\q",',
    '"open',
    "-,",
    "1.,",
  )
  const lines = fc.array(
    fc.json({ maxDepth: 3 }).map((text) => `${text},`),
    { maxLength: 8 },
  )
  fc.assert(
    fc.property(lines, faults, lines, (before, fault, after) => {
      const text = ["[", ...before, fault, ...after, "1]"].join("\n")
      expect(readJson(text)).toMatchObject({ kind: "problem", line: before.length + 2 })
    }),
    { seed: 8, numRuns: 500 },
  )
})

test("finds the lines of values that JSON.stringify wrote", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string()), (fields) => {
      const names = Object.keys(fields).map((name) => [name])
      expect(names.map(linesIn(JSON.stringify(fields, undefined, 2)))).toEqual(
        names.map((_name, at) => at + 2),
      )
    }),
    { seed: 8, numRuns: 200 },
  )
})

test("reads the same value as JSON.parse", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      const read = readJson(text)
      expect(read.kind === "read" && read.value).toEqual(JSON.parse(text))
    }),
    { seed: 8, numRuns: 200 },
  )
})

test("says on which line the nesting becomes too deep", () => {
  const nested = (levels: number) => `${"[\n".repeat(levels)}${"]".repeat(levels)}`
  expect(readJson(nested(64)).kind).toBe("read")
  expect(readJson(nested(65))).toMatchObject({ kind: "problem", line: 65 })
  expect(readJson(nested(100_000))).toMatchObject({ kind: "problem", line: 65 })
})

test("reads long strings, unterminated strings and deep lists in one pass", () => {
  const long = JSON.stringify(["a\\".repeat(300_000), "b".repeat(300_000)])
  const texts = [`"${"a\\n".repeat(300_000)}`, "[".repeat(200_000), `[${"\n".repeat(300_000)},]`]
  expect(linesIn(long)([1])).toBe(1)
  expect(texts.map((text) => readJson(text))).toMatchObject([{ line: 1 }, { line: 1 }, { line: 300_001 }])
})

function linesIn(text: string): (keys: readonly PropertyKey[]) => number {
  const read = readJson(text)
  if (read.kind === "problem") throw new Error(read.problem)
  return (keys) => lineOf(read.lines, keys)
}
