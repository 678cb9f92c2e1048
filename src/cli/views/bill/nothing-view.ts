// What `incipit bill` says if it found no calls: where it looked for each client, and what to do.
import type { Bill } from "../../../capture/bill/bill.ts"
import { escapeHidden } from "../../../record/ask/log.ts"
import { painter } from "../colour.ts"
import { listed, plural } from "../figures.ts"
import type { Page } from "../page.ts"
import { cells, fitCell, wrap } from "../widths.ts"
import { dayKey, periodText } from "./words.ts"

export interface Nothing {
  /** Of all time. */
  readonly all: Bill
  /** Where each client would keep its files, and how many were found there. */
  readonly looked: readonly {
    readonly title: string
    readonly folders: readonly string[]
    readonly files: number
  }[]
}

export function nothingView({ all, looked }: Nothing, page: Page): readonly string[] {
  const { from, to, timeZone } = all
  const wrapped = (text: string) => wrap(text, page.columns)
  if (from !== undefined && to !== undefined)
    return [
      ...wrapped(
        `No calls in this period. There are ${plural(all.calls, "call")} from ${periodText(from, to, timeZone)}.`,
      ),
      ...wrapped(`To see them: incipit bill --since ${dayKey(from, timeZone)}`),
    ]
  const paint = painter(page)
  const widest = Math.max(...looked.map(({ title }) => cells(title)), 0)
  const rows = looked.flatMap(({ title, folders, files }) => {
    const what = files === 0 ? "nothing in" : `${plural(files, "file")} without calls in`
    return wrapped(`  ${fitCell(title, widest)}  ${what} ${listed(folders.map(escapeHidden))}`)
  })
  return [
    "No calls found. This is where they would be:",
    "",
    ...rows.map((line) => paint("dim", line)),
    "",
    ...wrapped("Transcripts somewhere else? Name the folder: incipit bill DIR"),
    ...wrapped("To record the next run of any client: incipit wrap -- COMMAND"),
  ]
}
