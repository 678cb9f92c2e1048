// Which prompt is built: the full one, a minimal one, or a subagent's.

export const MODES = ["full", "minimal", "subagent"] as const
export type Mode = (typeof MODES)[number]
