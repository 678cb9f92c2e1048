// What `incipit bill` says if it found no calls: where it looked for each client, and what to do.

import { listed, plural } from "../../../base/text/figures.ts"
import type { Bill } from "../../../capture/bill/bill.ts"
import { escapeHidden } from "../../../record/ask/log.ts"
import { localDay } from "../../../record/ask/zone.ts"
import { painter } from "../colour.ts"
import type { Page } from "../page.ts"
import { cells, fitCell, wrap } from "../widths.ts"
import { periodText } from "./words.ts"

export interface Nothing {
  /** Of all time. */
  readonly all: Bill
  /** What was asked for. */
  readonly session: string | undefined
  readonly named: readonly string[]
  /** Where each client would keep its files, and how many were found there. */
  readonly looked: readonly {
    readonly title: string
    readonly folders: readonly string[]
    readonly files: number
  }[]
  /** Writes the commands in a sentence as they work where the program was started. */
  readonly typed: (sentence: string) => string
}

export function nothingView({ all, session, named, looked, typed }: Nothing, page: Page): readonly string[] {
  const { from, to, timeZone } = all
  const wrapped = (text: string) => wrap(text, page.columns)
  if (from !== undefined && to !== undefined)
    return [
      ...wrapped(
        `No calls in this period. There are ${plural(all.calls, "call")} from ${periodText(from, to, timeZone)}.`,
      ),
      ...wrapped(typed(`To see them: incipit bill --since ${localDay(from, timeZone)}`)),
    ]
  if (session !== undefined)
    return [
      ...wrapped(`No calls found of a session that begins with ${escapeHidden(session)}.`),
      ...wrapped(typed("To see all sessions: incipit bill --since 30d --by session")),
    ]
  if (named.length > 0)
    return [
      ...wrapped(`No calls found in ${listed(named.map(escapeHidden))}.`),
      ...wrapped(`Files of these are read: ${listed(looked.map(({ title }) => title))}.`),
      ...wrapped(typed("To read where each client keeps its own: incipit bill")),
    ]
  const paint = painter(page)
  const widest = Math.max(...looked.map(({ title }) => cells(title)), 0)
  const rows = looked.flatMap(({ title, folders, files }) => {
    const what = files === 0 ? "nothing in" : `${plural(files, "file")} without calls in`
    const text = wrap(`${what} ${listed(folders.map(escapeHidden))}`, Math.max(20, page.columns - widest - 4))
    return text.map((line, at) => `  ${fitCell(at === 0 ? title : "", widest)}  ${line}`)
  })
  return [
    "No calls found. This is where they would be:",
    "",
    ...rows.map((line) => paint("dim", line)),
    "",
    ...wrapped(typed("Transcripts somewhere else? Name the folder: incipit bill DIR")),
    ...wrapped(typed("To record the next run of any client: incipit wrap -- COMMAND")),
  ]
}
