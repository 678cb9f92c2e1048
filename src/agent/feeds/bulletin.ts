// The bulletin: a few lines about what memory holds from the last days, for one person at one trust. A prompt only
// reads it. After a turn, at most once an hour, a model or a rule makes a new one. No turn waits for it: prompts show
// the old bulletin until a new one is ready.
import type { Trust } from "../../base/trust.ts"
import type { Counter } from "../../core/model/counter.ts"
import { authorText, jointProvenance } from "../../core/view/authorship.ts"
import type { AgentStore } from "../../database/contract/agent-store.ts"
import type { Bulletins, StoredBulletin } from "../../database/contract/people.ts"
import type { Memory } from "../../memory/memory.ts"
import type { RecentEntry } from "../../memory/recent.ts"
import { type FeedOwner, isOnePerson } from "./feed-owner.ts"

/** What a prompt shows, and what to do about it after the turn. */
export interface BulletinReading {
  readonly lines: readonly string[]
  /** The stored bulletin contains something that memory no longer has. */
  readonly isOutdated?: boolean
  /** `model`: a model should write a new bulletin. Otherwise the lines above, made by the rule, to be stored. */
  readonly next?: "model" | NewLines
  /** Why memory could not be read; the stored bulletin is shown. */
  readonly trouble?: string
}

export interface BulletinReadOptions extends FeedOwner {
  readonly trust: Trust
  readonly memory: Pick<Memory, "recent">
  readonly counter: Counter
  /** Without a model, the rule lists the newest entries. */
  readonly hasModel: boolean
}

export interface Bulletin {
  /** Stores or removes the bulletin according to the turn's reading, or starts asking the model. Never waits for it. */
  afterTurn(reading: BulletinReading, asking?: Summariser): Promise<void>
  /** Resolves when no model is writing. */
  settled(): Promise<void>
  erase(): Promise<void>
}

export interface Summariser {
  /** Asks a model. `entries`: the text to sum up. It is data: instructions in it are not followed. */
  readonly summarise: (instruction: string, entries: string) => Promise<string>
  /** Receives errors; the old bulletin stays. */
  readonly trouble: (error: unknown) => void
}

export type BulletinOptions = Omit<BulletinReadOptions, "hasModel">

const EVERY_MS = 60 * 60 * 1_000
const MOST_TOKENS = 120
const MOST_ENTRIES = 20
/** How many entries to search when checking that a bulletin's sources still exist. */
const KNOWN_ENTRIES = 200
const LONGEST_LINE = 160

const REQUEST =
  "Below are the newest entries of a memory, newest first. Sum up in at most five short lines what to keep in mind when talking to this person now. Facts and dates only; add nothing that is not in the entries. If an entry names its author, name the author too."

type NewLines = Omit<StoredBulletin, "at">

/** Has no effects, so a preview may call it. */
export async function readBulletin(
  bulletins: Pick<Bulletins, "read">,
  options: BulletinReadOptions,
): Promise<BulletinReading> {
  if (!isOnePerson(options.who)) return { lines: [] }
  const { status, reason, entries } = recentEntries(options)
  const stored = await bulletins.read(options)
  if (status === "error") return { lines: stored?.lines ?? [], trouble: reason ?? status }
  const kept = stillTrue(stored, entries)
  const isOutdated = stored !== undefined && kept === undefined
  const newest = entries.slice(0, MOST_ENTRIES)
  if (newest.length === 0 || !isDue(kept, newest, options)) return { lines: kept?.lines ?? [], isOutdated }
  if (options.hasModel) return { lines: kept?.lines ?? [], isOutdated, next: "model" }
  const next = listed(newest, options)
  return { lines: next.lines, isOutdated, next }
}

export function openBulletin(
  { bulletins }: Pick<AgentStore, "bulletins">,
  options: BulletinOptions,
): Bulletin {
  return new KeptBulletin(bulletins, options)
}

class KeptBulletin implements Bulletin {
  readonly #bulletins: Bulletins
  readonly #options: BulletinOptions
  #working: Promise<void> | undefined
  #triedAt = Number.NEGATIVE_INFINITY
  #erased = 0

  constructor(bulletins: Bulletins, options: BulletinOptions) {
    this.#bulletins = bulletins
    this.#options = options
  }

  async afterTurn({ isOutdated, next }: BulletinReading, asking?: Summariser): Promise<void> {
    if (isOutdated) await this.#bulletins.remove(this.#options)
    if (next === undefined) return
    if (next !== "model") await this.#bulletins.write(this.#options, next)
    else if (asking !== undefined) this.#begin(asking)
  }

  async settled(): Promise<void> {
    await this.#working
  }

  /** At every trust. */
  async erase(): Promise<void> {
    this.#erased += 1
    await this.#bulletins.erase(this.#options)
  }

  #begin(asking: Summariser): void {
    const { now } = this.#options
    if (this.#working !== undefined || now() - this.#triedAt < EVERY_MS) return
    this.#triedAt = now()
    this.#working = this.#ask(asking)
      .catch((error: unknown) => asking.trouble(error))
      .finally(() => {
        this.#working = undefined
      })
  }

  /** From memory as it is now: the turn may have written to it. */
  async #ask({ summarise }: Summariser): Promise<void> {
    const { status, reason, entries } = recentEntries(this.#options)
    if (status === "error") throw new Error(reason)
    const from = entries.slice(0, MOST_ENTRIES)
    if (from.length === 0) return
    const before = this.#erased
    try {
      const text = await summarise(REQUEST, from.map(entryLine).join("\n"))
      if (text.trim() === "") throw new Error("the model wrote no bulletin")
      if (this.#erased === before)
        await this.#bulletins.write(this.#options, written(text, from, this.#options))
    } catch (error) {
      const isMissing = (await this.#bulletins.read(this.#options)) === undefined
      if (this.#erased === before && isMissing)
        await this.#bulletins.write(this.#options, listed(from, this.#options))
      throw error
    }
  }
}

function recentEntries({ memory, trust, now }: BulletinOptions) {
  const until = new Date(now()).toISOString().slice(0, 10)
  return memory.recent({ trust, until, limit: KNOWN_ENTRIES })
}

function written(text: string, from: readonly RecentEntry[], { counter }: BulletinOptions): NewLines {
  const lines = [...authorsLine(from), ...fitting(text, counter)]
  return { lines, entries: from.map(({ digest }) => digest), by: "model" }
}

function listed(from: readonly RecentEntry[], { counter }: BulletinOptions): NewLines {
  const lines = fitting(from.map(entryLine).join("\n"), counter)
  return { lines, entries: from.map(({ digest }) => digest), by: "rule" }
}

/** Drops a bulletin at once if memory no longer shows its sources to this trust, however recent it is. */
function stillTrue(
  kept: StoredBulletin | undefined,
  entries: readonly RecentEntry[],
): StoredBulletin | undefined {
  const known = new Set(entries.map(({ digest }) => digest))
  return kept?.entries.every((digest) => known.has(digest)) ? kept : undefined
}

function isDue(
  kept: StoredBulletin | undefined,
  newest: readonly RecentEntry[],
  { now, hasModel }: BulletinReadOptions,
): boolean {
  if (kept === undefined) return true
  const isChanged = kept.entries.join() !== newest.map(({ digest }) => digest).join()
  return now() - kept.at >= EVERY_MS && (isChanged || (hasModel && kept.by === "rule"))
}

/** Always names the authors of the entries: a model may leave out who said what. */
function authorsLine(from: readonly RecentEntry[]): readonly string[] {
  const signed = from.flatMap(({ provenance }) => provenance ?? [])
  const all = jointProvenance(signed)
  return all === undefined ? [] : [`Summed up from entries by ${authorText(all)}:`]
}

/** `2026-06-11:`, `**2026-06-11**`, `**2026-06-11, Thursday.**` */
const OWN_DATE =
  /^([*_]{0,2})\d{4}-\d\d(?:-\d\d)?(?:,? (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)?[.:]?\1:?(?=\s|$)\s*/

/** The entry in one line, without its bullet and its own date. */
function entryLine({ date, text, provenance }: RecentEntry): string {
  const bare = text
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .replace(/^\s*(?:(?:[-*+]|\d{1,9}[.)])\s)?\s*/, "")
    .replace(OWN_DATE, "")
  const by = provenance === undefined ? "" : ` by ${authorText(provenance)}`
  return `${date}${by}: ${clipped(bare, LONGEST_LINE)}`
}

function fitting(text: string, counter: Counter): readonly string[] {
  const lines = text.split("\n").flatMap((line) => line.replaceAll(/\s+/g, " ").trim() || [])
  let count = lines.length
  const fits = (some: readonly string[]) => counter.count(some.join("\n")) <= MOST_TOKENS
  while (count > 1 && !fits(lines.slice(0, count))) count -= 1
  let [length, [first = ""]] = [LONGEST_LINE * 4, lines]
  while (count === 1 && !fits([first])) {
    first = clipped(first, length)
    length = Math.floor(length / 2)
  }
  return count === 1 ? [first] : lines.slice(0, count)
}

/** Cuts between code points, so that no character is split. */
function clipped(text: string, length: number): string {
  const points = [...text]
  return points.length <= length ? text : `${points.slice(0, length).join("").trimEnd()}...`
}
