// The class of every code point, compared with tiktoken: its regex engine has its own version of Unicode, and a newer
// Node may know more letters.
import process from "node:process"
import { get_encoding } from "tiktoken"
import { expect, test } from "vitest"
import { o200k } from "../../src/tokens/o200k.ts"
import { noteFigures } from "../figures.ts"

const tiktoken = get_encoding("o200k_base")

/** All of them take a while: `npm run soak`. */
const ALL = process.env.FUZZ_RUNS !== undefined

/** The planes in use, and one in 61 code points of the others. Without the long ranges of one script, if not all. */
function codePoints(): number[] {
  const most = ALL ? 0x34000 : 0x3400
  const all = Array.from({ length: 0x110000 }, (_, point) => point)
  return all.filter((point) => (point < 0xd800 || point > 0xdfff) && (point < most || point % 61 === 0))
}

/**
 * Contexts in which a class shows in the tokens: before a contraction it is a letter or a symbol, between digits it is
 * a digit or not, between spaces it is white space or not.
 */
function inContexts(point: number): string {
  const character = String.fromCodePoint(point)
  return `${character}'s1${character}234 the${character}The  ${character}  x`
}

test("puts every code point in the same class as tiktoken", (context) => {
  const points = codePoints()
  noteFigures(context, { "code points": points.length })
  const differing = points.filter((point) => {
    const text = inContexts(point)
    const [ours, theirs] = [o200k.encode(text), tiktoken.encode_ordinary(text)]
    return ours.length !== theirs.length || ours.some((id, index) => id !== theirs[index])
  })
  expect(differing.map((point) => point.toString(16))).toEqual([])
})
