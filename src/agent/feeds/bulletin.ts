// The bulletin: a few lines about what memory holds from the last days, for one person at one trust. A model or a rule
// makes it at most once an hour. No turn waits for it: the old bulletin is shown until a new one is ready.
import type { Trust } from "../../base/trust.ts"
import type { Counter } from "../../core/model/counter.ts"
import { authorText, jointProvenance } from "../../core/view/authorship.ts"
import type { Database } from "../../database/sqlite/database.ts"
import type { Memory } from "../../memory/memory.ts"
import type { RecentEntry } from "../../memory/recent.ts"
import { isOnePerson, type Keeping } from "./who.ts"

export interface Bulletin {
  /** Returns the current lines and starts a new bulletin if one is due. Never waits for a model. */
  lines(): readonly string[]
  /** Resolves when no bulletin is being made. */
  settled(): Promise<void>
  erase(): void
}

/** `entries`: the text to sum up. It is data: instructions in it are not followed. */
type Summarise = (instruction: string, entries: string) => Promise<string>

export interface BulletinOptions extends Keeping {
  readonly trust: Trust
  readonly memory: Pick<Memory, "recent">
  readonly counter: Counter
  /** Asks a model. Without it, the newest entries are listed. */
  readonly summarise?: Summarise
  /** Receives errors; the old bulletin stays. */
  readonly trouble?: (error: unknown) => void
}

const EVERY_MS = 60 * 60 * 1_000
const MOST_TOKENS = 120
const MOST_ENTRIES = 20
/** How many entries to search when checking that a bulletin's sources still exist. */
const KNOWN_ENTRIES = 200
const LONGEST_LINE = 160

const REQUEST =
  "Below are the newest entries of a memory, newest first. Sum up in at most five short lines what somebody should have in mind who speaks with this person now. Facts and dates only; nothing that is not in the entries. Where an entry says by whom it is, say so too."

interface KeptLines {
  readonly at: number
  readonly lines: readonly string[]
  /** Digests of the entries. */
  readonly entries: readonly string[]
  readonly by: "model" | "rule"
}

export function openBulletin(database: Database, options: BulletinOptions): Bulletin {
  return new KeptBulletin(database, options)
}

class KeptBulletin implements Bulletin {
  readonly #options: BulletinOptions
  readonly #store: ReturnType<typeof storeOf>
  #working: Promise<void> | undefined
  #triedAt = Number.NEGATIVE_INFINITY
  #erased = 0

  constructor(database: Database, options: BulletinOptions) {
    this.#options = options
    this.#store = storeOf(database, options)
  }

  lines(): readonly string[] {
    const { who, trust, memory, now, summarise, trouble } = this.#options
    if (!isOnePerson(who)) return []
    const until = new Date(now()).toISOString().slice(0, 10)
    const { status, reason, entries } = memory.recent({ trust, until, limit: KNOWN_ENTRIES })
    if (status === "error") {
      trouble?.(new Error(reason))
      return this.#store.read()?.lines ?? []
    }
    const kept = stillTrue(this.#store.read(), entries)
    const newest = entries.slice(0, MOST_ENTRIES)
    if (kept === undefined) this.#store.remove()
    if (newest.length > 0 && isDue(kept, newest, now(), summarise !== undefined)) {
      if (summarise === undefined) return this.#list(newest)
      this.#begin(summarise, newest)
    }
    return kept?.lines ?? []
  }

  async settled(): Promise<void> {
    await this.#working
  }

  erase(): void {
    this.#erased += 1
    this.#store.erase()
  }

  #begin(model: Summarise, from: readonly RecentEntry[]): void {
    const { now, trouble } = this.#options
    if (this.#working !== undefined || now() - this.#triedAt < EVERY_MS) return
    this.#triedAt = now()
    this.#working = this.#write(model, from)
      .catch((error: unknown) => trouble?.(error))
      .finally(() => {
        this.#working = undefined
      })
  }

  async #write(model: Summarise, from: readonly RecentEntry[]): Promise<void> {
    const before = this.#erased
    try {
      const text = await model(REQUEST, from.map(entryLine).join("\n"))
      if (text.trim() === "") throw new Error("the model wrote no bulletin")
      if (this.#erased === before) this.#save(text, from, "model")
    } catch (error) {
      if (this.#erased === before && this.#store.read() === undefined) this.#list(from)
      throw error
    }
  }

  #list(entries: readonly RecentEntry[]): readonly string[] {
    return this.#save(entries.map(entryLine).join("\n"), entries, "rule")
  }

  #save(text: string, from: readonly RecentEntry[], by: KeptLines["by"]): readonly string[] {
    const { counter, now } = this.#options
    const lines = [...(by === "model" ? authorsLine(from) : []), ...fitting(text, counter)]
    this.#store.write({ at: now(), lines, entries: from.map(({ digest }) => digest), by })
    return lines
  }
}

/** Drops a bulletin at once if memory no longer shows its sources to this trust, however recent it is. */
function stillTrue(kept: KeptLines | undefined, entries: readonly RecentEntry[]): KeptLines | undefined {
  const known = new Set(entries.map(({ digest }) => digest))
  return kept?.entries.every((digest) => known.has(digest)) ? kept : undefined
}

function isDue(
  kept: KeptLines | undefined,
  newest: readonly RecentEntry[],
  now: number,
  hasModel: boolean,
): boolean {
  if (kept === undefined) return true
  const isChanged = kept.entries.join() !== newest.map(({ digest }) => digest).join()
  return now - kept.at >= EVERY_MS && (isChanged || (hasModel && kept.by === "rule"))
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

function storeOf(database: Database, { agent, who, trust }: BulletinOptions) {
  const key = [agent, who, trust]
  return {
    read(): KeptLines | undefined {
      const row = database.get("SELECT * FROM bulletins WHERE agent = ? AND who = ? AND trust = ?", ...key)
      if (row === undefined) return undefined
      // Only the code below writes this column, from values of this type.
      const { entries, by } = JSON.parse(String(row.made_from)) as Pick<KeptLines, "entries" | "by">
      return { at: Number(row.at), lines: String(row.text).split("\n"), entries, by }
    },
    write({ at, lines, entries, by }: KeptLines) {
      database.run(
        "INSERT OR REPLACE INTO bulletins (agent, who, trust, at, text, made_from) VALUES (?, ?, ?, ?, ?, ?)",
        ...[...key, at, lines.join("\n"), JSON.stringify({ entries, by })],
      )
    },
    remove() {
      database.run("DELETE FROM bulletins WHERE agent = ? AND who = ? AND trust = ?", ...key)
    },
    /** At every trust. */
    erase() {
      database.run("DELETE FROM bulletins WHERE agent = ? AND who = ?", agent, who)
    },
  }
}
