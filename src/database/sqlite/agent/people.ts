// What is kept for one person or room, in SQLite: the place in a workflow, how they write, the bulletin.
import type { Bulletins, StoredPlace, Whose, WorkflowPlaces, WritingHabits } from "../../contract/people.ts"
import { bulletinOf, workflowPlaceOf } from "../../rows/personal-rows.ts"
import type { StoreFile } from "./store-file.ts"

export function workflowsIn({ database, now, read, write }: StoreFile): WorkflowPlaces {
  const get = ({ agent, who }: Whose): StoredPlace | undefined => {
    const row = database.get("SELECT * FROM workflows WHERE agent = ? AND who = ?", agent, who)
    return row && workflowPlaceOf(row)
  }
  const put = ({ agent, who }: Whose, { name, current, step }: StoredPlace) => {
    database.run(
      "INSERT OR REPLACE INTO workflows (agent, who, name, current, step, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
      ...[agent, who, name, current, step, now()],
    )
  }
  const remove = ({ agent, who }: Whose) =>
    database.run("DELETE FROM workflows WHERE agent = ? AND who = ?", agent, who).changes > 0
  return {
    get: (whose) => read(() => get(whose)),
    put: (whose, place) => write(() => put(whose, place)),
    move: (whose, from, to) =>
      write(() => {
        const at = get(whose)
        if (at?.name !== from.name || at.current !== from.current || at.step !== from.step) return false
        if (to === undefined) return remove(whose)
        put(whose, to)
        return true
      }),
    remove: (whose) => write(() => remove(whose)),
  }
}

export function writingHabitsIn({ database, now, read, write }: StoreFile): WritingHabits {
  const get = ({ agent, who }: Whose): string | undefined => {
    const row = database.get("SELECT profile FROM communication WHERE agent = ? AND who = ?", agent, who)
    return row && String(row.profile)
  }
  return {
    read: (whose) => read(() => get(whose)),
    replace: (whose, expected, json) =>
      write(() => {
        if (get(whose) !== expected) return false
        database.run(
          "INSERT OR REPLACE INTO communication (agent, who, profile, updated_at) VALUES (?, ?, ?, ?)",
          ...[whose.agent, whose.who, json, now()],
        )
        return true
      }),
    erase: ({ agent, who }) =>
      write(() => {
        database.run("DELETE FROM communication WHERE agent = ? AND who = ?", agent, who)
      }),
  }
}

export function bulletinsIn({ database, now, read, write }: StoreFile): Bulletins {
  return {
    read: ({ agent, who, trust }) =>
      read(() => {
        const row = database.get(
          "SELECT * FROM bulletins WHERE agent = ? AND who = ? AND trust = ?",
          ...[agent, who, trust],
        )
        return row && bulletinOf(row)
      }),
    write: ({ agent, who, trust }, { lines, entries, by }) =>
      write(() => {
        database.run(
          "INSERT OR REPLACE INTO bulletins (agent, who, trust, at, text, made_from) VALUES (?, ?, ?, ?, ?, ?)",
          ...[agent, who, trust, now(), lines.join("\n"), JSON.stringify({ entries, by })],
        )
      }),
    remove: ({ agent, who, trust }) =>
      write(() => {
        database.run(
          "DELETE FROM bulletins WHERE agent = ? AND who = ? AND trust = ?",
          ...[agent, who, trust],
        )
      }),
    erase: ({ agent, who }) =>
      write(() => {
        database.run("DELETE FROM bulletins WHERE agent = ? AND who = ?", agent, who)
      }),
  }
}
