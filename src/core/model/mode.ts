// How much of a prompt is built: all of it, a minimal one, or the one of a subagent.

export const MODES = ["full", "minimal", "subagent"] as const
export type Mode = (typeof MODES)[number]
