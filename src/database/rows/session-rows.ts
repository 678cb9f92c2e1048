// Converts rows of the agent's store to values. Only the store writes the columns, so their types are trusted.
import { firstCharacters } from "../../base/text/characters.ts"
import type { Trust } from "../../base/trust.ts"
import type { Mode } from "../../core/model/mode.ts"
import type { Incoming, Waiting } from "../contract/inbox.ts"
import type { StoredReply } from "../contract/reply.ts"
import type { ToolResult } from "../contract/runs.ts"
import type { ListedSession, SessionFacts, SessionState, StoredSession } from "../contract/sessions.ts"
import type { Item, StoredItem } from "../contract/transcripts.ts"
import { baselineFrom, replyFrom, stateFrom } from "./earlier-rows.ts"
import { readableResult } from "./readable.ts"
import type { Row } from "./row.ts"
import { type BytesOf, messageFrom } from "./stored-files.ts"

export function factsOf(row: Row): SessionFacts {
  return {
    id: String(row.id),
    agent: String(row.agent),
    who: String(row.who),
    situation: String(row.situation),
    trust: String(row.trust) as Trust,
    mode: String(row.mode) as Mode,
    ...(typeof row.entry === "string" && { entry: row.entry }),
    createdAt: Number(row.created_at),
    usedAt: Number(row.used_at),
  }
}

export function listedOf(row: Row): ListedSession {
  return { ...factsOf(row), turns: Number(row.turns), title: titleOf(row.first) }
}

export function sessionOf(row: Row): StoredSession {
  return {
    ...factsOf(row),
    baseline: typeof row.baseline === "string" ? baselineFrom(row.baseline) : undefined,
    state: stateOf(row),
  }
}

export function itemOf(row: Row, item: Item): StoredItem {
  const turn = typeof row.turn_id === "string" ? row.turn_id : undefined
  return { seq: Number(row.seq), turn, at: Number(row.at), item }
}

export function waitingOf(row: Row, bytesOf: BytesOf): Waiting {
  return waitingWith(row, messageFrom(String(row.message), bytesOf))
}

/** Without the files of its message: a list of many would not fit into memory. */
export function listedMessageOf(row: Row): Waiting {
  // Only the store writes the column, from a value of this type.
  const { files: _long, ...message } = JSON.parse(String(row.message)) as Incoming
  return waitingWith(row, message)
}

function waitingWith(row: Row, message: Incoming): Waiting {
  return {
    order: Number(row.seq),
    turn: String(row.turn_id),
    session: String(row.session_id),
    at: Number(row.at),
    message,
    takenBy: String(row.taken_by),
    state: String(row.state) as Waiting["state"],
    attempts: Number(row.attempts),
    notBefore: Number(row.not_before),
    error: typeof row.error === "string" ? row.error : undefined,
    steers: isSet(row.steers),
    isStopping: isSet(row.is_stopping),
    into: typeof row.into_turn === "string" ? row.into_turn : undefined,
    asked: typeof row.asked === "string" ? (JSON.parse(row.asked) as Waiting["asked"]) : undefined,
  }
}

/** SQLite has no booleans. */
export function isSet(value: Row[string] | undefined): boolean {
  return value === true || value === 1
}

export function replyOf(row: Row): StoredReply {
  return replyFrom(String(row.reply))
}

/** Undefined for a run without a result. */
export function resultOf({ result }: Row): ToolResult | undefined {
  return typeof result === "string" ? readableResult(JSON.parse(result) as ToolResult) : undefined
}

export function stateOf(row: Row): SessionState {
  return stateFrom(String(row.state))
}

const TITLE_CHARACTERS = 60

function titleOf(first: Row[string] | undefined): string {
  if (typeof first !== "string") return ""
  const { text } = JSON.parse(first) as Incoming
  const line = text.trim().replaceAll(/\s+/g, " ")
  const start = firstCharacters(line, TITLE_CHARACTERS)
  return start === line ? line : `${start}...`
}
