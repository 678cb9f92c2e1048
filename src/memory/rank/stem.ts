// Porter's stemmer for English words (M. F. Porter, 1980): "painted", "painting" and "paints" become one term. Leaves
// words alone that contain anything but a to z.

const VOWEL = "[aeiouy]"
const CONSONANT = "[^aeiou]"
const VOWELS = `${VOWEL}[aeiou]*`
const CONSONANTS = `${CONSONANT}[^aeiouy]*`
/** How often a vowel is followed by a consonant: at least once, exactly once, more than once. */
const SOME = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}`)
const ONCE = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}(?:${VOWELS})?$`)
const MORE = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`)
const HAS_VOWEL = new RegExp(`^(?:${CONSONANTS})?${VOWEL}`)
/** Consonant, vowel, consonant at the end, as in "hop": a final e is restored. */
const SHORT_END = new RegExp(`^${CONSONANTS}${VOWEL}[^aeiouwxy]$`)

const SECOND: Readonly<Record<string, string>> = {
  ational: "ate",
  tional: "tion",
  enci: "ence",
  anci: "ance",
  izer: "ize",
  bli: "ble",
  alli: "al",
  entli: "ent",
  eli: "e",
  ousli: "ous",
  ization: "ize",
  ation: "ate",
  ator: "ate",
  alism: "al",
  iveness: "ive",
  fulness: "ful",
  ousness: "ous",
  aliti: "al",
  iviti: "ive",
  biliti: "ble",
  logi: "log",
}
const THIRD: Readonly<Record<string, string>> = {
  icate: "ic",
  ative: "",
  alize: "al",
  iciti: "ic",
  ical: "ic",
  ful: "",
  ness: "",
}
const SECOND_END = new RegExp(`^(.+?)(${Object.keys(SECOND).join("|")})$`)
const THIRD_END = new RegExp(`^(.+?)(${Object.keys(THIRD).join("|")})$`)
const FOURTH_END =
  /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$|^(.+?[st])(ion)$/

export function stem(word: string): string {
  if (word.length < 3 || word.length > 40 || !/^[a-z]+$/.test(word)) return word
  // A y at the start is a consonant; the capital excludes it from the vowels.
  const marked = word.startsWith("y") ? `Y${word.slice(1)}` : word
  return lastLetters(suffixes(finalY(pastAndProgress(plural(marked))))).toLowerCase()
}

function plural(word: string): string {
  if (/(ss|i)es$/.test(word)) return word.slice(0, -2)
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word
}

function pastAndProgress(word: string): string {
  if (word.endsWith("eed")) return SOME.test(word.slice(0, -3)) ? word.slice(0, -1) : word
  const [, root] = /^(.+?)(?:ed|ing)$/.exec(word) ?? []
  if (root === undefined || !HAS_VOWEL.test(root)) return word
  if (/(at|bl|iz)$/.test(root)) return `${root}e`
  if (/([^aeiouylsz])\1$/.test(root)) return root.slice(0, -1)
  return SHORT_END.test(root) ? `${root}e` : root
}

function finalY(word: string): string {
  return word.endsWith("y") && HAS_VOWEL.test(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word
}

function suffixes(word: string): string {
  return fourth(replaced(replaced(word, SECOND_END, SECOND), THIRD_END, THIRD))
}

function replaced(word: string, end: RegExp, table: Readonly<Record<string, string>>): string {
  const [, root = "", suffix = ""] = end.exec(word) ?? []
  return root !== "" && SOME.test(root) ? root + (table[suffix] ?? "") : word
}

function fourth(word: string): string {
  const found = FOURTH_END.exec(word)
  const root = found?.[1] ?? found?.[3]
  return root !== undefined && MORE.test(root) ? root : word
}

function lastLetters(word: string): string {
  let result = word
  if (result.endsWith("e")) {
    const root = result.slice(0, -1)
    if (MORE.test(root) || (ONCE.test(root) && !SHORT_END.test(root))) result = root
  }
  return result.endsWith("ll") && MORE.test(result) ? result.slice(0, -1) : result
}
