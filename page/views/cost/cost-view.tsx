// Cost: where the money went. By whose text it was, as a treemap and a table; by day, session, person, model or client.
import type { CostsBy, ShownCosts } from "../../../src/serve/page/shown.ts"
import { ask } from "../../data/ask.ts"
import { currentSource, isCompiled } from "../../data/calls.ts"
import { changes } from "../../data/live.ts"
import { useLoaded } from "../../data/load.ts"
import { Empty, Loading, NotSent, Problem } from "../../parts/notice.tsx"
import { SourceSelect } from "../../parts/source-select.tsx"
import { visibleName } from "../../parts/visible-text.ts"
import { go, linkTo, place } from "../../shell/place.ts"
import { CostTotal } from "./cost-total.tsx"
import "./cost.css"
import { DayBars } from "./day-bars.tsx"
import { Owners } from "./owners.tsx"
import { currentDay, currentPeriod, ownTimeZone, PERIODS, rangeAt } from "./period.ts"
import { RowTable } from "./row-table.tsx"

const WAYS: Readonly<Record<CostsBy, string>> = {
  owner: "By text",
  day: "By day",
  session: "By session",
  person: "By person",
  model: "By model",
  client: "By client",
}

export default function CostView() {
  const by = currentBy()
  const { value, problem, reload, isCurrent } = useCosts(by)
  return (
    <div class="money">
      <h1 class="spoken">Cost</h1>
      <div class="cost-top">
        <SourceSelect />
        <select
          aria-label="Period"
          value={currentDay() ?? currentPeriod()}
          onChange={(event) => go({ since: event.currentTarget.value, day: null })}
        >
          {currentDay() !== undefined && <option value={currentDay()}>{currentDay()}</option>}
          {PERIODS.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
        <Ways ways={value?.ways ?? ["owner"]} by={value?.by ?? by} />
      </div>
      <Narrowed />
      {problem !== undefined ? (
        <Problem text={problem} onRetry={reload} />
      ) : value === undefined ? (
        <Loading what="the costs" />
      ) : (
        <div class="cost-shown" aria-busy={!isCurrent}>
          <Shown costs={value} />
        </div>
      )}
    </div>
  )
}

function currentBy(): CostsBy {
  const { by } = place.value
  return isBy(by) ? by : "owner"
}

function isBy(name: string | undefined): name is CostsBy {
  return name !== undefined && Object.hasOwn(WAYS, name)
}

function useCosts(by: CostsBy) {
  const source = currentSource()
  const { only } = place.value
  const session = by === "owner" ? only : undefined
  const period = currentDay() ?? currentPeriod()
  const key = source && JSON.stringify([source, by, period, session, changes.value])
  return useLoaded(key, (signal) => {
    const query = { source, by, session, timeZone: ownTimeZone(), ...rangeAt(Date.now()) }
    return ask<ShownCosts>("/api/page/costs", { signal, query })
  })
}

function Ways({ ways, by }: { readonly ways: readonly CostsBy[]; readonly by: CostsBy }) {
  return (
    <nav class="cost-ways" aria-label="Sum up">
      {ways.map((way) => (
        <a
          key={way}
          href={linkTo({ by: way, owner: null, only: way === "owner" ? place.value.only : null, who: null })}
          aria-current={way === by ? "true" : undefined}
        >
          {WAYS[way]}
        </a>
      ))}
    </nav>
  )
}

/** What the figures are narrowed to, and the way back. */
function Narrowed() {
  const { only, who } = place.value
  const by = currentBy()
  if (by === "owner" && only !== undefined)
    return (
      <p class="cost-narrowed">
        Only one session. <a href={linkTo({ only: null })}>Show all</a>
      </p>
    )
  if (by === "session" && who !== undefined)
    return (
      <p class="cost-narrowed">
        Only sessions of {visibleName(who)}. <a href={linkTo({ who: null })}>Show all</a>
      </p>
    )
  return null
}

function Shown({ costs }: { readonly costs: ShownCosts }) {
  if (!costs.isOpen)
    return (
      <Empty title="Costs need full trust">
        <p>This token may read your conversations, but not what they cost. Ask the operator.</p>
      </Empty>
    )
  if (isCompiled()) return <NotSent />
  if ((costs.total.calls ?? 0) === 0 && costs.rows.length === 0 && costs.owners.length === 0)
    return (
      <Empty title="No calls in this period">
        <p>
          No model was called, or the record of it was removed.{" "}
          {currentPeriod() !== "all" && <a href={linkTo({ since: "all", day: null })}>Look at all time</a>}
        </p>
      </Empty>
    )
  return (
    <>
      <CostTotal costs={costs} />
      {costs.by === "owner" && <Owners owners={costs.owners} />}
      {costs.by === "day" && <DayBars rows={costs.rows} />}
      {costs.by !== "owner" && <RowTable by={costs.by} rows={costs.rows} />}
    </>
  )
}
