// When a changed text is sent again. A section has a default, and a single source may ask for another.

/**
 * What happens when a text changes after it was sent.
 * In the head: `append` sends the change with the next turn, `wait` waits for the next epoch, `rebuild` begins one.
 * In the tail: `turn` sends it with the next turn, `step` within the turn, `always` with every turn, changed or not,
 * and without a line when it ends.
 */
export const ON_CHANGES = ["append", "wait", "rebuild", "turn", "step", "always"] as const
/** When a changed section is sent again. */
export type OnChange = (typeof ON_CHANGES)[number]
