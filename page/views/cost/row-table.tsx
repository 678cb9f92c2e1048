// Days, sessions, people, models or clients with what each cost. Every row leads on to its calls.
import type { CostsBy, ShownCost } from "../../../src/serve/page/shown.ts"
import { inputOf } from "../../parts/call-facts.ts"
import { count, money, percent } from "../../parts/figures.ts"
import { type Column, MoneyTable } from "../../parts/money/money-table.tsx"
import { useShowMore } from "../../parts/show-more.tsx"
import { visibleName } from "../../parts/visible-text.ts"
import { linkTo, type PlaceChange, place } from "../../shell/place.ts"

export interface RowTableProps {
  readonly by: Exclude<CostsBy, "owner">
  readonly rows: readonly ShownCost[]
}

const HEADS: Readonly<Record<RowTableProps["by"], string>> = {
  day: "Day",
  session: "Session",
  person: "Person",
  model: "Model",
  client: "Client",
}

const COLUMNS: readonly Column[] = [
  { title: "Cost", kind: "figure" },
  { title: "Compared", kind: "share", isSpoken: true },
  { title: "Calls", kind: "figure" },
  { title: "Input", kind: "figure", isWide: true },
  { title: "Cached", kind: "figure" },
  { title: "Output", kind: "figure", isWide: true },
  { title: "Where it leads", isSpoken: true },
]

/** More are shown when they are asked for. */
const AT_FIRST = 100

export function RowTable({ by, rows }: RowTableProps) {
  const { who } = place.value
  const all = rows.filter((row) => by !== "session" || who === undefined || row.who === who)
  // The newest day comes first in the table.
  const { shown, more } = useShowMore(by === "day" ? all.toReversed() : all, AT_FIRST, ["row"])
  const largest = Math.max(0, ...all.map(weightOf))
  return (
    <>
      <MoneyTable caption={`Cost by ${by}`} columns={[{ title: HEADS[by] }, ...COLUMNS]}>
        <tbody>
          {shown.map((row) => (
            <Row key={row.key} by={by} row={row} largest={largest} />
          ))}
        </tbody>
      </MoneyTable>
      {more}
    </>
  )
}

function weightOf({ costUsd, usage }: ShownCost): number {
  return costUsd === null || costUsd === 0 ? (inputOf(usage) + usage.output) / 1e9 : costUsd
}

interface RowProps {
  readonly by: RowTableProps["by"]
  readonly row: ShownCost
  readonly largest: number
}

function Row({ by, row, largest }: RowProps) {
  const { title, who, calls, usage, costUsd, unpriced, newest } = row
  const input = inputOf(usage)
  const name = title === "" ? "Untitled" : visibleName(title)
  const to = targetOf(by, row)
  return (
    <tr>
      <th scope="row">
        {to === undefined ? name : <a href={linkTo(to)}>{name}</a>}
        {who !== null && <span class="quiet"> · {visibleName(who)}</span>}
      </th>
      <td class="figure">
        {unpriced > 0 && costUsd !== null && <span class="quiet">at least </span>}
        {money(costUsd)}
      </td>
      <td class="money-share">
        <span class="cost-bar" style={{ width: `${largest === 0 ? 0 : (100 * weightOf(row)) / largest}%` }} />
      </td>
      <td class="figure">{calls === null ? "" : count(calls)}</td>
      <td class="figure money-wide">{count(input)}</td>
      <td class="figure">{percent(input === 0 ? 0 : usage.read / input)}</td>
      <td class="figure money-wide">{count(usage.output)}</td>
      <td class="cost-more">
        {by === "session" && (
          <a href={linkTo({ by: "owner", only: row.key, owner: null })}>
            Its texts<span class="spoken">: {name}</span>
          </a>
        )}
        {by !== "session" && newest !== null && (
          <a href={linkTo({ view: "prompt", session: newest.session, call: newest.call })}>
            Newest call<span class="spoken">: {name}</span>
          </a>
        )}
      </td>
    </tr>
  )
}

function targetOf(by: RowTableProps["by"], { key }: ShownCost): PlaceChange | undefined {
  switch (by) {
    case "session":
      return { view: "cache", session: key, call: null }
    case "day":
      return { by: "session", day: key, who: null }
    case "person":
      return { by: "session", who: key }
    default:
      return undefined
  }
}
