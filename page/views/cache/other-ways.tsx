// What the same calls would have cost with another lifetime of the cache, other marks or another provider. Simulated by
// the server when it is asked for, because it takes a moment.
import type { Simulated, SimulatedWay } from "../../../src/serve/page/shown.ts"
import { ask } from "../../data/ask.ts"
import { currentSource } from "../../data/calls.ts"
import { useLoaded } from "../../data/load.ts"
import { count, counted, money, moneyChange, percent } from "../../parts/figures.ts"
import { type Column, MoneyTable, Notes } from "../../parts/money/money-table.tsx"
import { Loading, Problem } from "../../parts/notice.tsx"
import { visibleName } from "../../parts/visible-text.ts"
import { go, place } from "../../shell/place.ts"

export function OtherWays({ session }: { readonly session: string }) {
  const isAsked = place.value.simulated !== undefined
  return (
    <section aria-labelledby="cache-ways-title">
      <h2 id="cache-ways-title">The same calls in other ways</h2>
      <p class="quiet">
        Simulated by the published rules of each provider's cache, not measured: another cache lifetime, other
        cache marks, another provider.
      </p>
      {isAsked ? (
        <Ways session={session} />
      ) : (
        <button type="button" onClick={() => go({ simulated: "1" })}>
          Simulate
        </button>
      )}
    </section>
  )
}

function Ways({ session }: { readonly session: string }) {
  const source = currentSource()
  const {
    value: simulated,
    problem,
    reload,
  } = useLoaded(`${source} ${session}`, (signal) =>
    ask<Simulated>("/api/page/simulated", { signal, query: { source, session } }),
  )
  if (problem !== undefined) return <Problem text={problem} onRetry={reload} />
  if (simulated?.session !== session) return <Loading what="the simulation" />
  const [sent] = simulated.ways
  if (simulated.why !== null || sent === undefined)
    return (
      <p role="status">
        {simulated.why ?? "Nothing can be simulated."}
        {source === "captures" && " Capture with incipit wrap makes the next calls exact."}
      </p>
    )
  return (
    <div class="cache-ways">
      <p>{introOf(simulated, sent)}</p>
      <MoneyTable caption="The same calls in other ways, simulated" columns={COLUMNS}>
        {GROUPS.map(({ kind, title }) => (
          <Group
            key={kind}
            title={title}
            ways={simulated.ways.filter((way) => way.kind === kind)}
            sent={sent}
          />
        ))}
      </MoneyTable>
      <Notes notes={simulated.notes} />
    </div>
  )
}

const COLUMNS: readonly Column[] = [
  { title: "Way" },
  { title: "Cost", kind: "figure" },
  { title: "Difference", kind: "figure" },
  { title: "Read", kind: "figure", isWide: true },
  { title: "Written", kind: "figure", isWide: true },
  { title: "Uncached", kind: "figure", isWide: true },
]

const GROUPS = [
  { kind: "sent", title: "" },
  { kind: "ttl", title: "Another cache lifetime" },
  { kind: "layout", title: "Other cache marks" },
  { kind: "provider", title: "Another provider, at its own prices" },
] as const

function introOf({ calls, recordedUsd }: Simulated, sent: SimulatedWay): string {
  const simulated = sent.costUsd === null ? "" : ` Simulated as they were sent: ${money(sent.costUsd)}.`
  const recorded =
    recordedUsd === null ? "" : ` By the provider's own figures they cost ${money(recordedUsd)}.`
  return `${counted(calls, "call")} of ${visibleName(sent.model)}.${simulated}${recorded} Differences are to the simulated cost.`
}

interface GroupProps {
  readonly title: string
  readonly ways: readonly SimulatedWay[]
  readonly sent: SimulatedWay
}

function Group({ title, ways, sent }: GroupProps) {
  if (ways.length === 0) return null
  return (
    <tbody>
      {title !== "" && (
        <tr>
          <th scope="rowgroup" colSpan={6} class="money-group">
            {title}
          </th>
        </tr>
      )}
      {ways.map((way) => (
        <tr key={way.title} title={visibleName(`${way.rule.id}: ${way.rule.source}, ${way.rule.date}`)}>
          <th scope="row">{visibleName(way.title)}</th>
          <td class="figure">{money(way.costUsd)}</td>
          <td class="figure">{way === sent ? "" : difference(way.costUsd, sent.costUsd)}</td>
          <td class="figure money-wide">{percent(way.hitRatio)}</td>
          <td class="figure money-wide">{count(way.usage.written)}</td>
          <td class="figure money-wide">{count(way.usage.uncached)}</td>
        </tr>
      ))}
    </tbody>
  )
}

/** In dollars, with the sign, and as a share. */
function difference(cost: number | null, sent: number | null): string {
  if (cost === null || sent === null) return ""
  const more = cost - sent
  if (Math.abs(more) < 1e-9) return "the same"
  const share = sent === 0 ? "" : ` (${more > 0 ? "+" : "−"}${percent(Math.abs(more) / sent)})`
  return `${moneyChange(more)}${share}`
}
