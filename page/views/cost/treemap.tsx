// Money as areas: each group a frame, each owner in it as large as what it cost. The table below it has the same figures
// for screen readers and keys; on narrow screens there is only the table.
import { useMemo, useRef } from "preact/hooks"
import { money, percent, shortCount } from "../../parts/figures.ts"
import { useSize } from "../../parts/use-size.ts"
import { visibleName } from "../../parts/visible-text.ts"
import type { GroupedOwners } from "./owner-groups.ts"
import { type GroupArea, laidOut, type OwnerArea } from "./treemap-layout.ts"

export interface TreemapProps {
  readonly grouped: GroupedOwners
  readonly chosen: string | undefined
  readonly onChoose: (key: string) => void
}

const HEIGHT = 400

export function Treemap({ grouped, chosen, onChoose }: TreemapProps) {
  const box = useRef<HTMLDivElement>(null)
  const { width } = useSize(box)
  const areas = useMemo(() => laidOut(grouped, { width, height: HEIGHT }), [grouped, width])
  return (
    <div ref={box} class="treemap">
      <svg width={width} height={HEIGHT} aria-hidden="true">
        {areas.map((area) => (
          <Group key={area.group.name} area={area} {...{ grouped, chosen, onChoose }} />
        ))}
      </svg>
    </div>
  )
}

interface GroupProps extends TreemapProps {
  readonly area: GroupArea
}

function Group({ area: { box, value, group, owners }, grouped, chosen, onChoose }: GroupProps) {
  const share = grouped.weight === 0 ? 0 : value / grouped.weight
  return (
    <g>
      {box.y1 - box.y0 > 18 && (
        <text class="treemap-head" x={box.x0} y={box.y0 + 14}>
          {fitted(`${group.title} ${percent(share)}`, box.x1 - box.x0, 7)}
        </text>
      )}
      {owners.map((area) => (
        <Leaf
          key={area.owner.key}
          area={area}
          pace={group.pace ?? "talk"}
          isPriced={grouped.isPriced}
          isChosen={area.owner.key === chosen}
          onChoose={onChoose}
        />
      ))}
    </g>
  )
}

interface LeafProps {
  readonly area: OwnerArea
  readonly pace: string
  readonly isPriced: boolean
  readonly isChosen: boolean
  readonly onChoose: (key: string) => void
}

function Leaf({
  area: {
    box: { x0, x1, y0, y1 },
    owner,
  },
  pace,
  isPriced,
  isChosen,
  onChoose,
}: LeafProps) {
  const [width, height] = [x1 - x0, y1 - y0]
  if (width < 1 || height < 1) return null
  const cost = isPriced ? money(owner.carriedUsd) : shortCount(owner.carriedTokens)
  const name = fitted(visibleName(owner.title), width - 10, 7.2)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the table below does the same with keys.
    <g class={`treemap-leaf treemap-${pace}`} onClick={() => onChoose(owner.key)}>
      <title>
        {visibleName(owner.title)}: {cost}
        {!isPriced && " tokens"}
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
  if (room < 6) return ""
  return /[\\/]/.test(text) ? `…${text.slice(1 - room)}` : `${text.slice(0, room - 1)}…`
}
