// Measures how a person writes from their own message: countable features only, in any language as far as they apply.
// Pasted code, quotes, addresses and anything that looks like a secret are left out.
import { fenceLines } from "../../base/text/fence.ts"
import { secretIn } from "../../lint/secrets.ts"
import { STOP_WORDS } from "../../memory/rank/terms.ts"

export interface OwnWords {
  readonly words: number
  /** From -1 (casual) to 1 (formal); 0 if there is no evidence for either. */
  readonly formality: number
  /** Topics of the message, the most frequent first: words in lower case, file names unchanged. */
  readonly topics: readonly string[]
}

/** The rest of a long message adds nothing about its style. */
const READ_CHARACTERS = 8_000
const MOST_TOPICS = 60
const LONGEST_TOPIC = 24
/** A longer run of letters and marks is neither a word nor a file name. */
const LONGEST_RUN = 160

/** Letters of scripts without spaces: two of them count as about one word. */
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}`
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u")
const UNSPACED_LETTER = new RegExp(`[${UNSPACED}]`, "gu")
const SPACED_WORD = new RegExp(String.raw`(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}'\u2019_-])+`, "gu")

export function ownWords(message: string): OwnWords {
  const text = ownText(message)
  const spaced = text.match(SPACED_WORD)?.length ?? 0
  const unspaced = text.match(UNSPACED_LETTER)?.length ?? 0
  return { words: spaced + Math.ceil(unspaced / 2), formality: formalityOf(text), topics: topicsOf(text) }
}

/** Removes fences, quotes, addresses and lines with secrets. */
function ownText(message: string): string {
  const lines = message.slice(0, READ_CHARACTERS).split("\n")
  const fenced = fenceLines(lines)
  return lines
    .filter((line, at) => !fenced[at] && !/^\s*>/.test(line) && secretIn(line) === undefined)
    .join("\n")
    .replaceAll(/`[^`\n]*`/g, " ")
    .replaceAll(/\b[a-z][a-z0-9+.-]{1,20}:\/\/\S+|[^\s@]{1,64}@\S{1,200}/gi, " ")
    .trim()
}

const SLANG =
  "lol haha hey yo hi gonna wanna gotta kinda pls plz thx cheers yeah yep nope btw imo idk ur cuz dunno"
const CASUAL: readonly RegExp[] = [
  /^\p{Ll}/u,
  /\p{Extended_Pictographic}|[:;]-?[)(DP](?!\w)/u,
  new RegExp(String.raw`\b(?:${SLANG.replaceAll(" ", "|")})\b`, "i"),
  /(?:n['’]t|['’](?:re|ll|ve|m|d)|\b(?:it|that|what|there|let|he|she)['’]s)\b/i,
  /[!?]{2,}|\.{3,}|…/,
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]$/u,
]
const FORMAL: readonly RegExp[] = [
  /[.?。？]$/,
  /\b(?:please|kindly|regards|sincerely|dear|therefore|however|furthermore|regarding|concerning|accordingly)\b/i,
  /\b(?:would you|could you|would like|may i|i would|we would|thank you)\b/i,
  /\b(?:do not|can not|cannot|does not|is not|will not|would not|it is|i am|we are|i have)\b/i,
  /;\s/,
]

function formalityOf(text: string): number {
  const count = (marks: readonly RegExp[]) => marks.filter((mark) => mark.test(text)).length
  const [casual, formal] = [count(CASUAL), count(FORMAL)]
  return casual + formal === 0 ? 0 : (formal - casual) / (formal + casual)
}

const CANDIDATE = new RegExp(String.raw`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}_./-])+`, "gu")
/** Letters, and hyphens between them. */
const WORD = /^[\p{L}\p{M}]{3,24}(?:-[\p{L}\p{M}]{2,24}){0,2}$/u
const FILE = /^(?:[\w-]{1,24}\/){0,4}[A-Za-z_][\w-]{0,30}\.[a-z]{1,4}$/
/** Runs of letters that no language has, such as those in keys. */
const ODD = /[bcdfghjklmnpqrstvwxz]{6}|[a-z][A-Z]+[a-z]*[A-Z]/
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  `please thanks thank hello hey okay yes yeah want need like know think make sure really maybe good well way thing
  things something anything nothing also still even could would should shall might must cannot going use using used try
  see look looks say says said tell told give gave take took come came put back first last next new old today tomorrow
  yesterday right lot bit ask asked whether needs let dear ${SLANG}`.split(/\s+/),
)
let segmenter: Intl.Segmenter | undefined

function topicsOf(text: string): readonly string[] {
  const found = [...text.matchAll(CANDIDATE)].flatMap(([run]) => {
    if (STARTS_UNSPACED.test(run)) return unspacedWords(run)
    if (run.length > LONGEST_RUN) return []
    const word = run.replaceAll(/^[./_-]+|[./_-]+$/g, "")
    if (FILE.test(word)) return [word]
    return isTelling(word) ? [word.toLowerCase().normalize("NFC")] : []
  })
  const counts = new Map<string, number>()
  for (const word of found) counts.set(word, (counts.get(word) ?? 0) + 1)
  const ranked = [...counts].sort(([, one], [, other]) => other - one).map(([word]) => word)
  return ranked.slice(0, MOST_TOPICS)
}

function isTelling(word: string): boolean {
  const folded = word.toLowerCase()
  return WORD.test(word) && !ODD.test(word) && !STOP_WORDS.has(folded) && !EMPTY_WORDS.has(folded)
}

function unspacedWords(run: string): readonly string[] {
  // Created on first use: it is slow to make and few texts need it.
  segmenter ??= new Intl.Segmenter("en", { granularity: "word" })
  const words = [...segmenter.segment(run)].map(({ segment }) => segment)
  // Single characters and words in kana alone are mostly grammar.
  return words.filter(
    (word) => [...word].length >= 2 && word.length <= LONGEST_TOPIC && !/^\p{Script=Hiragana}+$/u.test(word),
  )
}
