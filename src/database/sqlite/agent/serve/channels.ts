// What came in over channels, in SQLite: each arrival once, in the transaction that stores what it brought.
import type { Arrival } from "../../../contract/arrival.ts"
import type { Incoming } from "../../../contract/inbox.ts"
import type { Channels, StoredArrival } from "../../../contract/serve/channels.ts"
import { arrivalFrom } from "../../../rows/serve-rows.ts"
import { messageFrom } from "../../../rows/stored-files.ts"
import { bytesFor, messageJson } from "../files.ts"
import type { StoreFile } from "../store-file.ts"

export function channelsIn(file: StoreFile): Channels {
  const { database, read, write } = file
  return {
    offset: (channel) =>
      read(() => {
        const row = database.get("SELECT next_offset FROM channel_offsets WHERE channel = ?", channel)
        return row && String(row.next_offset)
      }),
    settle: (arrival) =>
      write(() => {
        const isNew = knownArrival(file, arrival) === undefined
        if (isNew) takeArrival(file, arrival, undefined)
        return isNew
      }),
    edit: (arrival, { of, message }) =>
      write(() => {
        if (knownArrival(file, arrival) !== undefined) return "known"
        const turn = arrivalIn(file, arrival.channel, of)?.turn
        if (turn === undefined) return "unknown"
        if (!replaceMessage(file, turn, message)) return "too-late"
        takeArrival(file, arrival, undefined)
        return "edited"
      }),
    arrival: (channel, id) => read(() => arrivalIn(file, channel, id)),
    arrivalOf: (turn) =>
      read(() => {
        const row = database.get("SELECT * FROM arrivals WHERE turn_id = ? ORDER BY at LIMIT 1", turn)
        return row && arrivalFrom(row)
      }),
  }
}

/** The arrival, if it was taken before; then moves the offset past it. Within a transaction. */
export function knownArrival(file: StoreFile, arrival: Arrival): StoredArrival | undefined {
  const known = arrivalIn(file, arrival.channel, arrival.id)
  if (known !== undefined) moveOffset(file, arrival)
  return known
}

/** Takes a new arrival and moves the offset past it. Within a transaction. */
export function takeArrival(file: StoreFile, arrival: Arrival, turn: string | undefined): void {
  const { database, now } = file
  const { channel, id, replyTo } = arrival
  database.run(
    "INSERT INTO arrivals (channel, id, at, turn_id, reply_to) VALUES (?, ?, ?, ?, ?)",
    ...[channel, id, now(), turn ?? null, replyTo ?? null],
  )
  moveOffset(file, arrival)
}

function moveOffset({ database }: StoreFile, { channel, offset }: Arrival): void {
  if (offset === undefined) return
  database.run(
    "INSERT OR REPLACE INTO channel_offsets (channel, next_offset) VALUES (?, ?)",
    ...[channel, offset],
  )
}

/** Returns false once a turn has taken the message, or if it is gone. */
function replaceMessage(file: StoreFile, turn: string, edited: Incoming): boolean {
  const { database } = file
  const row = database.get(
    `SELECT session_id, message FROM inbox WHERE turn_id = ? AND state = 'waiting' AND into_turn IS NULL
    AND NOT EXISTS (SELECT 1 FROM items
      WHERE items.session_id = inbox.session_id AND items.turn_id = inbox.turn_id)`,
    turn,
  )
  if (row === undefined) return false
  const session = String(row.session_id)
  const stored = messageFrom(String(row.message), bytesFor(database, session))
  const message = messageJson(file, session, { ...stored, ...edited })
  database.run("UPDATE inbox SET message = ? WHERE turn_id = ?", message, turn)
  return true
}

function arrivalIn({ database }: StoreFile, channel: string, id: string): StoredArrival | undefined {
  const row = database.get("SELECT * FROM arrivals WHERE channel = ? AND id = ?", channel, id)
  return row && arrivalFrom(row)
}
