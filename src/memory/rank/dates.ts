// Parses dates as people write them in headings, file names, entries and questions. A date is "2023-05-08", or
// "2023-05" if no day is given. Nothing here knows the current date.

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
]
const MONTH = `(${MONTHS.map((name) => `${name}|${name.slice(0, 3)}`).join("|")}|sept)\\.?`
const ISO = /(?<!\d)((?:19|20)\d\d)([-/.]?)(0[1-9]|1[0-2])(?:\2(0[1-9]|[12]\d|3[01]))?(?!\d)/
const DAY_FIRST = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH},? ((?:19|20)\\d\\d)\\b`, "i")
const MONTH_FIRST = new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?,? ((?:19|20)\\d\\d)\\b`, "i")
const MONTH_YEAR = new RegExp(`\\b${MONTH},? ((?:19|20)\\d\\d)\\b`, "i")
const MONTH_DAY = new RegExp(
  `\\b(?:${MONTH} (\\d{1,2})(?:st|nd|rd|th)?|(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH})\\b`,
  "i",
)
/** "may" and "march" are also verbs: a month alone counts only with a capital, or after a preposition. */
const MONTH_ALONE = new RegExp(`\\b(?:in|during|since|until|of|last|this) ${MONTH}(?![a-z])`, "i")
const YEAR_ALONE = /\b((?:19|20)\d\d)\b/

/** Words that say when something happened or will happen. */
const TIME = new RegExp(
  String.raw`\b(?:yesterday|today|tomorrow|tonight|last|next|ago|weeks?|weekend|months?|years?|recently|since|(?:mon|tues|wednes|thurs|fri|satur|sun)day|${MONTHS.join("|")}|(?:19|20)\d\d)\b`,
  "i",
)
const ASKS_WHEN =
  /^\W*(?:when|how long|since when|(?:on |in )?(?:what|which) (?:date|day|week|month|year))\b/i

/** The first date in a text. */
export function dateIn(text: string): string | undefined {
  const iso = ISO.exec(text)
  if (iso !== null && (iso[4] !== undefined || iso[2] !== ""))
    return dateOf(iso[1], Number(iso[3]), Number(iso[4] ?? 0))
  const dayFirst = DAY_FIRST.exec(text)
  if (dayFirst !== null) return dateOf(dayFirst[3], monthOf(dayFirst[2]), Number(dayFirst[1]))
  const monthFirst = MONTH_FIRST.exec(text)
  if (monthFirst !== null) return dateOf(monthFirst[3], monthOf(monthFirst[1]), Number(monthFirst[2]))
  const month = MONTH_YEAR.exec(text)
  return month === null ? undefined : dateOf(month[2], monthOf(month[1]), 0)
}

/** A date at the start of an entry, such as "2024-03-01: ..." or "**8 May 2023** ...". */
export function leadingDate(text: string): string | undefined {
  return dateIn(/^[\s>*_+[(#-]*(.{0,24})/u.exec(text)?.[1] ?? "")
}

/** Terms that find a date: its day, its month, its year, and its month and day in any year. */
export function dateTerms(date: string): readonly string[] {
  const [year = "", month = "", day = ""] = date.split("-")
  const whole = [`@${year}`, `@${year}${month}`, `@-${month}`]
  return (day === "" ? whole : [...whole, `@${year}${month}${day}`, `@-${month}${day}`]).map(sealed)
}

/** The date terms of a question: the day, and the month or year around it. */
export interface AskedDate {
  readonly wide: string
  readonly exact?: string
}

export function askedDate(question: string): AskedDate | undefined {
  const full = dateIn(question)
  if (full !== undefined) {
    const [year = "", month = "", day = ""] = full.split("-")
    const wide = sealed(`@${year}${month}`)
    return day === "" ? { wide } : { wide, exact: sealed(`@${year}${month}${day}`) }
  }
  const part = MONTH_DAY.exec(question)
  if (part !== null) {
    const month = two(monthOf(part[1] ?? part[4]))
    return { wide: sealed(`@-${month}`), exact: sealed(`@-${month}${two(Number(part[2] ?? part[3]))}`) }
  }
  const month = MONTH_ALONE.exec(question)
  if (month !== null) return { wide: sealed(`@-${two(monthOf(month[1]))}`) }
  const year = YEAR_ALONE.exec(question)?.[1]
  return year === undefined ? undefined : { wide: sealed(`@${year}`) }
}

export function asksWhen(question: string): boolean {
  return ASKS_WHEN.test(question)
}

export function saysWhen(text: string): boolean {
  return TIME.test(text)
}

/** Not ASCII, so that it is a single word to SQLite and cannot occur in a text. */
function sealed(term: string): string {
  return term.replace("@", "¤").replace("-", "¦")
}

function dateOf(year: string | undefined, month: number, day: number): string | undefined {
  if (year === undefined || month < 1 || day > 31) return undefined
  return day === 0 ? `${year}-${two(month)}` : `${year}-${two(month)}-${two(day)}`
}

function monthOf(name = ""): number {
  return MONTHS.findIndex((month) => month.startsWith(name.toLowerCase().slice(0, 3))) + 1
}

function two(value: number): string {
  return String(value).padStart(2, "0")
}
