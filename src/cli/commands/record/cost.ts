// `incipit cost`: what calls cost, by day, session, person, model, turn, section or file.
import { limitsFor, spendingZone } from "../../../agent/spending/limits.ts"
import { type SpendingUse, spendingUse } from "../../../agent/spending/use.ts"
import { plural, thousands } from "../../../base/text/figures.ts"
import { type CostReport, type CostSums, costs } from "../../../record/ask/cost.ts"
import { dollars, escapeHidden } from "../../../record/ask/log.ts"
import { OFFLINE_CALLS } from "../../../record/prices/offline-calls.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { print } from "../../command-line/print.ts"
import type { Terminal } from "../../terminal.ts"
import { painter } from "../../views/colour.ts"
import { fitColumns } from "../../views/fit-columns.ts"
import type { Page } from "../../views/page.ts"
import { wrap } from "../../views/widths.ts"
import { withExistingStore } from "../serve/serve-store.ts"
import { type RecordFile, rangeOf, withRecord } from "./record-file.ts"

export async function run({ flags, terminal }: Invocation<"cost">): Promise<number> {
  return withRecord(flags, terminal, async (store, file) => {
    const { by } = flags
    const report = await costs(store, { by, timeZone: terminal.timeZone, ...rangeOf(flags, terminal) })
    const limits = await limitsOf(file, flags, terminal)
    const whole = limits.length === 0 ? report : { ...report, limits }
    print({ flags, terminal }, whole, () => [...costView(report, terminal), ...limitLines(limits, terminal)])
    return 0
  })
}

/** Those of all people together, and of each configured person who has used some. */
async function limitsOf(
  { config }: RecordFile,
  flags: FlagsOf<"cost">,
  terminal: Terminal,
): Promise<readonly SpendingUse[]> {
  if (config.spending === undefined) return []
  const zone = spendingZone(config, terminal.timeZone)
  const now = { at: terminal.now(), zone }
  const people = ["owner", ...Object.keys(config.users ?? {}).map((id) => `person:${id}`)]
  const { day, person_day } = config.spending
  const payer = (who: string) => ({ agent: "", who, turn: "" })
  const limits = [
    ...limitsFor({ day }, payer(""), now),
    ...people.flatMap((who) => limitsFor({ person_day }, payer(who), now)),
  ]
  const used = await withExistingStore(flags, terminal, ({ spending }) => spendingUse(spending, limits, zone))
  return used?.filter(({ scope, usedTokens }) => scope === "day" || usedTokens > 0) ?? []
}

export function limitLines(limits: readonly SpendingUse[], terminal: Page): readonly string[] {
  const paint = painter(terminal)
  return limits
    .flatMap(({ text }) => wrap(escapeHidden(text), terminal.columns))
    .map((line) => paint("dim", line))
}

export function costView(report: CostReport, terminal: Page): readonly string[] {
  const paint = painter(terminal)
  // Sections and files have no call counts.
  const shown = (row: readonly string[]) => (report.total.calls === null ? row.toSpliced(1, 1) : row)
  const heads = shown([report.by, "calls", "uncached", "read", "written", "output", "cost"])
  const rows = report.rows.map((row) =>
    shown([row.key === "" ? "(none)" : escapeHidden(row.key), ...figures(row)]),
  )
  const total = shown(["total", ...figures(report.total)])
  const { line, left } = fitColumns([heads, ...rows, total], DROPPED_FIRST, terminal.columns)
  const { turns, unmeasured, offline } = report
  const { unpriced } = report.total
  const notes = [
    turns.count > 0 &&
      `${plural(turns.count, "turn")}, ${turns.averageUsd === null ? "cost unknown" : `${dollars(turns.averageUsd)} on average`}`,
    unpriced > 0 &&
      `${plural(unpriced, "call")} to models without a known price ${unpriced === 1 ? "is" : "are"} not in the total`,
    offline > 0 && OFFLINE_CALLS,
    left.length > 0 && `columns left out (the terminal is too narrow): ${left.join(", ")}`,
    unmeasured > 0 && `${plural(unmeasured, "call")} reported no token usage`,
  ].filter((note) => note !== false)
  return [
    paint("dim", line(heads)),
    ...rows.map(line),
    paint("bold", line(total)),
    ...notes.flatMap((note) => wrap(note, terminal.columns)).map((note) => paint("dim", note)),
  ]
}

/** The columns to drop first if there is not enough room. */
const DROPPED_FIRST = ["written", "output", "uncached", "read", "calls"]

function figures({ calls, uncached, read, write, output, costUsd }: CostSums): readonly string[] {
  const whole = (value: number | null) => (value === null ? "" : thousands(Math.round(value)))
  return [
    whole(calls),
    whole(uncached),
    whole(read),
    whole(write),
    whole(output),
    costUsd === null ? "unknown" : dollars(costUsd),
  ]
}
