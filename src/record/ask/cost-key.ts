// What costs can be added up by. A file of its own, so that the command line's help loads nothing else.

export const COST_KEYS = ["day", "session", "user", "model", "turn", "section", "file"] as const
export type CostKey = (typeof COST_KEYS)[number]
