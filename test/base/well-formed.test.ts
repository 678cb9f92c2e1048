// Text that ends in the middle of a character: no request contains half a surrogate pair, and no cut creates one.
import fc from "fast-check"
import { expect, test } from "vitest"
import { firstCharacters, lastCharacters } from "../../src/base/text/characters.ts"
import { wellFormed } from "../../src/base/text/well-formed.ts"

const HALF = "\ud83d"
const ill = fc.string({ unit: fc.constantFrom("a", HALF, "\ude00", "😀", "e\u0301", "👩‍🚀", "🇫🇷", " ") })

test("keeps the shape of a value and makes all its strings well-formed, keys included", () => {
  const anything = fc.object({ key: ill, values: [ill, fc.integer(), fc.boolean()], maxDepth: 3 })
  fc.assert(
    fc.property(anything, (value) => {
      const text = JSON.stringify(wellFormed(value))
      const plain = (json: string) => json.replaceAll(/\\ud[89a-f]../g, "\ufffd").replaceAll(/_+(?=":)/g, "")
      expect(plain(text)).toBe(plain(JSON.stringify(value)))
      expect(text).not.toMatch(/\\ud[89a-f]../)
    }),
  )
})

test("returns a well-formed value as it is, and mends an element of a list only once", () => {
  const good = { a: ["😀", { b: 1 }] }
  expect(wellFormed(good)).toBe(good)
  const bad = { a: [HALF], b: good }
  expect(wellFormed(bad)).toEqual({ a: ["\ufffd"], b: good })
  expect(wellFormed(bad).b).toBe(good)
  const messages = [{ parts: [bad] }]
  expect(wellFormed({ messages }).messages[0]).toBe(wellFormed([...messages])[0])
})

test("keeps both values when a mended key collides with another key", () => {
  expect(wellFormed({ [HALF]: 1, "\ufffd": 2 })).toEqual({ "\ufffd": 2, "\ufffd_": 1 })
})

test("cuts between user-perceived characters", () => {
  const family = "👨‍👩‍👧"
  expect(firstCharacters(`a${family}b`, 3)).toBe("a")
  expect(firstCharacters(`a${family}b`, 1 + family.length)).toBe(`a${family}`)
  expect(lastCharacters(`a${family}b`, 3)).toBe("b")
  expect(firstCharacters("🇫🇷🇩🇪", 6)).toBe("🇫🇷")
  expect(firstCharacters("abc", 9)).toBe("abc")
  expect(lastCharacters("abc", 9)).toBe("abc")
})

test("a cut is well-formed, within the limit, and a prefix or suffix of the text", () => {
  const good = fc.string({ unit: fc.constantFrom("a", "😀", "e\u0301", "👩‍🚀", "🇫🇷", "\r\n", "न", "ि") })
  fc.assert(
    fc.property(good, fc.nat(40), (text, most) => {
      const [first, last] = [firstCharacters(text, most), lastCharacters(text, most)]
      expect(text.startsWith(first) && text.endsWith(last)).toBe(true)
      expect(Math.max(first.length, last.length)).toBeLessThanOrEqual(most)
      expect(first.isWellFormed() && last.isWellFormed()).toBe(true)
    }),
  )
})

test("cuts a single character that is longer than the limit, but not inside a surrogate pair", () => {
  const tower = `😀${"\u0301".repeat(100)}`
  expect(firstCharacters(tower, 1)).toBe("")
  expect(firstCharacters(tower, 10)).toBe(tower.slice(0, 10))
  expect(lastCharacters(tower, 10)).toBe(tower.slice(-10))
})
