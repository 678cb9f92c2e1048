// The inbox and the outbox in SQLite: messages until their turn is finished, and answers until they are delivered.
import type { Inbox, Waiting } from "../../contract/inbox.ts"
import type { Outbox } from "../../contract/outbox.ts"
import type { StoredReply } from "../../contract/reply.ts"
import { listedMessageOf, replyOf } from "../../rows/session-rows.ts"
import { messageFrom } from "../../rows/stored-files.ts"
import type { Value } from "../database.ts"
import { bytesFor, messageJson } from "./files.ts"
import { insertMessage, nextPlace, UNANSWERED, waitingIn } from "./messages.ts"
import { takeRun } from "./schedule.ts"
import { knownArrival, takeArrival } from "./serve/channels.ts"
import { saveState } from "./sessions.ts"
import { leaveWaiting, separate } from "./steering-input.ts"
import type { StoreFile } from "./store-file.ts"
import { applyChange } from "./transcripts.ts"

export function inboxIn(file: StoreFile): Inbox {
  return { ...received(file), ...stopping(file), ...worked(file) }
}

type Stopping = "unfinished" | "stop" | "toStop"
type Receiving = "receive" | "received" | "message" | "last" | "next" | "open" | "openBeside" | "takeBack"

const OPEN = `SELECT inbox.* FROM inbox JOIN sessions ON sessions.id = session_id
WHERE inbox.state IN ('waiting', 'working') AND +agent = ?`

/** Needs no lease. */
function received(file: StoreFile): Pick<Inbox, Receiving> {
  const { database, read, write } = file
  const find = (which: string, ...values: readonly Value[]): Waiting | undefined => {
    const row = database.get(`SELECT * FROM inbox WHERE ${which}`, ...values)
    return row && waitingIn(database, row)
  }
  return {
    receive: (message, { scheduleRun, arrival, steers = false } = {}) =>
      write(() => {
        const known = arrival && knownArrival(file, arrival)
        if (known !== undefined) return find("turn_id = ?", known.turn ?? null) ?? "taken"
        if (scheduleRun !== undefined && !takeRun(file, scheduleRun, message.turn)) return "taken"
        insertMessage(file, message, steers)
        const stored = find("message_id = ?", message.id)
        if (stored === undefined) throw new Error(`the message ${message.id} was not stored`)
        if (arrival !== undefined) takeArrival(file, arrival, stored.turn)
        return stored
      }),
    received: (id) => read(() => find("message_id = ?", id)),
    message: (turn) => read(() => find("turn_id = ?", turn)),
    last: (session) =>
      read(() => find("session_id = ? AND state <> 'joined' ORDER BY seq DESC LIMIT 1", session)),
    next: (session) =>
      read(() => {
        const oldest = find(`session_id = ? AND ${UNANSWERED} ORDER BY seq LIMIT 1`, session)
        return oldest?.state === "suspended" ? undefined : oldest
      }),
    open: (agent) => read(() => database.all(`${OPEN} ORDER BY inbox.id`, agent).map(listedMessageOf)),
    openBeside: (agent, owner) =>
      read(() =>
        database
          .all(`${OPEN} AND (taken_by <> ? OR not_before > 0) ORDER BY inbox.id`, agent, owner)
          .map(listedMessageOf),
      ),
    takeBack: (reply) =>
      write(() => {
        const { changes } = database.run(
          `UPDATE inbox SET state = 'done' WHERE turn_id = ? AND state = 'waiting' AND into_turn IS NULL
          AND NOT EXISTS (SELECT 1 FROM items
            WHERE items.session_id = inbox.session_id AND items.turn_id = inbox.turn_id)`,
          reply.turn,
        )
        if (changes === 1) insertAnswer(file, reply)
        return changes === 1
      }),
  }
}

/** Whether turns are to be stopped; any process may ask for it. */
function stopping({ database, now, read, write }: StoreFile): Pick<Inbox, Stopping> {
  return {
    unfinished: (session) =>
      read(() =>
        database
          .all(`SELECT * FROM inbox WHERE session_id = ? AND ${UNANSWERED} ORDER BY seq`, session)
          .map((row) => waitingIn(database, row)),
      ),
    stop: (turn) =>
      write(() => {
        const stop = `UPDATE inbox SET is_stopping = 1 WHERE turn_id = ? AND ${UNANSWERED}`
        if (database.run(stop, turn).changes === 0) return false
        const resume =
          "UPDATE inbox SET state = 'waiting', not_before = ? WHERE turn_id = ? AND state = 'suspended'"
        database.run(resume, now(), turn)
        return true
      }),
    toStop: (agent) =>
      read(() =>
        database
          .all(
            `SELECT turn_id FROM inbox JOIN sessions ON sessions.id = session_id
            WHERE is_stopping = 1 AND inbox.${UNANSWERED} AND +agent = ?`,
            agent,
          )
          .map(({ turn_id: turn }) => String(turn)),
      ),
  }
}

/** What the holder of the session does with a message. */
function worked(file: StoreFile): Omit<Inbox, Receiving | Stopping> {
  const { database, now, writeAsHolder } = file
  return {
    begin: (lease, turn, { takesOver = false } = {}) =>
      writeAsHolder(lease, () => {
        if (takesOver) database.run("UPDATE inbox SET taken_by = ? WHERE turn_id = ?", lease.owner, turn)
        const { changes } = database.run(
          "UPDATE inbox SET state = 'working' WHERE turn_id = ? AND state IN ('waiting', 'working')",
          turn,
        )
        return changes === 1
      }),
    move: (lease, { turn, to }, state) =>
      writeAsHolder(lease, () => {
        const unanswered = `SELECT message FROM inbox WHERE turn_id = ? AND ${UNANSWERED}`
        const row = database.get(unanswered, turn)
        if (row === undefined) return
        saveState(database, lease.session, state)
        // The items of its turn stay behind as past, since they belong to the conversation in which they were said.
        database.run(
          "UPDATE items SET is_past = 1 WHERE session_id = ? AND turn_id = ?",
          ...[lease.session, turn],
        )
        const message = messageJson(
          ...[file, to],
          messageFrom(String(row.message), bytesFor(database, lease.session)),
        )
        database.run(
          "UPDATE inbox SET session_id = ?, seq = ?, message = ?, state = 'waiting', not_before = ? WHERE turn_id = ?",
          ...[to, nextPlace(file, to), message, now(), turn],
        )
        separate(file, lease.session, turn)
      }),
    postpone: (lease, { turn, wait, asked, error, state }) =>
      writeAsHolder(lease, () => {
        if (state !== undefined) saveState(database, lease.session, state)
        const notBefore = "ms" in wait ? now() + wait.ms : dueOf(file, wait.behind)
        const until = asked && JSON.stringify({ by: asked.by, until: now() + asked.forMs })
        database.run(
          `UPDATE inbox SET state = 'waiting', attempts = attempts + 1, not_before = ?, asked = ?, error = ?
          WHERE turn_id = ? AND ${UNANSWERED}`,
          ...[notBefore, until ?? null, error, turn],
        )
        return notBefore
      }),
    finish: (lease, change, reply) =>
      writeAsHolder(lease, () => {
        applyChange(file, lease.session, change)
        const failed = change.past === undefined ? "failed" : "refused"
        const state = reply.state === "failed" ? failed : "done"
        database.run("UPDATE inbox SET state = ? WHERE turn_id = ?", state, change.turn)
        for (const table of ["tool_runs", "waits"])
          database.run(`DELETE FROM ${table} WHERE turn_id = ?`, change.turn)
        if (state === "refused") separate(file, lease.session, change.turn)
        else leaveWaiting(file, lease.session)
        insertAnswer(file, reply)
      }),
  }
}

function dueOf({ database }: StoreFile, turn: string): number {
  return Number(database.get("SELECT not_before FROM inbox WHERE turn_id = ?", turn)?.not_before ?? 0)
}

function insertAnswer({ database, now }: StoreFile, reply: StoredReply): void {
  const at = now()
  // There is nothing to send for a silent answer.
  const sent = reply.state === "silent" ? at : null
  database.run(
    "INSERT OR IGNORE INTO outbox (turn_id, session_id, at, reply, sent_at) VALUES (?, ?, ?, ?, ?)",
    ...[reply.turn, reply.session, at, JSON.stringify(reply), sent],
  )
}

export function outboxIn({ database, now, read, write }: StoreFile): Outbox {
  return {
    reply: (turn) =>
      read(() => {
        const row = database.get("SELECT reply FROM outbox WHERE turn_id = ?", turn)
        return row && replyOf(row)
      }),
    unsent: (agent) =>
      read(() => {
        // With the sign, SQLite sorts the few that are unsent instead of scanning all answers in order.
        const rows = database.all(
          `SELECT inbox.*, reply, outbox.at AS answered_at FROM outbox
          JOIN inbox ON inbox.turn_id = outbox.turn_id JOIN sessions ON sessions.id = outbox.session_id
          WHERE sent_at IS NULL AND +agent = ? ORDER BY +outbox.id`,
          agent,
        )
        return rows.map((row) => ({
          reply: replyOf(row),
          at: Number(row.answered_at),
          message: listedMessageOf(row),
        }))
      }),
    isSent: (turn) =>
      read(() => database.get("SELECT sent_at FROM outbox WHERE turn_id = ?", turn)?.sent_at != null),
    markSent: (turn) =>
      write(() => {
        const unsent = "UPDATE outbox SET sent_at = ? WHERE turn_id = ? AND sent_at IS NULL"
        return database.run(unsent, now(), turn).changes === 1
      }),
  }
}
