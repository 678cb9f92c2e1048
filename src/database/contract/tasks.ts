// Tasks of one person or room. Ids count from 1 per list and are never reused, since a conversation may still mention an
// old one.
import type { TaskStatus } from "../../base/task-status.ts"
import type { Whose, WhoseAtTrust } from "./people.ts"

export interface TaskStep {
  readonly title: string
  readonly done: boolean
}

export interface TaskRecord {
  readonly id: string
  readonly title: string
  readonly description?: string
  readonly status: TaskStatus
  readonly steps: readonly TaskStep[]
  /** Who had it written, with their trust; only if several people may. */
  readonly by?: string
}

/** Omitted fields stay as they were; an empty description removes the old one. Without an id, it is a new task. */
export interface TaskChange {
  readonly id?: string | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly status?: TaskStatus | undefined
  readonly steps?: readonly TaskStep[] | undefined
}

/** A list of tasks as one trust sees it: tasks written at a higher trust are not visible. */
export interface TaskList extends WhoseAtTrust {
  /** Who writes, in a list that several people share. */
  readonly by?: string
}

export interface StoredTasks {
  list(list: TaskList): Promise<readonly TaskRecord[]>
  /** Those that are open or in progress, and the one of this id whatever its status. */
  open(list: TaskList, also?: string): Promise<readonly TaskRecord[]>
  /** A new task needs a title. Refuses one that would leave more than `mostOpen` tasks open. */
  write(
    list: TaskList,
    change: TaskChange,
    mostOpen: number,
  ): Promise<TaskRecord | "no-such-task" | "too-many-open">
  /** Removes all tasks; their ids are not reused. */
  erase(whose: Whose): Promise<void>
}
