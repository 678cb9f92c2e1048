// What costs can be added up by: for the record, the command line and the tool that asks about them.
export const COST_KEYS = ["day", "session", "user", "model", "turn", "section", "file"] as const
/** What costs are summed by. */
export type CostKey = (typeof COST_KEYS)[number]
