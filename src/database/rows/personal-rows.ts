// Converts rows of tasks, bulletins, the schedule, suspended turns and branches to values. Only the store writes the
// columns, so their types are trusted.
import type { TaskStatus } from "../../base/task-status.ts"
import type { StoredBulletin, StoredPlace } from "../contract/people.ts"
import type { AddedEntry } from "../contract/schedule.ts"
import type { TaskChange, TaskRecord, TaskStep } from "../contract/tasks.ts"
import type { Branch } from "../contract/transcripts.ts"
import type { StoredWait, WaitKind } from "../contract/waits.ts"
import type { Row } from "./row.ts"

export function taskOf(row: Row): TaskRecord {
  return {
    id: String(row.id),
    title: String(row.title),
    // Only the code above writes both, from values of these types.
    status: row.status as TaskStatus,
    steps: JSON.parse(String(row.steps)) as readonly TaskStep[],
    ...(row.description !== null && { description: String(row.description) }),
    ...(typeof row.author === "string" && { by: row.author }),
  }
}

export function changedTask(change: TaskChange, old: TaskRecord | undefined): TaskRecord {
  const description = change.description ?? old?.description ?? ""
  return {
    id: old?.id ?? "",
    title: change.title ?? old?.title ?? "",
    status: change.status ?? old?.status ?? "open",
    steps: change.steps ?? old?.steps ?? [],
    ...(description !== "" && { description }),
  }
}

export function isOpenTask({ status }: TaskRecord): boolean {
  return status === "open" || status === "working"
}

export function workflowPlaceOf(row: Row): StoredPlace {
  return { name: String(row.name), current: Number(row.current), step: String(row.step) }
}

export function bulletinOf(row: Row): StoredBulletin {
  // Written from values of this type.
  const from = JSON.parse(String(row.made_from)) as Pick<StoredBulletin, "entries" | "by">
  return { at: Number(row.at), lines: String(row.text).split("\n"), entries: from.entries, by: from.by }
}

export function entryOf({ id, cron, run }: Row): AddedEntry {
  return { id: String(id), cron: String(cron), run: String(run) }
}

export function waitOf(row: Row): StoredWait {
  return {
    id: String(row.id),
    // Only `suspend` writes the column, from a value of this type.
    kind: String(row.kind) as WaitKind,
    turn: String(row.turn_id),
    session: String(row.session_id),
    request: String(row.request),
    at: Number(row.at),
    expiresAt: Number(row.expires_at),
    answer: typeof row.answer === "string" ? row.answer : undefined,
  }
}

export function branchOf(row: Row): Branch {
  return {
    session: String(row.session_id),
    from: String(row.from_session),
    upTo: Number(row.up_to),
    at: Number(row.at),
  }
}
