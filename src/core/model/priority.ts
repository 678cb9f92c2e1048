// Need: which text yields first when a budget is too small.

/** From the last to yield to the first. */
export const PRIORITIES = ["required", "high", "medium", "low"] as const
export type Priority = (typeof PRIORITIES)[number]
