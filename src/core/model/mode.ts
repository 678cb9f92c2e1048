// Which prompt is built: the full one, a minimal one, or a subagent's.

/** The sizes that a prompt can be asked for. */
export const MODES = ["full", "minimal", "subagent"] as const
/** How much of a prompt is wanted: all of it, the least that works, or what a subagent needs. */
export type Mode = (typeof MODES)[number]
