// What `incipit bill` says if it found no calls: where it looked for each client, and what to do.
import type { Bill } from "../../../capture/bill/bill.ts"
import { escapeHidden } from "../../../record/ask/log.ts"
import { painter } from "../colour.ts"
import { listed, plural } from "../figures.ts"
import type { Page } from "../page.ts"
import { wrap } from "../widths.ts"
import { dayKey, periodText } from "./words.ts"

export interface Nothing {
  /** Of the period that was asked for. */
  readonly bill: Bill
  /** Of all time. */
  readonly all: Bill
  readonly isShared: boolean
}

export function nothingView({ bill, all, isShared }: Nothing, page: Page): readonly string[] {
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
  const looked = bill.reading.clients.flatMap(({ title, folders, files }) => {
    const where = folders.length === 0 || isShared ? "" : ` in ${listed(folders.map(escapeHidden))}`
    const what =
      folders.length === 0
        ? "no folder here"
        : files === 0
          ? `no transcripts${where}`
          : `${plural(files, "file")} without calls${where}`
    return wrapped(`  ${title}: ${what}`)
  })
  return [
    "No calls found.",
    "",
    ...looked.map((line) => paint("dim", line)),
    "",
    ...wrapped("Transcripts somewhere else? Name the folder: incipit bill DIR"),
    ...wrapped("To record the next run of any client: incipit wrap -- COMMAND"),
  ]
}
