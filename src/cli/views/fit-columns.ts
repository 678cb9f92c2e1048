// A table of one name and several figures, in as many columns as fit: the first column is cut last.
import { cells, fitCell } from "./widths.ts"

const MIN_KEY = 10

export interface FittedColumns {
  readonly line: (row: readonly string[]) => string
  /** The heads of the columns that are left out. */
  readonly left: readonly string[]
}

/** The first row has the heads. `droppedFirst`: heads of columns that may be left out, in this order. */
export function fitColumns(
  table: readonly (readonly string[])[],
  droppedFirst: readonly string[],
  columns: number,
): FittedColumns {
  const [heads = []] = table
  const widths = heads.map((_, at) => table.reduce((most, row) => Math.max(most, cells(row[at] ?? "")), 0))
  const left: string[] = []
  const roomFor = (names: readonly string[]) =>
    widths.reduce(
      (room, size, at) => (at === 0 || names.includes(heads[at] ?? "") ? room : room - size - 2),
      columns,
    )
  const key = widths[0] ?? 0
  for (const name of droppedFirst) if (roomFor(left) < Math.min(key, MIN_KEY)) left.push(name)
  const first = Math.min(key, Math.max(MIN_KEY, roomFor(left)))
  const line = (row: readonly string[]) =>
    row
      .map((text, at) => (at === 0 ? fitCell(text, first) : fitCell(text, widths[at] ?? 0, "right")))
      .filter((_, at) => !left.includes(heads[at] ?? ""))
      .join("  ")
      .trimEnd()
  return { line, left }
}
