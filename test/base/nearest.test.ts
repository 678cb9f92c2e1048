import fc from "fast-check"
import { expect, test } from "vitest"
import { misspelled, nearest } from "../../src/base/nearest.ts"
import { byCodePoint } from "../../src/base/order.ts"

const WORDS = ["build", "explain", "memory_search", "memory_write", "schedule_write", "shell", "read", "list"]

test.each([
  ["biuld", ["build"]],
  ["raed", ["read"]],
  ["shel", ["shell"]],
  ["EXPLAIN", ["explain"]],
  ["memory-search", ["memory_search"]],
  ["lst", ["list"]],
  ["lighthouse", []],
  ["", []],
])("%j probably means %j", (word, expected) => {
  expect(nearest(word, WORDS).slice(0, 1)).toEqual(expected)
})

test("lists the most similar first, and equally similar ones in their order", () => {
  expect(nearest("memory_serach", WORDS)).toEqual(["memory_search", "memory_write"])
  expect(nearest("ab", ["abx", "aby"])).toEqual(["abx", "aby"])
})

test("compares only the part that counts", () => {
  const stem = (name: string) => name.replace(/\.\w+$/, "")
  expect(nearest("tides.md", ["tide.txt", "other.md"], stem)).toEqual(["tide.txt"])
})

test("finds each of many words after one typing error", () => {
  const words = [...WORDS, "description", "situations", "max_tokens", "audience"]
  const typo = fc.tuple(fc.constantFrom(...words.filter(({ length }) => length > 4)), fc.nat(), fc.nat(3))
  fc.assert(
    fc.property(typo, ([word, place, kind]) => {
      const at = place % (word.length - 1)
      const [before, one, two, after] = [word.slice(0, at), word[at], word[at + 1], word.slice(at + 2)]
      const typed = [`${two}${one}`, `${two}`, `${one}q${two}`, `q${two}`][kind]
      expect(nearest(`${before}${typed}${after}`, words)[0]).toBe(word)
    }),
    { seed: 3, numRuns: 500 },
  )
})

test("a misspelled word is about as long as the known one", () => {
  const known = ["before_agent_start", "context", "tool_result", "turn_end"]
  const names = ["beforeAgentStart", "contxt", "buildContext", "result", "turn", "toolresult"]
  expect(names.map((name) => misspelled(name, known))).toEqual([
    ...["before_agent_start", "context", undefined, undefined, undefined, "tool_result"],
  ])
})

test("reads no more than the beginning of a long text", () => {
  const long = "a lamp and a bell ".repeat(100_000)
  expect(nearest(long, [`${long}!`, "bell"].sort(byCodePoint))).toEqual([`${long}!`])
  const ending = (first: number) =>
    String.fromCodePoint(...Array.from({ length: 5_000 }, (_, at) => first + at))
  const [one, other] = [0x4e00, 0x6e00].map((first) => long.slice(0, 300) + ending(first))
  expect(nearest(`${one}`, [`${other}`])).toEqual([other])
})
