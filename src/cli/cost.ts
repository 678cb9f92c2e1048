// `incipit cost`: what calls cost, by day, session, person, model, turn, section or file.
import { COST_KEYS, type CostKey, type CostReport, type CostSums, costs } from "../record/cost.ts"
import { dollars } from "../record/log.ts"
import type { Invocation } from "./commands.ts"
import { rangeOf, withRecord } from "./record-file.ts"
import { cells, fitCell, painter, plural, type Terminal, thousands } from "./terminal.ts"

export async function run({ flags, terminal }: Invocation): Promise<number> {
  return withRecord(flags, terminal, (database) => {
    const by: CostKey = COST_KEYS.find((key) => key === flags.by) ?? "day"
    const report = costs(database, { by, timeZone: terminal.timeZone, ...rangeOf(flags, terminal) })
    terminal.out(
      flags.json === true ? `${JSON.stringify(report, null, 2)}\n` : `${view(report, terminal).join("\n")}\n`,
    )
    return 0
  })
}

function view(report: CostReport, terminal: Terminal): readonly string[] {
  const paint = painter(terminal)
  const heads = [report.by, "calls", "fresh", "read", "written", "answers", "cost"]
  const rows = report.rows.map((row) => [row.key || "(none)", ...figures(row)])
  const total = ["total", ...figures(report.total)]
  const all = [heads, ...rows, total]
  const widths = heads.map((_, at) => Math.max(...all.map((row) => cells(row[at] ?? ""))))
  const first = Math.max(
    8,
    Math.min(widths[0] ?? 0, terminal.columns - widths.slice(1).reduce((sum, size) => sum + size + 2, 0)),
  )
  const line = (row: readonly string[]) =>
    row
      .map((text, at) => fitCell(text, at === 0 ? first : (widths[at] ?? 0), at === 0 ? "left" : "right"))
      .join("  ")
      .trimEnd()
  const { turns, unmeasured } = report
  const notes = [
    turns.count > 0 &&
      `${plural(turns.count, "turn")}, ${turns.averageUsd === null ? "of unknown cost" : `${dollars(turns.averageUsd)} on average`}`,
    (report.total.unpriced ?? 0) > 0 &&
      `${plural(report.total.unpriced ?? 0, "call")} to models without a known price are in no sum`,
    unmeasured > 0 && `${plural(unmeasured, "call")} came back without a count of tokens`,
  ].filter((note) => note !== false)
  return [
    paint("dim", line(heads)),
    ...rows.map(line),
    paint("bold", line(total)),
    ...notes.map((note) => paint("dim", note)),
  ]
}

function figures({ calls, fresh, read, write, output, costUsd }: CostSums): readonly string[] {
  const whole = (value: number | null) => (value === null ? "" : thousands(Math.round(value)))
  return [
    whole(calls),
    whole(fresh),
    whole(read),
    whole(write),
    whole(output),
    costUsd === null ? "unknown" : dollars(costUsd),
  ]
}
