// What came in over channels, in PostgreSQL: each arrival once, in the transaction that stores what it brought.
import type { Arrival } from "../../../contract/arrival.ts"
import type { Incoming } from "../../../contract/inbox.ts"
import type { Channels, StoredArrival } from "../../../contract/serve/channels.ts"
import { arrivalFrom } from "../../../rows/serve-rows.ts"
import { digestsInMessage, messageApart, messageFrom } from "../../../rows/stored-files.ts"
import type { Statements } from "../../postgres.ts"
import { readFiles, storeFiles } from "../files.ts"
import { UNTOUCHED } from "../messages.ts"
import { inLine, type StoreConnection } from "../store-connection.ts"

export function channelsIn({ postgres, write }: StoreConnection): Channels {
  return {
    async offset(channel) {
      const row = await postgres.get("SELECT next_offset FROM channel_offsets WHERE channel = $1", channel)
      return row && String(row.next_offset)
    },
    settle: (arrival) =>
      write(async (statements) => {
        await arrivalLine(statements, arrival)
        const isNew = (await knownArrival(statements, arrival)) === undefined
        if (isNew) await takeArrival(statements, arrival, undefined)
        return isNew
      }),
    edit: (arrival, { of, message }) =>
      write(async (statements) => {
        await arrivalLine(statements, arrival)
        if ((await knownArrival(statements, arrival)) !== undefined) return "known"
        const turn = (await arrivalIn(statements, arrival.channel, of))?.turn
        if (turn === undefined) return "unknown"
        if (!(await replaceMessage(statements, turn, message))) return "too-late"
        await takeArrival(statements, arrival, undefined)
        return "edited"
      }),
    arrival: (channel, id) => arrivalIn(postgres, channel, id),
    async arrivalOf(turn) {
      const row = await postgres.get("SELECT * FROM arrivals WHERE turn_id = $1 ORDER BY at LIMIT 1", turn)
      return row && arrivalFrom(row)
    },
  }
}

/** First in a transaction that takes an arrival: two processes may get the same one at once. */
export function arrivalLine(statements: Statements, { channel, id }: Arrival): Promise<void> {
  return inLine(statements, "arrival", channel, id)
}

/** The arrival, if it was taken before; then moves the offset past it. Within a transaction. */
export async function knownArrival(
  statements: Statements,
  arrival: Arrival,
): Promise<StoredArrival | undefined> {
  const known = await arrivalIn(statements, arrival.channel, arrival.id)
  if (known !== undefined) await moveOffset(statements, arrival)
  return known
}

/** Takes a new arrival and moves the offset past it. Within a transaction. */
export async function takeArrival(
  statements: Statements,
  arrival: Arrival,
  turn: string | undefined,
): Promise<void> {
  const { channel, id, replyTo } = arrival
  await Promise.all([
    statements.run(
      "INSERT INTO arrivals (channel, id, at, turn_id, reply_to) VALUES ($1, $2, now_ms(), $3, $4)",
      ...[channel, id, turn ?? null, replyTo ?? null],
    ),
    moveOffset(statements, arrival),
  ])
}

async function moveOffset(statements: Statements, { channel, offset }: Arrival): Promise<void> {
  if (offset === undefined) return
  await statements.run(
    `INSERT INTO channel_offsets (channel, next_offset) VALUES ($1, $2)
    ON CONFLICT (channel) DO UPDATE SET next_offset = excluded.next_offset`,
    ...[channel, offset],
  )
}

/** Returns false once a turn has taken the message, or if it is gone. */
async function replaceMessage(statements: Statements, turn: string, edited: Incoming): Promise<boolean> {
  const row = await statements.get(
    `SELECT session_id, message FROM inbox WHERE turn_id = $1 AND ${UNTOUCHED} FOR UPDATE`,
    turn,
  )
  if (row === undefined) return false
  const session = String(row.session_id)
  const json = String(row.message)
  const stored = messageFrom(json, await readFiles(statements, session, digestsInMessage(json)))
  const message = { ...stored, ...edited }
  const apart = messageApart(message)
  await storeFiles(statements, session, apart.files)
  await statements.run(
    "UPDATE inbox SET message = $2, channel = $3 WHERE turn_id = $1",
    ...[turn, apart.json, message.channel ?? null],
  )
  return true
}

async function arrivalIn(
  statements: Statements,
  channel: string,
  id: string,
): Promise<StoredArrival | undefined> {
  const row = await statements.get("SELECT * FROM arrivals WHERE channel = $1 AND id = $2", channel, id)
  return row && arrivalFrom(row)
}
