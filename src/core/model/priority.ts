// Need: which text yields first when a budget is too small.

/** The priorities of sections. From the last to yield to the first. */
export const PRIORITIES = ["required", "high", "medium", "low"] as const
/** How important a section is when the budget is too small for all of them. */
export type Priority = (typeof PRIORITIES)[number]
