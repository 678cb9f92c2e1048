// The states of a task: for the store, and for the tool that changes one.
export const TASK_STATUSES = ["open", "working", "done", "dropped"] as const
export type TaskStatus = (typeof TASK_STATUSES)[number]
