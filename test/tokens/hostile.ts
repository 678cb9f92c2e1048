// Strings made to break a pre-tokenizer: every kind of white space, symbol, mark, letter, digit and contraction that
// the o200k pattern distinguishes, and unpaired surrogates.
import fc from "fast-check"

const SPACES = [
  " ",
  "  ",
  "\t",
  "\n",
  "\r",
  "\r\n",
  "\v",
  "\f",
  "\u0085",
  "\u00a0",
  "\u2003",
  "\u2028",
  "\u3000",
  "\ufeff",
]
const SYMBOLS = [
  "/",
  "//",
  "'",
  "’",
  "!",
  "\0",
  "<|",
  "|>",
  "—",
  "\u200d",
  "\ufe0f",
  "\ue000",
  "\u0378",
  "😀",
  "𐏿",
]
const MARKS = ["\u0301", "\u093f", "\u20dd", "\u{1d165}", "\u0e34"]
const LETTERS = [
  "a",
  "B",
  "the",
  "HTTP",
  "é",
  "É",
  "ǅ",
  "ᾈ",
  "ʰ",
  "ª",
  "中",
  "の",
  "ا",
  "𝐀",
  "𝐚",
  "ſ",
  "K",
  "ß",
  "ᲀ",
]
const DIGITS = ["1", "23", "4567", "٣", "½", "Ⅷ", "²", "𝟗", "〇"]
const ENDINGS = [
  "s",
  "S",
  "t",
  "T",
  "re",
  "RE",
  "Re",
  "ve",
  "vE",
  "m",
  "M",
  "ll",
  "Ll",
  "d",
  "D",
  "\u017f",
  "l",
  "r",
]
const CONTRACTIONS = ENDINGS.map((ending) => `'${ending}`)
const BROKEN = ["\ud800", "\udbff", "\udc00", "\udfff"]

/** Up to forty of them in a row. */
export const hostileText = fc
  .array(
    fc.constantFrom(...SPACES, ...SYMBOLS, ...MARKS, ...LETTERS, ...DIGITS, ...CONTRACTIONS, ...BROKEN),
    {
      maxLength: 40,
    },
  )
  .map((parts) => parts.join(""))
