// Patterns of incipit.yaml that are tried on names of models: those that could take years are refused.
import fc from "fast-check"
import { expect, test } from "vitest"
import { CACHE_RULES } from "../../../src/render/cache/cache-rules.ts"
import { isShortPattern } from "../../../src/sources/read/short-pattern.ts"

test("every bundled rule could be in incipit.yaml", () => {
  const long = CACHE_RULES.filter(({ models }) => !isShortPattern(models)).map(({ id }) => id)
  expect(long).toEqual([])
})

test.each([
  "^(?:(?:[a-z/-]+)+)+!$",
  "(a+)+$",
  "(a|a)*$",
  "(a?){50}",
  "a?".repeat(50),
  "(?:a|a)".repeat(25),
  ".*.*.*.*!",
  "a{1,99}a{1,99}a{1,99}a{1,99}",
  "(.*)\\1$",
  "x".repeat(201),
  "(",
])("%j is refused", (pattern) => expect(isShortPattern(pattern)).toBe(false))

test.each(["^acme/", "(?:^|/)claude-opus-4[-.]8", "^lab/.*-32b$", "\\d+b-[a-z+*?|]+", "^a\\+\\+/"])(
  "%j is fine",
  (pattern) => expect(isShortPattern(pattern)).toBe(true),
)

test("what is allowed ends soon on names made of few letters", () => {
  const piece = fc.constantFrom(
    "a",
    ".",
    "[ab]",
    "a*",
    "a+",
    ".*",
    "a?",
    "(?:a|a)",
    "(a|b)?",
    "a{2,}",
    "$",
    "^",
    "!",
  )
  const names = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 150, maxLength: 200 })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), names, (pieces, name) => {
      const pattern = pieces.join("")
      fc.pre(isShortPattern(pattern))
      // One that is not bounded would never come back.
      new RegExp(pattern).test(name)
    }),
  )
})
