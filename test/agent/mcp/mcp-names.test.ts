import fc from "fast-check"
import { expect, test } from "vitest"
import { nameTools } from "../../../src/agent/mcp/names.ts"
import { byCodePoint } from "../../../src/base/order.ts"
import { atLeast, TRUSTS, type Trust } from "../../../src/base/trust.ts"

const one = (server: string, tool: string, trust: Trust = "full", isPrefixed = false) => ({
  server,
  tool,
  trust,
  isPrefixed,
})
const namesOf = (tools: readonly ReturnType<typeof one>[], taken: readonly string[] = []) =>
  Object.fromEntries(nameTools(tools, taken).map(({ name, of }) => [`${of.server} ${of.tool}`, name]))

test("only tools that clash are told apart, with their server's name", () => {
  const tools = [one("web", "search"), one("git", "search"), one("git", "read"), one("git", "log")]
  expect(namesOf(tools, ["read"])).toEqual({
    "git log": "log",
    "git read": "git_read",
    "git search": "git_search",
    "web search": "web_search",
  })
})

test("a server with a prefix puts it before all, and so clashes with nobody", () => {
  const tools = [one("web", "search", "full", true), one("git", "search"), one("web", "open", "full", true)]
  expect(namesOf(tools)).toEqual({
    "git search": "search",
    "web open": "web_open",
    "web search": "web_search",
  })
})

test("a tool that fewer people see takes the longer name, so that nobody else learns of it", () => {
  const tools = [one("a", "search", "full"), one("b", "search", "familiar"), one("c", "search", "full")]
  expect(namesOf(tools)).toEqual({ "a search": "a_search", "b search": "search", "c search": "c_search" })
})

test("names that providers do not take are made so that they do, and stay apart", () => {
  const long = "x".repeat(70)
  const tools = ["a.b", "a b", "7z", "-v", "naïve", "", long].map((name) => one("s", name))
  expect(namesOf(tools, ["a_b"])).toEqual({
    "s ": "_",
    "s -v": "_-v",
    "s 7z": "_7z",
    "s a b": "s_a_b_a820219c",
    "s a.b": "s_a_b_b1ce0325",
    "s naïve": "na_ve",
    [`s ${long}`]: `${"x".repeat(55)}_2963e0fe`,
  })
})

test("a tool that takes the name which another was given is left out", () => {
  const tools = ["s_a_b_b1ce0325", "a.b", "a b"].map((name) => one("s", name))
  expect(namesOf(tools, ["a_b"])).toEqual({ "s a b": "s_a_b_a820219c", "s a.b": "s_a_b_b1ce0325" })
})

test("of two with one name in the end, the one that more people see stays, and none takes one of ours", () => {
  const tools = [one("s", "a.b", "full"), one("s", "s_a_b_b1ce0325", "public")]
  expect(namesOf(tools, ["a_b", "s_a_b"])).toEqual({ "s s_a_b_b1ce0325": "s_a_b_b1ce0325" })
  expect(namesOf([one("s", "a.b")], ["a_b", "s_a_b", "s_a_b_b1ce0325"])).toEqual({})
})

test("a name that is just short enough stays as it is", () => {
  const longest = "x".repeat(64)
  expect(namesOf([one("s", longest)])).toEqual({ [`s ${longest}`]: longest })
})

const tools = fc.uniqueArray(
  fc.record({
    server: fc.constantFrom("a", "b", "a_b"),
    tool: fc.oneof(fc.constantFrom("c", "b_c", "a_c", "a_b_c", "b.c", "read"), fc.string({ maxLength: 80 })),
    trust: fc.constantFrom(...TRUSTS),
    isPrefixed: fc.boolean(),
  }),
  { selector: ({ server, tool }) => JSON.stringify([server, tool]), maxLength: 12 },
)

test("whatever tools there are, names are valid, sorted, taken once, and the same in any order", () => {
  fc.assert(
    fc.property(tools, (some) => {
      const named = nameTools(some, ["read"])
      const names = named.map(({ name }) => name)
      expect(names.filter((name) => !/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name))).toEqual([])
      expect(names).toEqual(names.toSorted(byCodePoint))
      expect(new Set([...names, "read"]).size).toBe(names.length + 1)
      expect(nameTools(some.toReversed(), ["read"])).toEqual(named)
    }),
  )
})

test("what an audience may not see changes no name that it sees", () => {
  fc.assert(
    fc.property(tools, fc.constantFrom(...TRUSTS), (some, has) => {
      const seen = nameTools(some, []).filter(({ of }) => atLeast(has, of.trust))
      expect(seen).toEqual(
        nameTools(
          some.filter(({ trust }) => atLeast(has, trust)),
          [],
        ),
      )
    }),
  )
})
