// What was added, removed and changed, by section, with tokens. What stayed the same is shown when it is asked for.
import { change, count } from "../../parts/figures.ts"
import { visibleName } from "../../parts/visible-text.ts"
import { go, place } from "../../shell/place.ts"
import { type ChangeKind, isChange, type PartChange } from "./part-changes.ts"

export interface ChangeListProps {
  readonly changes: readonly PartChange[]
  readonly chosen: string | undefined
  readonly onChoose: (key: string) => void
}

const SIGNS: Readonly<Record<ChangeKind, string>> = {
  added: "+",
  removed: "−",
  changed: "±",
  unchanged: "=",
  "not compared": "?",
}

/** A prompt has dozens; more are cut off. */
const MOST = 500

export function ChangeList({ changes, chosen, onChoose }: ChangeListProps) {
  const isWhole = place.value.all !== undefined
  const numberOf = (kind: ChangeKind) => changes.filter((one) => one.kind === kind).length
  const [same, unknown] = [numberOf("unchanged"), numberOf("not compared")]
  const shown = changes.filter((one) => isWhole || isChange(one)).slice(0, MOST)
  const groups = [...Map.groupBy(shown, ({ group }) => group)]
  return (
    <nav class="diff-list" aria-label="Parts">
      {same + unknown > 0 && (
        <label class="small diff-all">
          <input
            type="checkbox"
            checked={isWhole}
            onChange={({ currentTarget: { checked } }) =>
              go({ all: checked ? "1" : null }, { replace: true })
            }
          />
          show {count(same)} unchanged{unknown > 0 && `, ${count(unknown)} not compared`}
        </label>
      )}
      {groups.map(([group, own]) => (
        <section key={group}>
          <h2 class="diff-group">{group}</h2>
          <ul>
            {own.map((one) => (
              <li key={one.key}>
                <button
                  type="button"
                  class="plain diff-row"
                  data-kind={one.kind}
                  aria-current={one.key === chosen ? "true" : undefined}
                  onClick={() => onChoose(one.key)}
                >
                  <span class="diff-sign" aria-hidden="true">
                    {SIGNS[one.kind]}
                  </span>
                  <span class="diff-name">
                    {visibleName(one.title)}
                    {one.reason !== "" && (
                      <span class="small quiet diff-reason">{visibleName(one.reason)}</span>
                    )}
                  </span>
                  <span class="figure">
                    <span class="spoken">{one.kind}, </span>
                    {tokensText(one)}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

function tokensText(one: PartChange): string {
  const { left, right } = one
  if (!isChange(one)) return count((right ?? left)?.tokens ?? 0)
  return change((right?.tokens ?? 0) - (left?.tokens ?? 0))
}
