// `incipit bill`: what the calls of coding agents on this machine cost, where it went, what was paid for twice, and what
// is worth changing. Reads what the clients left on disk; changes nothing and sends nothing.

import { closeSync, existsSync, writeSync } from "node:fs"
import { resolve } from "node:path"
import { IncipitError } from "../../../base/error.ts"
import { unwritable } from "../../../base/system-error.ts"
import type { Bill } from "../../../capture/bill/bill.ts"
import { makeBill } from "../../../capture/bill/make-bill.ts"
import type { BillQuestion } from "../../../capture/bill/question.ts"
import { READERS, READERS_OF_NAMED } from "../../../capture/clients/readers.ts"
import { parseSince } from "../../../record/ask/since.ts"
import { localDay } from "../../../record/ask/zone.ts"
import { asTyped } from "../../command-line/as-typed.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { openOutput } from "../../command-line/output-file.ts"
import { printDiagnostics } from "../../command-line/print-diagnostics.ts"
import type { Terminal } from "../../terminal.ts"
import { byMarkdown, byView } from "../../views/bill/by-view.ts"
import { htmlView } from "../../views/bill/html-view.ts"
import { markdownView } from "../../views/bill/markdown-view.ts"
import { nothingView } from "../../views/bill/nothing-view.ts"
import { sharedBill } from "../../views/bill/shared-bill.ts"
import { summaryOf } from "../../views/bill/summary.ts"
import { allTables, tableBy } from "../../views/bill/tables.ts"
import { terminalView } from "../../views/bill/terminal-view.ts"
import { oneLine } from "../../views/widths.ts"
import { rangeOf } from "../record/record-file.ts"
import { billJson } from "./bill-json.ts"
import { progressOn } from "./progress.ts"
import { redacted } from "./redacted.ts"
import { shortPath, withShortPaths } from "./short-paths.ts"

type Flags = FlagsOf<"bill">

export async function run({ words, flags, terminal }: Invocation<"bill">): Promise<number> {
  const question = await questionOf(words, flags, terminal)
  const progress = progressOn(flags, terminal)
  const found = await makeBill({ ...question, onProgress: progress.show })
  progress.clear()
  const shared = flags.share ? sharedBill(found) : flags.json ? found : withShortPaths(found, terminal.home)
  const bill = await redacted(shared, terminal.env)
  if (!flags.json && bill.calls === 0) return nothing(bill, question, { flags, terminal })
  if (flags.html !== undefined) writePage(bill, flags.html, terminal)
  else terminal.out(shown(bill, flags, terminal))
  // What is not exact is said once for each client, in the bill itself.
  const others = bill.diagnostics.filter(({ code }) => code !== "capture-not-exact")
  if (!flags.json) printDiagnostics(others, terminal)
  return 0
}

async function questionOf(words: readonly string[], flags: Flags, terminal: Terminal): Promise<BillQuestion> {
  const folders = words.map((word) => resolve(terminal.cwd, word))
  const missing = folders.find((path) => !existsSync(path))
  if (missing !== undefined) throw new IncipitError("bad-argument", `there is no file or folder ${missing}`)
  const { since, until } = rangeOf(flags, terminal)
  // What is named is wanted whole.
  const isNamed = words.length > 0 || flags.session !== undefined || until !== undefined
  // The price table is slow to load.
  const { priceFor } = await import("../../../record/prices/prices.ts")
  return {
    machine: { home: terminal.home ?? terminal.cwd, variables: terminal.env },
    readers: folders.length === 0 ? READERS : READERS_OF_NAMED,
    folders: folders.length === 0 ? undefined : folders,
    client: flags.client,
    since: since ?? (isNamed ? undefined : aWeekAgo(terminal)),
    until,
    session: flags.session,
    timeZone: terminal.timeZone,
    priceOf: (model, at) => priceFor(model, { at }),
  }
}

const DAY_MS = 86_400_000

/** The start of the day six days before today, so that today is the seventh. Counted in days: some have 23 hours. */
function aWeekAgo({ now, timeZone }: Terminal): number | undefined {
  const first = new Date(Date.parse(localDay(now(), timeZone)) - 6 * DAY_MS)
  return parseSince(first.toISOString().slice(0, 10), now(), timeZone)
}

function shown(bill: Bill, flags: Flags, terminal: Terminal): string {
  if (flags.json) return billJson(bill)
  if (flags.by !== undefined) {
    const table = tableBy(bill, flags.by)
    return flags.markdown ? byMarkdown(table) : lines(byView(table, terminal))
  }
  const summary = summaryOf(bill)
  return flags.markdown ? markdownView(summary) : lines(terminalView(summary, terminal))
}

function lines(texts: readonly string[]): string {
  return `${texts.map(oneLine).join("\n")}\n`
}

function writePage(bill: Bill, name: string, terminal: Terminal): void {
  const path = resolve(terminal.cwd, name)
  try {
    const file = openOutput(path)
    try {
      writeSync(file, htmlView(summaryOf(bill), allTables(bill)))
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw unwritable(path, error)
  }
  terminal.err(`Wrote ${oneLine(path)}.\n`)
}

interface Asked {
  readonly flags: Flags
  readonly terminal: Terminal
}

/** Says what was looked for. Without a period of the user's own, looks whether there are older calls. */
async function nothing(bill: Bill, question: BillQuestion, { flags, terminal }: Asked): Promise<number> {
  const isNarrowed = question.since !== undefined || question.until !== undefined
  const all = isNarrowed
    ? await makeBill({ ...question, since: undefined, until: undefined, details: false })
    : bill
  const named = (question.folders ?? []).map((path) => shortPath(path, question.machine.home))
  const typed = (sentence: string) => asTyped(sentence, terminal)
  const asked = { typed, session: flags.session, named: flags.share ? [] : named }
  terminal.out(lines(nothingView({ all, ...asked, looked: lookedIn(bill, question, flags) }, terminal)))
  printDiagnostics(bill.diagnostics, terminal)
  return 0
}

/** One row for each client, also for one with several readers; with `--share`, without the user's own folders. */
function lookedIn(bill: Bill, { machine, folders, client }: BillQuestion, { share }: Flags) {
  const home = share ? "~" : machine.home
  const asked = READERS.filter((reader) => client === undefined || reader.client === client)
  const rows = asked.map((reader) => ({
    title: reader.title,
    folders: (folders ?? reader.folders({ ...machine, home })).map((path) => shortPath(path, machine.home)),
    files: bill.reading.clients
      .filter((one) => one.title === reader.title)
      .reduce((sum, one) => sum + one.files, 0),
  }))
  return [...Map.groupBy(rows, ({ title }) => title)].flatMap(([title, same]) => {
    const places = [...new Set(same.flatMap((row) => row.folders))]
    return places.length === 0 ? [] : [{ title, folders: places, files: same[0]?.files ?? 0 }]
  })
}
