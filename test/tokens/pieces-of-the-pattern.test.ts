// The scanner cuts where the o200k pattern cuts, even where no id shows it: the same pieces as the pattern run by
// JavaScript's regular expressions, with Unicode's white space instead of JavaScript's.
import fc from "fast-check"
import { expect, test } from "vitest"
import { unpackClasses } from "../../src/tokens/classes.ts"
import { pieceEnd } from "../../src/tokens/scan.ts"
import { hostileText } from "./hostile.ts"
import { mixedText } from "./texts.ts"

unpackClasses()

// Spelled out letter by letter: in a process that had run many tests, V8 once ignored `(?i:`.
const CONTRACTION = "(?:'[sS\\u017f]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD])?"
const UPPER = "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]"
const LOWER = "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"
const PATTERN = new RegExp(
  [
    `[^\\r\\n\\p{L}\\p{N}]?${UPPER}*${LOWER}+${CONTRACTION}`,
    `[^\\r\\n\\p{L}\\p{N}]?${UPPER}+${LOWER}*${CONTRACTION}`,
    "\\p{N}{1,3}",
    " ?[^\\p{White_Space}\\p{L}\\p{N}]+[\\r\\n/]*",
    "\\p{White_Space}*[\\r\\n]+",
    "\\p{White_Space}+(?!\\P{White_Space})",
    "\\p{White_Space}+",
  ].join("|"),
  "gu",
)

function cut(text: string): string[] {
  const bytes = new TextEncoder().encode(text)
  const pieces: string[] = []
  for (let start = 0; start < bytes.length; ) {
    const end = pieceEnd(bytes, start, bytes.length)
    pieces.push(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start, end)))
    start = end
  }
  return pieces
}

test("cuts words, contractions, numbers, symbols and spaces", () => {
  const text = "\nHTTPServer's  don'T 12345 (x)//\n\n  中ABcd AB中CD \u0301A I'\u017fx...\r\n\t end  "
  const pieces =
    "\n|HTTPServer's| | don'T| |123|45| (|x|)//\n\n| | 中ABcd| AB中|CD| \u0301|A| I'\u017f|x|...\r\n|\t| end|  "
  expect(cut(text)).toEqual(pieces.split("|"))
})

test("cuts hostile strings and mixed prose where the pattern does", () => {
  fc.assert(
    fc.property(hostileText, (sample) => {
      const text = sample.toWellFormed()
      expect(cut(text)).toEqual(text.match(PATTERN) ?? [])
    }),
    { seed: 200, numRuns: 10_000 },
  )
  const prose = mixedText(100_000)
  expect(cut(prose)).toEqual(prose.match(PATTERN))
})
