// Money as areas: each group a frame, each owner in it as large as what it cost. The table below it has the same figures
// for screen readers and keys; on narrow screens there is only the table.
import { type HierarchyRectangularNode, hierarchy, treemap, treemapSquarify } from "d3-hierarchy"
import { useMemo, useRef } from "preact/hooks"
import type { ShownOwnerCost } from "../../../src/serve/page/shown.ts"
import { money, percent, shortCount } from "../../parts/figures.ts"
import { useSize } from "../../parts/use-size.ts"
import { visibleName } from "../../parts/visible-text.ts"
import { type GroupedOwners, type OwnerGroup, weightIn } from "./owner-groups.ts"

export interface TreemapProps {
  readonly grouped: GroupedOwners
  readonly chosen: string | undefined
  readonly onChoose: (key: string) => void
}

interface Node {
  readonly group?: OwnerGroup
  readonly owner?: ShownOwnerCost
  readonly weight: number
  readonly children?: readonly Node[]
}

const HEIGHT = 400
const HEAD = 20
const GAP = 2

export function Treemap({ grouped, chosen, onChoose }: TreemapProps) {
  const box = useRef<HTMLDivElement>(null)
  const { width } = useSize(box)
  const root = useMemo(() => laidOut(grouped, width), [grouped, width])
  return (
    <div ref={box} class="treemap">
      <svg width={width} height={HEIGHT} aria-hidden="true">
        {root.children?.map((group) => (
          <Group key={group.data.group?.name} group={group} {...{ grouped, chosen, onChoose }} />
        ))}
      </svg>
    </div>
  )
}

function laidOut({ groups, isPriced, weight }: GroupedOwners, width: number): HierarchyRectangularNode<Node> {
  const data: Node = {
    weight,
    children: groups.map((group) => ({
      ...{ group, weight: 0 },
      children: group.owners.map((owner) => ({ owner, weight: weightIn(owner, isPriced) })),
    })),
  }
  const tree = hierarchy<Node>(data, ({ children }) => children)
    .sum(({ owner, weight: own }) => (owner === undefined ? 0 : own))
    .sort((one, other) => (other.value ?? 0) - (one.value ?? 0))
  return treemap<Node>()
    .size([Math.max(1, width), HEIGHT])
    .tile(treemapSquarify.ratio(1.6))
    .paddingOuter(0)
    .paddingTop((node) => (node.depth === 1 ? HEAD : 0))
    .paddingInner(GAP)
    .round(true)(tree)
}

interface GroupProps extends TreemapProps {
  readonly group: HierarchyRectangularNode<Node>
}

function Group({ group, grouped, chosen, onChoose }: GroupProps) {
  const { x0, x1, y0, data } = group
  const title = data.group?.title ?? ""
  const share = grouped.weight === 0 ? 0 : (group.value ?? 0) / grouped.weight
  const pace = data.group?.pace ?? "talk"
  return (
    <g>
      <text class="treemap-head" x={x0} y={y0 + 14}>
        {fitted(`${title} ${percent(share)}`, x1 - x0, 7)}
      </text>
      {group.leaves().map((leaf) => {
        const { owner } = leaf.data
        if (owner === undefined) return null
        return (
          <Leaf
            key={owner.key}
            leaf={leaf}
            owner={owner}
            pace={pace}
            isPriced={grouped.isPriced}
            isChosen={owner.key === chosen}
            onChoose={onChoose}
          />
        )
      })}
    </g>
  )
}

interface LeafProps {
  readonly leaf: HierarchyRectangularNode<Node>
  readonly owner: ShownOwnerCost
  readonly pace: string
  readonly isPriced: boolean
  readonly isChosen: boolean
  readonly onChoose: (key: string) => void
}

function Leaf({ leaf: { x0, x1, y0, y1 }, owner, pace, isPriced, isChosen, onChoose }: LeafProps) {
  const [width, height] = [x1 - x0, y1 - y0]
  if (width < 1 || height < 1) return null
  const cost = isPriced ? money(owner.carriedUsd) : `${shortCount(owner.carriedTokens)} tokens`
  const name = fitted(visibleName(owner.title), width - 10, 7.2)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the table below does the same with keys.
    <g class={`treemap-leaf treemap-${pace}`} onClick={() => onChoose(owner.key)}>
      <title>
        {visibleName(owner.title)}: {cost}
      </title>
      <rect x={x0} y={y0} width={width} height={height} class={isChosen ? "treemap-chosen" : undefined} />
      {height > 18 && name !== "" && (
        <text x={x0 + 5} y={y0 + 14}>
          {name}
        </text>
      )}
      {height > 34 && width > 60 && (
        <text class="treemap-cost" x={x0 + 5} y={y0 + 29}>
          {fitted(cost, width - 10, 7.2)}
        </text>
      )}
    </g>
  )
}

/** As much of a text as fits; the end of a path says more than its beginning. */
function fitted(text: string, width: number, letter: number): string {
  const room = Math.floor(width / letter)
  if (text.length <= room) return text
  if (room < 4) return ""
  return /[\\/]/.test(text) ? `…${text.slice(1 - room)}` : `${text.slice(0, room - 1)}…`
}
