// The tables of the agent's store, in an order in which every row comes after those that it refers to (a table; exempt from
// the limit of lines). JSON is copied as it is: both drivers read it by the same code, rows of 0.1.0 included.
import { same, type TableMove } from "./table-move.ts"

/** A row without it needs the most, as in the migrations of the file. */
const TRUST = "coalesce(trust, 'full')"

/**
 * Nobody works on a session while it is moved, so nobody holds it. The fence stays: whoever was left behind cannot write.
 * `rebase` is in the state already.
 */
const SESSIONS: TableMove = {
  table: "sessions",
  by: ["id"],
  columns: {
    ...same("id", "key", "agent", "who", "situation", "trust", "mode", "entry", "created_at", "used_at"),
    ...same("state", "fence", "last_item", "last_message"),
    ...{ rebase: "NULL", owner: "NULL", lease: "NULL" },
  },
}

const INBOX: TableMove = {
  table: "inbox",
  by: ["id"],
  columns: {
    number: "id",
    ...same("message_id", "session_id", "seq", "turn_id", "at", "message", "taken_by", "state"),
    ...same("attempts", "not_before", "error", "asked", "steers", "into_turn", "is_stopping"),
    channel: "CASE WHEN json_valid(message) THEN json_extract(message, '$.channel') END",
  },
}

const CONVERSATIONS: readonly TableMove[] = [
  SESSIONS,
  { table: "baselines", by: ["session_id"], columns: same("session_id", "baseline") },
  {
    table: "items",
    by: ["id"],
    columns: {
      ...same("session_id", "seq", "turn_id", "at", "is_past", "past_since", "item"),
      // How often it was replaced since a reader saw it: nobody has seen it here.
      revision: "0",
    },
  },
  INBOX,
  { table: "tool_runs", by: ["turn_id", "call_id"], columns: same("turn_id", "call_id", "at", "result") },
  {
    table: "kept_results",
    by: ["id"],
    columns: { number: "id", ...same("session_id", "name", "at", "text"), trust: TRUST },
  },
  {
    table: "outbox",
    by: ["id"],
    columns: { number: "id", ...same("turn_id", "session_id", "at", "reply", "sent_at") },
  },
  {
    table: "waits",
    by: ["id"],
    columns: same(
      ...["id", "session_id", "turn_id", "place", "kind", "request", "at", "expires_at"],
      ...["answer", "answered_at"],
    ),
  },
  { table: "branches", by: ["session_id"], columns: same("session_id", "from_session", "up_to", "at") },
  { table: "files", by: ["id"], columns: same("sha256", "bytes"), rowsAtOnce: 4 },
  { table: "file_uses", by: ["id"], columns: same("session_id", "sha256", "at") },
]

const PERSONAL: readonly TableMove[] = [
  {
    table: "notices",
    by: ["id"],
    columns: {
      number: "id",
      ...same("agent", "who", "session_id", "at", "text", "seen_at"),
      trust: TRUST,
    },
  },
  {
    table: "tasks",
    by: ["agent", "who", "id"],
    columns: {
      ...same("agent", "who", "id", "title", "description", "status", "steps", "created_at", "updated_at"),
      ...{ trust: TRUST, author: "author" },
    },
  },
  { table: "task_ids", by: ["agent", "who"], columns: same("agent", "who", "last") },
  {
    table: "workflows",
    by: ["agent", "who"],
    columns: same("agent", "who", "name", "current", "step", "updated_at"),
  },
  { table: "communication", by: ["agent", "who"], columns: same("agent", "who", "profile", "updated_at") },
  {
    table: "bulletins",
    by: ["agent", "who", "trust"],
    columns: same("agent", "who", "trust", "at", "text", "made_from"),
  },
  { table: "schedule", by: ["id"], columns: same("id", "agent", "cron", "run", "created_at") },
  { table: "schedule_seen", by: ["agent", "entry"], columns: same("agent", "entry", "until") },
  {
    table: "schedule_runs",
    by: ["agent", "entry", "due"],
    columns: same("agent", "entry", "due", "turn_id"),
  },
]

const SERVING: readonly TableMove[] = [
  {
    table: "tokens",
    by: ["number"],
    columns: same(
      ...["number", "id", "hash", "user", "situation", "scopes", "name"],
      ...["created_at", "expires_at", "revoked_at", "used_at"],
    ),
  },
  {
    table: "pairings",
    by: ["channel", "sender"],
    columns: same("channel", "sender", "state", "label", "hash", "at", "expires_at", "wrong", "user"),
  },
  { table: "channel_offsets", by: ["channel"], columns: same("channel", "next_offset") },
  { table: "arrivals", by: ["channel", "id"], columns: same("channel", "id", "at", "turn_id", "reply_to") },
  {
    table: "deliveries",
    by: ["number"],
    columns: same(
      ...["number", "id", "channel", "place", "body", "turn_id", "at", "state", "attempts"],
      ...["not_before", "error", "sent_as"],
    ),
  },
  {
    table: "places",
    by: ["number"],
    columns: same("number", "session_id", "seq", "turn_id", "response_id", "digest"),
  },
  {
    table: "requests",
    by: ["caller", "key"],
    columns: same("caller", "key", "digest", "turn_id", "lease", "expires_at", "answer"),
  },
  {
    table: "spending",
    by: ["id"],
    columns: same("id", "agent", "who", "turn_id", "at", "cost_usd", "tokens", "reserved_until"),
  },
  {
    table: "questions",
    by: ["number"],
    columns: same(
      ...["number", "id", "agent", "session_id", "sender", "request", "at", "expires_at", "answer"],
    ),
  },
]

export const AGENT_TABLES: readonly TableMove[] = [...CONVERSATIONS, ...PERSONAL, ...SERVING]

/** Tables that stay behind: notes about the file itself, and one that was never filled. */
export const LEFT_IN_FILES: readonly string[] = ["salvaged", "steering"]
