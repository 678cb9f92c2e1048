// When a changed text is sent again. A section has a default, and a single source may ask for another.
import type { Pace } from "../../base/pace.ts"

/** In the head: `append` sends the change with the next turn, `wait` waits for the next epoch, `rebuild` begins one. */
export const HEAD_ON_CHANGES = ["append", "wait", "rebuild"] as const

/**
 * In the tail: `turn` sends it with the next turn, `step` within the turn, `always` with every turn, changed or not, and
 * without a line when it ends.
 */
export const TURN_ON_CHANGES = ["turn", "step", "always"] as const

/** What happens when a text changes after it was sent. */
export const ON_CHANGES = [...HEAD_ON_CHANGES, ...TURN_ON_CHANGES] as const
/** When a changed section is sent again. */
export type OnChange = (typeof ON_CHANGES)[number]

/** What a section of each pace may ask for. The first is the default. */
export interface OnChanges {
  readonly stable: (typeof HEAD_ON_CHANGES)[number]
  readonly session: (typeof HEAD_ON_CHANGES)[number]
  readonly turn: (typeof TURN_ON_CHANGES)[number]
}

/** The values for sections of a pace, the default first. */
export function onChangesFor(pace: Pace): readonly OnChange[] {
  return pace === "turn" ? TURN_ON_CHANGES : HEAD_ON_CHANGES
}
