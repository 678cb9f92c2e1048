// The labelled messages, and how well they are read. A reading is right if its genre is right and, if it names a mode,
// the mode too: one wrong word misleads.
import { readFileSync } from "node:fs"
import { wantsPlan } from "../../src/signal/plan-first.ts"
import { type Reading, readMessage } from "../../src/signal/read-message.ts"

const HALVES = ["tuning", "held-out"] as const
export type Half = (typeof HALVES)[number]

export interface Labelled {
  readonly genres: readonly string[]
  readonly modes: readonly string[]
  readonly plan: boolean
  readonly message: string
}

export interface Outcome {
  readonly labelled: Labelled
  readonly reading: Reading | undefined
  readonly isRight: boolean
}

export function labelledMessages(half: Half): readonly Labelled[] {
  const file = new URL(`../fixtures/messages/${half}.tsv`, import.meta.url)
  const [, ...rows] = readFileSync(file, "utf8").trimEnd().split("\n")
  return rows.map((row) => {
    const [genre = "", mode = "", plan, message = ""] = row.split("\t")
    return {
      genres: genre.split("|"),
      modes: mode.split("|"),
      plan: plan === "yes",
      message: message.replaceAll("\\n", "\n"),
    }
  })
}

export function readAll(messages: readonly Labelled[]): readonly Outcome[] {
  return messages.map((labelled) => {
    const reading = readMessage(labelled.message)
    return { labelled, reading, isRight: isRight(labelled, reading) }
  })
}

function isRight({ genres, modes }: Labelled, reading: Reading | undefined): boolean {
  if (reading === undefined) return genres.includes("-")
  return genres.includes(reading.genre) && (reading.mode === undefined || modes.includes(reading.mode))
}

export interface Figures {
  readonly messages: number
  readonly told: number
  readonly right: number
  /** The share of readings that are right. */
  readonly precision: number
  /** The share of readable messages that get a reading. */
  readonly coverage: number
}

export function figures(outcomes: readonly Outcome[]): Figures {
  const told = outcomes.filter(({ reading }) => reading !== undefined)
  const right = told.filter((outcome) => outcome.isRight).length
  const tellable = outcomes.filter(({ labelled }) => !labelled.genres.includes("-")).length
  return {
    messages: outcomes.length,
    told: told.length,
    right,
    precision: right / told.length,
    coverage: right / tellable,
  }
}

/** The same for plan mode: of the messages for which a plan is suggested, and of those that need one. */
export function planFigures(messages: readonly Labelled[]): Figures {
  const suggested = messages.filter(({ message }) => wantsPlan(message))
  const right = suggested.filter(({ plan }) => plan).length
  const needed = messages.filter(({ plan }) => plan).length
  return {
    messages: messages.length,
    told: suggested.length,
    right,
    precision: right / suggested.length,
    coverage: right / needed,
  }
}
