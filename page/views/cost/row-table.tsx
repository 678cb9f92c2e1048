// Days, sessions, people, models or clients with what each cost. Every row leads on to its calls.
import { useState } from "preact/hooks"
import type { CostsBy, ShownCost } from "../../../src/serve/page/shown.ts"
import { inputOf } from "../../parts/call-facts.ts"
import { count, money, percent } from "../../parts/figures.ts"
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

/** More are shown when they are asked for. */
const AT_FIRST = 100

export function RowTable({ by, rows }: RowTableProps) {
  const [most, setMost] = useState(AT_FIRST)
  const { who } = place.value
  const all = rows.filter((row) => by !== "session" || who === undefined || row.who === who)
  // The newest day comes first in the table.
  const shown = by === "day" ? all.toReversed() : all
  const largest = Math.max(0, ...all.map(weightOf))
  return (
    <>
      <table class="cost-table">
        <caption class="spoken">Cost by {by}</caption>
        <thead>
          <tr>
            <th scope="col">{HEADS[by]}</th>
            <th scope="col" class="figure">
              Cost
            </th>
            <th scope="col" class="cost-share">
              <span class="spoken">Compared</span>
            </th>
            <th scope="col" class="figure">
              Calls
            </th>
            <th scope="col" class="figure cost-wide">
              Input
            </th>
            <th scope="col" class="figure">
              Cached
            </th>
            <th scope="col" class="figure cost-wide">
              Output
            </th>
            <th scope="col">
              <span class="spoken">Where it leads</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.slice(0, most).map((row) => (
            <Row key={row.key} by={by} row={row} largest={largest} />
          ))}
        </tbody>
      </table>
      {shown.length > most && (
        <button type="button" onClick={() => setMost((before) => before * 4)}>
          Show more of {count(shown.length)} rows
        </button>
      )}
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
      <td class="cost-share">
        <span class="cost-bar" style={{ width: `${largest === 0 ? 0 : (100 * weightOf(row)) / largest}%` }} />
      </td>
      <td class="figure">{calls === null ? "" : count(calls)}</td>
      <td class="figure cost-wide">{count(input)}</td>
      <td class="figure">{percent(input === 0 ? 0 : usage.read / input)}</td>
      <td class="figure cost-wide">{count(usage.output)}</td>
      <td class="cost-more">
        {by === "session" && (
          <a href={linkTo({ by: "owner", only: row.key, owner: null })}>
            By text<span class="spoken">: {name}</span>
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
