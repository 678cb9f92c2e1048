// Every call that the chosen line rode in, and the sum.
import type { CallRow, Carried } from "../../../src/serve/page/shown.ts"
import type { Loaded } from "../../data/load.ts"
import { count, counted, moment, money } from "../../parts/figures.ts"
import { visibleName } from "../../parts/visible-text.ts"
import type { FileLine } from "./text-pane.tsx"

export interface CarriedNoteProps {
  readonly line: FileLine
  readonly carried: Loaded<Carried>
  readonly calls: readonly CallRow[]
  readonly onClose: () => void
}

export function CarriedNote({ line, carried, calls, onClose }: CarriedNoteProps) {
  const { value, isCurrent, problem } = carried
  const isSimulated = calls.some((call) => call.isSimulated)
  return (
    <div class="carried">
      <p class="carried-head">
        <strong class="cut">
          {visibleName(line.path)}:{line.line}
        </strong>
        <button type="button" class="plain" onClick={onClose}>
          Clear
        </button>
      </p>
      <p role="status" class="carried-sum">
        {problem ??
          (value === undefined || !isCurrent ? "Looking for its calls …" : sumOf(value, isSimulated))}
      </p>
    </div>
  )
}

function sumOf({ calls, tokens, costUsd, firstAt, lastAt, isWhole }: Carried, isSimulated: boolean): string {
  if (calls === 0) return "No recorded call of this session has this line."
  const price = costUsd === null || isSimulated ? "" : `, ${money(costUsd)}`
  const from = firstAt === null || lastAt === null ? "" : `, ${moment(firstAt)} to ${moment(lastAt)}`
  const some = isWhole ? "" : " Only the newest calls were looked at."
  return `Sent with ${counted(calls, "call")} of this session: ${count(tokens)} tokens${price}${from}.${some}`
}
