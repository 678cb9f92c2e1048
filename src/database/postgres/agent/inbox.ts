// The inbox in PostgreSQL: messages until their turn is finished.
import type { Inbox, NewMessage, ReceiveOptions, Waiting } from "../../contract/inbox.ts"
import type { Row } from "../../rows/row.ts"
import { listedMessageOf } from "../../rows/session-rows.ts"
import { digestsInMessage, messageApart, messageFrom } from "../../rows/stored-files.ts"
import type { Statements } from "../postgres.ts"
import { readFiles, storeFiles, waitingIn } from "./files.ts"
import { insertMessage, nextPlace, UNANSWERED, UNTOUCHED } from "./messages.ts"
import { insertAnswer } from "./outbox.ts"
import { takeRun } from "./schedule.ts"
import { arrivalLine, knownArrival, takeArrival } from "./serve/channels.ts"
import { saveState } from "./sessions.ts"
import { leaveWaiting, separate } from "./steering-input.ts"
import { inLine, type StoreConnection, wakes } from "./store-connection.ts"
import { applyChange } from "./transcripts.ts"

export function inboxIn(connection: StoreConnection): Inbox {
  return { ...received(connection), ...stopping(connection), ...worked(connection) }
}

type Stopping = "unfinished" | "stop" | "toStop" | "takeBack"
type Receiving = "receive" | "received" | "message" | "last" | "next" | "open" | "openBeside"

const OPEN = `SELECT inbox.* FROM inbox JOIN sessions ON sessions.id = session_id
WHERE inbox.state IN ('waiting', 'working') AND agent = $1`

/** Needs no lease. */
function received({ postgres, write }: StoreConnection): Pick<Inbox, Receiving> {
  const find = async (which: string, value: string): Promise<Waiting | undefined> => {
    const row = await postgres.get(`SELECT * FROM inbox WHERE ${which}`, value)
    return row && waitingIn(postgres, row)
  }
  return {
    receive: (message, options = {}) => write((statements) => receive(statements, message, options)),
    received: (id) => find("message_id = $1", id),
    message: (turn) => find("turn_id = $1", turn),
    last: (session) => find("session_id = $1 AND state <> 'joined' ORDER BY seq DESC LIMIT 1", session),
    async next(session) {
      const oldest = await find(`session_id = $1 AND ${UNANSWERED} ORDER BY seq LIMIT 1`, session)
      return oldest?.state === "suspended" ? undefined : oldest
    },
    open: async (agent) => (await postgres.all(`${OPEN} ORDER BY inbox.number`, agent)).map(listedMessageOf),
    async openBeside(agent, owner) {
      const rows = await postgres.all(
        `${OPEN} AND (taken_by <> $2 OR not_before > 0) ORDER BY inbox.number`,
        ...[agent, owner],
      )
      return rows.map(listedMessageOf)
    },
  }
}

async function receive(
  statements: Statements,
  message: NewMessage,
  { scheduleRun, arrival, steers = false }: ReceiveOptions,
): Promise<Waiting | "taken"> {
  if (arrival !== undefined) await arrivalLine(statements, arrival)
  const known = arrival && (await knownArrival(statements, arrival))
  if (known !== undefined) {
    const row = await statements.get("SELECT * FROM inbox WHERE turn_id = $1", known.turn ?? null)
    return row === undefined ? "taken" : waitingIn(statements, row)
  }
  if (scheduleRun !== undefined && !(await takeRun(statements, scheduleRun, message.turn))) return "taken"
  const row = await storedOnce(statements, message, steers)
  if (row === undefined) throw new Error(`the message ${message.id} was not stored`)
  if (arrival !== undefined) await takeArrival(statements, arrival, String(row.turn_id))
  return waitingIn(statements, row)
}

async function storedOnce(
  statements: Statements,
  message: NewMessage,
  steers: boolean,
): Promise<Row | undefined> {
  const [, known] = await Promise.all([
    inLine(statements, "message", message.id),
    statements.get("SELECT * FROM inbox WHERE message_id = $1", message.id),
  ])
  if (known !== undefined) return known
  const [row] = await Promise.all([
    insertMessage(statements, message, steers),
    statements.get(`SELECT ${wakes("message", "$1")}`, message.session),
  ])
  return row
}

/** Whether turns are to be stopped; any process may ask for it. */
function stopping({ postgres, write }: StoreConnection): Pick<Inbox, Stopping> {
  return {
    async unfinished(session) {
      const rows = await postgres.all(
        `SELECT * FROM inbox WHERE session_id = $1 AND ${UNANSWERED} ORDER BY seq`,
        session,
      )
      return Promise.all(rows.map((row) => waitingIn(postgres, row)))
    },
    async stop(turn) {
      const stopped = await postgres.run(
        `UPDATE inbox SET is_stopping = true,
          not_before = CASE WHEN state = 'suspended' THEN now_ms() ELSE not_before END,
          state = CASE WHEN state = 'suspended' THEN 'waiting' ELSE state END
        WHERE turn_id = $1 AND ${UNANSWERED}
        RETURNING ${wakes("stop", "session_id")}, ${wakes("message", "session_id")}`,
        turn,
      )
      return stopped > 0
    },
    async toStop(agent) {
      const rows = await postgres.all(
        `SELECT turn_id FROM inbox JOIN sessions ON sessions.id = session_id
        WHERE is_stopping AND inbox.${UNANSWERED} AND agent = $1`,
        agent,
      )
      return rows.map(({ turn_id: turn }) => String(turn))
    },
    takeBack: (reply) =>
      write(async (statements) => {
        const changes = await statements.run(
          `UPDATE inbox SET state = 'done' WHERE turn_id = $1 AND ${UNTOUCHED}
          RETURNING ${wakes("message", "session_id")}`,
          reply.turn,
        )
        if (changes === 1) await insertAnswer(statements, reply)
        return changes === 1
      }),
  }
}

/** What the holder of the session does with a message. */
function worked({ writeAsHolder }: StoreConnection): Omit<Inbox, Receiving | Stopping> {
  return {
    begin: (lease, turn, { takesOver = false } = {}) =>
      writeAsHolder(lease, async (statements) => {
        const taken = takesOver
          ? statements.run("UPDATE inbox SET taken_by = $2 WHERE turn_id = $1", turn, lease.owner)
          : undefined
        const begun = statements.run(
          "UPDATE inbox SET state = 'working' WHERE turn_id = $1 AND state IN ('waiting', 'working')",
          turn,
        )
        const [, changes] = await Promise.all([taken, begun])
        return changes === 1
      }),
    move: (lease, move, state) =>
      writeAsHolder(lease, async (statements, held) => {
        const { session } = lease
        const row = await statements.get(
          `SELECT message FROM inbox WHERE turn_id = $1 AND session_id = $2 AND ${UNANSWERED} FOR UPDATE`,
          ...[move.turn, session],
        )
        if (row === undefined) return
        await saveState(statements, session, { row: await held, change: state })
        await moveMessage(statements, { ...move, from: session, message: String(row.message) })
        await separate(statements, session, move.turn)
      }),
    postpone: (lease, { turn, wait, asked, error, state }) =>
      writeAsHolder(lease, async (statements, held) => {
        if (state !== undefined)
          await saveState(statements, lease.session, { row: await held, change: state })
        const [ms, behind] = "ms" in wait ? [wait.ms, null] : [0, wait.behind]
        const times = await statements.get(
          `SELECT CASE WHEN $2::text IS NULL THEN now_ms() + $1::bigint
            ELSE coalesce((SELECT not_before FROM inbox WHERE turn_id = $2), 0) END AS due,
            now_ms() + $3::bigint AS until`,
          ...[ms, behind, asked?.forMs ?? 0],
        )
        const due = Number(times?.due)
        const until = asked && JSON.stringify({ by: asked.by, until: Number(times?.until) })
        await statements.run(
          `UPDATE inbox SET state = 'waiting', attempts = attempts + 1, not_before = $2, asked = $3, error = $4
          WHERE turn_id = $1 AND ${UNANSWERED}`,
          ...[turn, due, until ?? null, error],
        )
        return due
      }),
    finish: (lease, change, reply) =>
      writeAsHolder(lease, async (statements, held) => {
        const { session } = lease
        const failed = change.past === undefined ? "failed" : "refused"
        const state = reply.state === "failed" ? failed : "done"
        await applyChange(statements, session, { change, held: await held })
        await Promise.all([
          statements.run("UPDATE inbox SET state = $2 WHERE turn_id = $1", change.turn, state),
          statements.run("DELETE FROM tool_runs WHERE turn_id = $1", change.turn),
          statements.run("DELETE FROM waits WHERE turn_id = $1", change.turn),
          state === "refused"
            ? separate(statements, session, change.turn)
            : leaveWaiting(statements, session),
          insertAnswer(statements, reply),
          statements.get(`SELECT ${wakes("message", "$1")}`, session),
        ])
      }),
  }
}

interface MovedMessage {
  readonly turn: string
  readonly from: string
  readonly to: string
  readonly message: string
}

async function moveMessage(statements: Statements, { turn, from, to, message }: MovedMessage): Promise<void> {
  const bytesOf = await readFiles(statements, from, digestsInMessage(message))
  const { json, files } = messageApart(messageFrom(message, bytesOf))
  // The items of its turn stay behind as past, since they belong to the conversation in which they were said.
  await statements.run("UPDATE items SET is_past = true WHERE session_id = $1 AND turn_id = $2", from, turn)
  await nextPlace(statements, to)
  await storeFiles(statements, to, files)
  await statements.run(
    `UPDATE inbox SET session_id = $2, seq = coalesce((SELECT last_message FROM sessions WHERE id = $2), 0), message = $3,
      state = 'waiting', not_before = now_ms() WHERE turn_id = $1 RETURNING ${wakes("message", "session_id")}`,
    ...[turn, to, json],
  )
}
