// When a changed text is sent again. A section has a default, and a single source may ask for another.

/**
 * What happens when a text changes after it was told.
 * In the head: `update` tells the change at the next turn, `hold` waits for the next epoch, `rebase` begins one.
 * In the tail: `turn` tells it at the next turn, `step` within the turn, `always` with every turn, changed or not,
 * and without a line when it ends.
 */
export const ON_CHANGES = ["append", "wait", "rebuild", "turn", "step", "always"] as const
export type OnChange = (typeof ON_CHANGES)[number]
