// Ranks units for a question: BM25 over what the caller may see, plus shares from neighbouring units and the part
// around a unit, its label, its date and whether it says when. Every figure comes from the given shelves alone, so the
// order of the hits reveals nothing about other shelves. Weights were tuned on conversations that the bench does not
// report.
import type { Database, Row } from "../../database/sqlite/database.ts"
import { termsTable } from "../shelf/schema.ts"
import { labelTerm } from "../shelf/shelf.ts"
import { asks, idsOf, keyOf, lengthOf, partOf, placeIn, saysWhenOf } from "../shelf/unit-id.ts"
import { askedDate, asksWhen } from "./dates.ts"
import { askedFor, rarityOf } from "./relevance.ts"
import { questionTerms } from "./terms.ts"

export interface Weights {
  readonly saturation: number
  readonly lengthShare: number
  /**
   * The share a unit gets from the one before it, from a question before it, from the one after it, and from those two
   * away.
   */
  readonly before: number
  readonly question: number
  readonly after: number
  readonly twoAway: number
  /** The share it gets from the best matches under its heading, and from the heading itself. */
  readonly part: number
  /** For a unit that only asks a question. */
  readonly asking: number
  readonly label: number
  readonly when: number
  readonly date: number
  readonly day: number
}

const WEIGHTS: Weights = {
  saturation: 0.6,
  lengthShare: 0.75,
  before: 0.1,
  question: 0.8,
  after: 0.1,
  twoAway: 0.2,
  part: 0.3,
  asking: 0.9,
  label: 1,
  when: 1.3,
  date: 2,
  day: 1.2,
}

export interface Ranked {
  /** The unit's id in the index. */
  readonly id: number
  readonly score: number
  /** Its row, without the columns of its part and file. */
  readonly row: Row
}

export interface Question {
  readonly text: string
  readonly shelves: readonly number[]
  readonly weights?: Weights
  /** Return nothing if the best unit scores less than this share of what the text asks for. */
  readonly floor?: number
}

/** How many of the best units are examined closely. */
const LOOKED_AT = 200
/**
 * A term in more units than this, and in more than a twentieth of them, is common: it only adds to units that other
 * terms found.
 */
const COMMON = 400
const COMMON_SHARE = 0.05

export function rank(database: Database, question: Question): readonly Ranked[] {
  const { text, shelves, weights = WEIGHTS, floor = 0 } = question
  const figures = figuresOf(database, shelves)
  const asked = questionTerms(text).map((term) => ({ term, ids: idsWith(database, shelves, term) }))
  const terms = asked.filter(({ ids }) => ids.length > 0).toSorted((a, b) => a.ids.length - b.ids.length)
  const scores = new Scores(figures, weights)
  for (const [at, { ids }] of terms.entries()) {
    const isCommon = ids.length > COMMON && ids.length > figures.units * COMMON_SHARE
    if (at === 0 || !isCommon) scores.add(ids, isCommon ? "own" : "around")
    else scores.add(ids, "known")
  }
  const looked = scores.best(LOOKED_AT).flatMap(({ key, score }) => {
    const row = database.get("SELECT * FROM unit WHERE id BETWEEN ? AND ?", ...idsOf(key))
    return row === undefined ? [] : [{ id: Number(row.id), score, row }]
  })
  const found = adjusted(database, looked, { text, shelves, weights, terms: terms.map(({ term }) => term) })
  const counted = asked.map(({ term, ids }) => ({ term, count: ids.length }))
  return (found[0]?.score ?? 0) < floor * askedFor(text, counted, figures.units) ? [] : found
}

interface Figures {
  readonly units: number
  readonly meanLength: number
}

function figuresOf(database: Database, shelves: readonly number[]): Figures {
  let [units, length] = [0, 0]
  for (const shelf of shelves) {
    const row = database.get(
      "SELECT sum(units) AS units, sum(length) AS length FROM file WHERE shelf = ?",
      shelf,
    )
    units += Number(row?.units ?? 0)
    length += Number(row?.length ?? 0)
  }
  return { units, meanLength: units === 0 ? 1 : Math.max(1, length / units) }
}

/** All ids in one row: a row for each would take ten times as long. */
function idsWith(database: Database, shelves: readonly number[], term: string): readonly number[] {
  return shelves.flatMap((shelf) => {
    const table = termsTable(shelf)
    const row = database.get(
      `SELECT group_concat(rowid) AS ids FROM ${table} WHERE ${table} MATCH ?`,
      `"${term}"`,
    )
    return typeof row?.ids === "string" ? row.ids.split(",").map(Number) : []
  })
}

class Scores {
  readonly #figures: Figures
  readonly #weights: Weights
  readonly #units = new Map<number, number>()
  readonly #parts = new Map<number, number>()

  constructor(figures: Figures, weights: Weights) {
    this.#figures = figures
    this.#weights = weights
  }

  /** Adds to units found before, to those that have the term, or also to those around them. */
  add(ids: readonly number[], reach: "known" | "own" | "around"): void {
    const { units, meanLength } = this.#figures
    const { saturation, lengthShare } = this.#weights
    const rarity = rarityOf(ids.length, units)
    const bestOfPart = new Map<number, number>()
    for (const id of ids) {
      const norm = 1 - lengthShare + lengthShare * (lengthOf(id) / meanLength)
      const score = (rarity * (saturation + 1)) / (1 + saturation * norm)
      const key = keyOf(id)
      if (reach === "known" && !this.#parts.has(partOf(key))) continue
      if (reach === "known") this.#addOwn(key, score)
      else if (reach === "own") this.#give(key, score)
      else this.#addAround(key, score, asks(id))
      const part = partOf(key)
      if (score > (bestOfPart.get(part) ?? 0)) bestOfPart.set(part, score)
    }
    for (const [part, score] of bestOfPart) this.#parts.set(part, (this.#parts.get(part) ?? 0) + score)
  }

  #addOwn(key: number, score: number): void {
    const known = this.#units.get(key)
    if (known !== undefined) this.#units.set(key, known + score)
  }

  #addAround(key: number, score: number, isQuestion: boolean): void {
    const { before, question, after, twoAway } = this.#weights
    const place = placeIn(key)
    this.#give(key, score)
    if (place === 0) return
    this.#give(key + 1, score * (isQuestion ? question : before))
    this.#give(key + 2, score * twoAway)
    if (place > 1) this.#give(key - 1, score * after)
    if (place > 2) this.#give(key - 2, score * twoAway)
  }

  #give(key: number, score: number): void {
    this.#units.set(key, (this.#units.get(key) ?? 0) + score)
  }

  best(most: number): readonly Scored[] {
    const least = this.#floor(most)
    const found: Scored[] = []
    for (const [key, own] of this.#units) {
      const score = this.#whole(key, own)
      if (score >= least) found.push({ key, score })
    }
    return found.sort((a, b) => b.score - a.score || a.key - b.key).slice(0, most)
  }

  /** The score of the last unit that counts. Sorting plain numbers is much faster than sorting the units. */
  #floor(most: number): number {
    if (this.#units.size <= most) return 0
    const scores = new Float64Array(this.#units.size)
    let at = 0
    for (const [key, own] of this.#units) {
      scores[at] = this.#whole(key, own)
      at += 1
    }
    return scores.sort()[scores.length - most] ?? 0
  }

  #whole(key: number, own: number): number {
    return own + this.#weights.part * (this.#parts.get(partOf(key)) ?? 0)
  }
}

interface Scored {
  readonly key: number
  readonly score: number
}

interface Asked extends Omit<Required<Question>, "floor"> {
  readonly terms: readonly string[]
}

/** Adjustments that need the unit itself. A part's heading passes its date on to everything below it. */
function adjusted(database: Database, ranked: readonly Ranked[], asked: Asked): readonly Ranked[] {
  const { text, shelves, weights, terms } = asked
  const labelled = keysWith(database, shelves, terms.map(labelTerm))
  const date = askedDate(text)
  const dated = keysWith(database, shelves, date === undefined ? [] : [date.wide])
  const exact = keysWith(database, shelves, date?.exact === undefined ? [] : [date.exact])
  const wantsTime = asksWhen(text)
  const isIn = (keys: ReadonlySet<number>, key: number) => keys.has(key) || keys.has(key - placeIn(key))
  const adjust = ({ id, score, row }: Ranked): Ranked => {
    const key = keyOf(id)
    let result = score
    if (asks(id)) result *= weights.asking
    if (labelled.has(key)) result += weights.label
    if (wantsTime && saysWhenOf(id)) result *= weights.when
    if (isIn(dated, key)) result *= weights.date
    if (isIn(exact, key)) result *= weights.day
    return { id, score: result, row }
  }
  return ranked.map(adjust).sort((a, b) => b.score - a.score || a.id - b.id)
}

function keysWith(
  database: Database,
  shelves: readonly number[],
  terms: readonly string[],
): ReadonlySet<number> {
  return new Set(terms.flatMap((term) => idsWith(database, shelves, term).map(keyOf)))
}
