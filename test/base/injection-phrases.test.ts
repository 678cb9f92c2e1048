// Words are looked for before the pattern is used. If a list lacked a word of its pattern, an attack would go unseen.
import fc from "fast-check"
import { expect, test } from "vitest"
import { injectionPattern } from "../../src/base/text/injection-phrases.ts"

/** The pattern without what only restricts it, which the generator does not know: lookarounds and boundaries. */
function withoutAssertions(source: string): string {
  const at = source.search(/\(\?<?[=!]/)
  if (at === -1) return source.replaceAll(/\\b|\^(?=\[ )/g, "")
  let [end, depth] = [at + 1, 1]
  for (; depth > 0; end += 1) {
    const character = source[end]
    if (character === "\\") end += 1
    else if (character === "(") depth += 1
    else if (character === ")") depth -= 1
  }
  return withoutAssertions(source.slice(0, at) + source.slice(end))
}

/** The alternatives outside of all groups. */
function alternatives(source: string): readonly string[] {
  const found = [""]
  let depth = 0
  for (const part of source.match(/\\.|\[[^\]]*\]|./gs) ?? []) {
    if (part === "(") depth += 1
    if (part === ")") depth -= 1
    if (part === "|" && depth === 0) found.push("")
    else found.push(`${found.pop()}${part}`)
  }
  return found
}

/** A long s may be part of every phrase. */
const EVERY = injectionPattern("\u017F") ?? /(?!)/
const PHRASES = alternatives(withoutAssertions(EVERY.source))

/** Letters that the pattern takes for others, whatever their case. */
const SAME_LETTERS: Readonly<Record<string, string>> = { k: "\u212A", s: "\u017F" }

/** The text in any case, half of the time with letters that only look different to a program. */
function disguised(text: string): fc.Arbitrary<string> {
  const spellings = (letter: string, isOdd: boolean) => [
    ...[letter, letter.toUpperCase(), letter.toLowerCase()],
    ...(isOdd ? [SAME_LETTERS[letter.toLowerCase()] ?? letter] : []),
  ]
  return fc
    .boolean()
    .chain((isOdd) => fc.tuple(...[...text].map((letter) => fc.constantFrom(...spellings(letter, isOdd)))))
    .map((letters) => letters.join(""))
}

test.each(PHRASES)("every text that matches has the words: %s", (source) => {
  const phrase = fc.stringMatching(new RegExp(`^(?:${source})$`)).chain(disguised)
  let matching = 0
  fc.assert(
    fc.property(phrase, (text) => {
      const [found] = text.match(EVERY) ?? []
      if (found === undefined) return
      matching += 1
      expect(text.match(injectionPattern(text) ?? /(?!)/)?.[0]).toBe(found)
    }),
    { numRuns: 500 },
  )
  expect(matching).toBeGreaterThan(20)
})

test("an ordinary text needs no pattern", () => {
  expect(injectionPattern("# Lighthouse\n\nRun `npm test` before you push. Keep the log short.\n")).toBe(
    undefined,
  )
})
