// By whose text it was: the treemap, and the table with the same figures. A row opens to the calls that the text rode in.
import { useMemo } from "preact/hooks"
import type { ShownOwnerCost } from "../../../src/serve/page/shown.ts"
import { count, money, percent } from "../../parts/figures.ts"
import { type Column, MoneyTable } from "../../parts/money/money-table.tsx"
import { visibleName } from "../../parts/visible-text.ts"
import { go, place } from "../../shell/place.ts"
import { OwnerCalls } from "./owner-calls.tsx"
import { groupOwners, type OwnerGroup, weightIn } from "./owner-groups.ts"
import { Treemap } from "./treemap.tsx"

export function Owners({ owners }: { readonly owners: readonly ShownOwnerCost[] }) {
  const grouped = useMemo(() => groupOwners(owners), [owners])
  const chosen = place.value.owner
  const choose = (key: string) => go({ owner: key === chosen ? null : key })
  const isPriced = grouped.isPriced
  return (
    <>
      <p class="quiet small">
        Carried cost: what a text cost to write, and every time it was sent again.
        {!isPriced && " These calls have no price, so tokens are compared."}
      </p>
      <Treemap
        grouped={grouped}
        chosen={chosen}
        onChoose={(key) => {
          choose(key)
          document.getElementById(rowId(owners, key))?.focus()
        }}
      />
      <p class="quiet small">Darker: changes more rarely. Grey: conversation.</p>
      <MoneyTable
        caption="Carried cost by text"
        columns={isPriced ? COLUMNS : COLUMNS.filter(({ title }) => title !== CARRIED)}
      >
        {grouped.groups.map((group) => (
          <Group key={group.name} {...{ group, owners, chosen, isPriced, choose }} all={grouped.weight} />
        ))}
      </MoneyTable>
    </>
  )
}

/** Left out if nothing has a price. */
const CARRIED = "Carried"

const COLUMNS: readonly Column[] = [
  { title: "Text" },
  { title: CARRIED, kind: "figure" },
  { title: "Share", kind: "share" },
  { title: "Tokens, once", kind: "figure", isWide: true },
  { title: "Tokens, carried", kind: "figure" },
  { title: "Calls", kind: "figure", isWide: true },
]

/** Keys may hold anything, so they are no ids. */
function rowId(owners: readonly ShownOwnerCost[], key: string): string {
  return `cost-owner-${owners.findIndex((owner) => owner.key === key)}`
}

interface GroupProps {
  readonly group: OwnerGroup
  readonly owners: readonly ShownOwnerCost[]
  readonly chosen: string | undefined
  readonly isPriced: boolean
  readonly choose: (key: string) => void
  readonly all: number
}

function Group({ group, owners, chosen, isPriced, choose, all }: GroupProps) {
  return (
    <tbody>
      <tr class="money-group">
        <th scope="rowgroup">{group.title}</th>
        {isPriced && <td class="figure">{money(group.costUsd)}</td>}
        <td class="money-share">{percent(all === 0 ? 0 : group.weight / all)}</td>
        <td class="money-wide" />
        <td class="figure">{count(group.tokens)}</td>
        <td class="money-wide" />
      </tr>
      {group.owners.map((owner) => (
        <Row
          key={owner.key}
          owner={owner}
          id={rowId(owners, owner.key)}
          share={all === 0 ? 0 : weightIn(owner, isPriced) / all}
          {...{ isPriced, choose }}
          isChosen={owner.key === chosen}
        />
      ))}
    </tbody>
  )
}

interface RowProps extends Pick<GroupProps, "isPriced" | "choose"> {
  readonly owner: ShownOwnerCost
  readonly id: string
  readonly share: number
  readonly isChosen: boolean
}

function Row({ owner, id, share, isPriced, choose, isChosen }: RowProps) {
  const { title, carriedUsd, tokens, carriedTokens, calls, key, others } = owner
  const lines = linesOf(owner)
  return (
    <>
      <tr class={isChosen ? "cost-chosen" : undefined}>
        <th scope="row">
          {others > 0 ? (
            <span class="cost-name">{visibleName(title)}</span>
          ) : (
            <button
              type="button"
              id={id}
              class="plain cost-name"
              aria-expanded={isChosen}
              onClick={() => choose(key)}
            >
              <span>
                {visibleName(title)}
                {lines !== "" && <span class="quiet">{lines}</span>}
              </span>
            </button>
          )}
        </th>
        {isPriced && <td class="figure">{money(carriedUsd)}</td>}
        <td class="money-share">
          <span class="cost-bar" style={{ width: `${(100 * share).toFixed(2)}%` }} />
          <span class="spoken">{percent(share)}</span>
        </td>
        <td class="figure money-wide">{count(tokens)}</td>
        <td class="figure">{count(carriedTokens)}</td>
        <td class="figure money-wide">{count(calls)}</td>
      </tr>
      {isChosen && (
        <tr>
          <td colSpan={isPriced ? 6 : 5} class="cost-calls">
            <OwnerCalls owner={owner} />
          </td>
        </tr>
      )}
    </>
  )
}

function linesOf({ owner: { kind, lines } }: ShownOwnerCost): string {
  if (kind !== "file" || lines === undefined) return ""
  return `:${lines[0]}${lines[0] === lines[1] ? "" : `-${lines[1]}`}`
}
