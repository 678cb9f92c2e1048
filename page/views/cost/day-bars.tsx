// Days as bars, with those in between on which nothing was called. The table below has the same figures.
import { useRef } from "preact/hooks"
import type { ShownCost } from "../../../src/serve/page/shown.ts"
import { inputOf } from "../../parts/call-facts.ts"
import { MONTHS, money, shortCount } from "../../parts/figures.ts"
import { useSize } from "../../parts/use-size.ts"
import { go } from "../../shell/place.ts"
import { daysAfter } from "./period.ts"

const HEIGHT = 160
const LABELS = 18
/** More are not shown by day. */
const MOST_DAYS = 400
const MOST_WIDTH = 48

interface Day {
  readonly day: string
  readonly row: ShownCost | undefined
}

export function DayBars({ rows }: { readonly rows: readonly ShownCost[] }) {
  const box = useRef<HTMLDivElement>(null)
  const { width } = useSize(box)
  const days = withGaps(rows)
  const isPriced = rows.some(({ costUsd }) => costUsd !== null && costUsd > 0)
  const weight = ({ row }: Day) =>
    row === undefined ? 0 : isPriced ? (row.costUsd ?? 0) : inputOf(row.usage) + row.usage.output
  const most = Math.max(Number.MIN_VALUE, ...days.map(weight))
  const pitch = Math.min(MOST_WIDTH, width / Math.max(1, days.length))
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / Math.max(1, pitch)))
  return (
    <div ref={box} class="day-bars">
      <svg width={width} height={HEIGHT + LABELS + TOP} aria-hidden="true">
        {days.map((day, at) => {
          const height = (weight(day) / most) * HEIGHT
          const x = at * pitch
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the table below does the same with keys.
            <g key={day.day} class="day-bar" onClick={() => go({ by: "session", day: day.day })}>
              <title>
                {day.day}: {textOf(day, isPriced)}
              </title>
              <rect class="day-room" x={x} y={0} width={pitch} height={HEIGHT + TOP} />
              <rect
                x={x + 1}
                y={TOP + HEIGHT - height}
                width={Math.max(1, pitch - 2)}
                height={Math.max(day.row === undefined ? 0 : 1, height)}
              />
              {at % every === 0 && (
                <text x={x + 1} y={TOP + HEIGHT + 14}>
                  {shortDay(day.day)}
                </text>
              )}
              {weight(day) === most && (
                <text class="day-most" x={x + 1} y={TOP + HEIGHT - height - 4}>
                  {textOf(day, isPriced)}
                </text>
              )}
            </g>
          )
        })}
      </svg>
    </div>
  )
}

const TOP = 18
const LABEL_WIDTH = 56

function textOf({ row }: Day, isPriced: boolean): string {
  if (row === undefined) return "no calls"
  return isPriced ? money(row.costUsd) : `${shortCount(inputOf(row.usage) + row.usage.output)} tokens`
}

function shortDay(day: string): string {
  const [, month = "1", date = "1"] = day.split("-")
  return `${Number(date)} ${MONTHS[Number(month) - 1] ?? ""}`
}

/** The newest ones, if there are too many: a client may have written any time. */
function withGaps(rows: readonly ShownCost[]): readonly Day[] {
  const known = new Map(rows.map((row) => [row.key, row]))
  const days: Day[] = []
  const first = rows[0]?.key ?? ""
  let day = rows.at(-1)?.key
  while (day !== undefined && day >= first && days.length < MOST_DAYS) {
    days.unshift({ day, row: known.get(day) })
    day = daysAfter(day, -1)
  }
  return days
}
