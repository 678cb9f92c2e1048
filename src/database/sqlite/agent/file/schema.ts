// The schema of the agent's store, as migrations that are only ever added to (a table; exempt from the limit of lines).
// Every step rewrites its whole session row, so long values are in baselines. `who` is `person:` and the id, `room:`
// and the room's id, `owner`, or `unknown:` and the channel.
import type { Migration } from "../../migrations.ts"

export const STORE_MIGRATIONS: readonly Migration[] = [
  `CREATE TABLE sessions (
  id         TEXT PRIMARY KEY,
  key        TEXT NOT NULL,
  agent      TEXT NOT NULL,
  who        TEXT NOT NULL,
  situation  TEXT NOT NULL,
  trust      TEXT NOT NULL,
  mode       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at    INTEGER NOT NULL,
  state      TEXT NOT NULL,
  owner      TEXT,
  lease      INTEGER
)

CREATE INDEX idx_sessions_key ON sessions(key, used_at)

CREATE TABLE baselines (
  session_id TEXT PRIMARY KEY REFERENCES sessions(id),
  baseline   TEXT NOT NULL
)

CREATE TABLE items (
  id         INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions(id),
  turn_id    TEXT,
  at         INTEGER NOT NULL,
  is_past    INTEGER NOT NULL DEFAULT 0,
  item       TEXT NOT NULL
)

CREATE INDEX idx_items_session ON items(session_id, is_past, id)

CREATE TABLE inbox (
  id         INTEGER PRIMARY KEY,
  message_id TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL REFERENCES sessions(id),
  turn_id    TEXT NOT NULL UNIQUE,
  at         INTEGER NOT NULL,
  message    TEXT NOT NULL,
  taken_by   TEXT NOT NULL,
  state      TEXT NOT NULL,
  attempts   INTEGER NOT NULL DEFAULT 0,
  not_before INTEGER NOT NULL DEFAULT 0,
  error      TEXT
)

CREATE INDEX idx_inbox_open ON inbox(session_id, id) WHERE state IN ('waiting', 'working')

CREATE INDEX idx_inbox_session ON inbox(session_id, id)

CREATE INDEX idx_inbox_unfinished ON inbox(id) WHERE state IN ('waiting', 'working')

CREATE TABLE tool_runs (
  turn_id TEXT NOT NULL,
  call_id TEXT NOT NULL,
  at      INTEGER NOT NULL,
  result  TEXT,
  PRIMARY KEY (turn_id, call_id)
) WITHOUT ROWID

CREATE TABLE outbox (
  id         INTEGER PRIMARY KEY,
  turn_id    TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL,
  at         INTEGER NOT NULL,
  reply      TEXT NOT NULL,
  sent_at    INTEGER
)

CREATE INDEX idx_outbox_open ON outbox(session_id) WHERE sent_at IS NULL

CREATE TABLE notices (
  id         INTEGER PRIMARY KEY,
  agent      TEXT NOT NULL,
  who        TEXT NOT NULL,
  session_id TEXT,
  at         INTEGER NOT NULL,
  text       TEXT NOT NULL,
  seen_at    INTEGER
)

CREATE TABLE tasks (
  agent       TEXT NOT NULL,
  who         TEXT NOT NULL,
  id          INTEGER NOT NULL,
  title       TEXT NOT NULL,
  description TEXT,
  status      TEXT NOT NULL,
  steps       TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  PRIMARY KEY (agent, who, id)
) WITHOUT ROWID

CREATE TABLE task_ids (
  agent TEXT NOT NULL,
  who   TEXT NOT NULL,
  last  INTEGER NOT NULL,
  PRIMARY KEY (agent, who)
) WITHOUT ROWID

CREATE TABLE workflows (
  agent      TEXT NOT NULL,
  who        TEXT NOT NULL,
  name       TEXT NOT NULL,
  current    INTEGER NOT NULL,
  step       TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (agent, who)
) WITHOUT ROWID

CREATE TABLE communication (
  agent      TEXT NOT NULL,
  who        TEXT NOT NULL,
  profile    TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (agent, who)
) WITHOUT ROWID

CREATE TABLE bulletins (
  agent     TEXT NOT NULL,
  who       TEXT NOT NULL,
  trust     TEXT NOT NULL,
  at        INTEGER NOT NULL,
  text      TEXT NOT NULL,
  made_from TEXT NOT NULL,
  PRIMARY KEY (agent, who, trust)
) WITHOUT ROWID

CREATE TABLE schedule (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  agent      TEXT NOT NULL,
  cron       TEXT NOT NULL,
  run        TEXT NOT NULL,
  created_at INTEGER NOT NULL
)

CREATE TABLE schedule_seen (
  agent TEXT NOT NULL,
  entry TEXT NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (agent, entry)
) WITHOUT ROWID

CREATE TABLE schedule_runs (
  agent   TEXT NOT NULL,
  entry   TEXT NOT NULL,
  due     INTEGER NOT NULL,
  turn_id TEXT NOT NULL,
  PRIMARY KEY (agent, entry, due)
) WITHOUT ROWID`,
  // Which provider asked to wait, and until when: a new message is no reason to call it earlier.
  "ALTER TABLE inbox ADD COLUMN asked TEXT",
  // The trust of the conversation that the notice came from: a person with less trust now does not see it.
  `ALTER TABLE notices ADD COLUMN trust TEXT

UPDATE notices SET trust = coalesce((SELECT trust FROM sessions WHERE sessions.id = session_id), 'full')`,
  // The trust of the conversation that wrote the task, and who asked for it. Older tasks get the trust that their
  // person had last.
  `ALTER TABLE tasks ADD COLUMN trust TEXT

ALTER TABLE tasks ADD COLUMN author TEXT

UPDATE tasks SET trust = coalesce((SELECT trust FROM sessions
  WHERE sessions.agent = tasks.agent AND sessions.who = tasks.who ORDER BY used_at DESC LIMIT 1), 'full')`,
  // Tool results that were too long for the prompt, so that the model can read on.
  `CREATE TABLE kept_results (
  id         INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions(id),
  name       TEXT NOT NULL,
  at         INTEGER NOT NULL,
  text       TEXT NOT NULL,
  UNIQUE (session_id, name)
)`,
  // The schedule entry whose runs the session is for.
  "ALTER TABLE sessions ADD COLUMN entry TEXT",
  // Damaged files that were set aside and salvaged.
  `CREATE TABLE salvaged (
  name TEXT PRIMARY KEY,
  at   INTEGER NOT NULL
) WITHOUT ROWID`,
  // The trust of the person whose message called the tool: others in a room may not read on. Older results need full
  // trust.
  `ALTER TABLE kept_results ADD COLUMN trust TEXT

UPDATE kept_results SET trust = 'full'`,
  // Grows with every claim of a session: a holder's writes are checked against it.
  "ALTER TABLE sessions ADD COLUMN fence INTEGER NOT NULL DEFAULT 0",
  // The order of items and messages counts in each session. Older rows keep the numbers that they were known by.
  `ALTER TABLE sessions ADD COLUMN last_item INTEGER NOT NULL DEFAULT 0

ALTER TABLE sessions ADD COLUMN last_message INTEGER NOT NULL DEFAULT 0

ALTER TABLE items ADD COLUMN seq INTEGER NOT NULL DEFAULT 0

ALTER TABLE inbox ADD COLUMN seq INTEGER NOT NULL DEFAULT 0

UPDATE items SET seq = id

UPDATE inbox SET seq = id

UPDATE sessions SET
  last_item = coalesce((SELECT max(id) FROM items WHERE session_id = sessions.id), 0),
  last_message = coalesce((SELECT max(id) FROM inbox WHERE session_id = sessions.id), 0)

CREATE INDEX idx_items_present ON items(session_id, is_past, seq)

DROP INDEX idx_items_session

CREATE INDEX idx_inbox_unanswered ON inbox(session_id, seq) WHERE state IN ('waiting', 'working', 'suspended')

DROP INDEX idx_inbox_open`,
  // What suspended turns wait for; input for turns that are being worked on; where sessions were forked.
  `CREATE TABLE waits (
  id          TEXT PRIMARY KEY,
  session_id  TEXT NOT NULL REFERENCES sessions(id),
  turn_id     TEXT NOT NULL,
  place       INTEGER NOT NULL,
  kind        TEXT NOT NULL,
  request     TEXT NOT NULL,
  at          INTEGER NOT NULL,
  expires_at  INTEGER NOT NULL,
  answer      TEXT,
  answered_at INTEGER
) WITHOUT ROWID

CREATE INDEX idx_waits_turn ON waits(turn_id, place)

CREATE INDEX idx_waits_open ON waits(kind, at) WHERE answer IS NULL

CREATE TABLE steering (
  id         INTEGER PRIMARY KEY,
  message_id TEXT NOT NULL UNIQUE,
  session_id TEXT NOT NULL REFERENCES sessions(id),
  turn_id    TEXT NOT NULL,
  at         INTEGER NOT NULL,
  message    TEXT NOT NULL,
  taken_by   TEXT NOT NULL,
  is_taken   INTEGER NOT NULL DEFAULT 0
)

CREATE INDEX idx_steering_open ON steering(session_id, id) WHERE is_taken = 0

CREATE TABLE branches (
  session_id   TEXT PRIMARY KEY REFERENCES sessions(id),
  from_session TEXT NOT NULL,
  up_to        INTEGER NOT NULL,
  at           INTEGER NOT NULL
) WITHOUT ROWID

CREATE INDEX idx_branches_from ON branches(from_session, at)`,
  // What people reach the agent with (tokens, paired senders), what channels brought and are to send, places that clients
  // know conversations by, idempotency keys, and what calls have cost.
  `CREATE TABLE tokens (
  number     INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  hash       TEXT NOT NULL UNIQUE,
  user       TEXT NOT NULL,
  situation  TEXT NOT NULL,
  scopes     TEXT NOT NULL,
  name       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  used_at    INTEGER
)

CREATE TABLE pairings (
  channel    TEXT NOT NULL,
  sender     TEXT NOT NULL,
  state      TEXT NOT NULL,
  label      TEXT,
  hash       TEXT,
  at         INTEGER NOT NULL,
  expires_at INTEGER,
  wrong      INTEGER NOT NULL DEFAULT 0,
  user       TEXT,
  PRIMARY KEY (channel, sender)
) WITHOUT ROWID

CREATE TABLE channel_offsets (
  channel     TEXT PRIMARY KEY,
  next_offset TEXT NOT NULL
) WITHOUT ROWID

CREATE TABLE arrivals (
  channel  TEXT NOT NULL,
  id       TEXT NOT NULL,
  at       INTEGER NOT NULL,
  turn_id  TEXT,
  reply_to TEXT,
  PRIMARY KEY (channel, id)
) WITHOUT ROWID

CREATE INDEX idx_arrivals_turn ON arrivals(turn_id)

CREATE TABLE deliveries (
  number     INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  channel    TEXT NOT NULL,
  place      TEXT NOT NULL,
  body       TEXT NOT NULL,
  turn_id    TEXT,
  at         INTEGER NOT NULL,
  state      TEXT NOT NULL,
  attempts   INTEGER NOT NULL DEFAULT 0,
  not_before INTEGER NOT NULL,
  error      TEXT,
  sent_as    TEXT
)

CREATE INDEX idx_deliveries_open ON deliveries(channel, place, number) WHERE state = 'waiting'

CREATE INDEX idx_deliveries_turn ON deliveries(turn_id)

CREATE INDEX idx_deliveries_sent ON deliveries(channel, sent_as) WHERE sent_as IS NOT NULL

CREATE TABLE places (
  number      INTEGER PRIMARY KEY,
  session_id  TEXT NOT NULL REFERENCES sessions(id),
  seq         INTEGER NOT NULL,
  turn_id     TEXT NOT NULL,
  response_id TEXT UNIQUE,
  digest      TEXT,
  UNIQUE (session_id, seq, digest)
)

CREATE INDEX idx_places_digest ON places(digest)

CREATE TABLE requests (
  caller     TEXT NOT NULL,
  key        TEXT NOT NULL,
  digest     TEXT NOT NULL,
  turn_id    TEXT NOT NULL,
  lease      INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  answer     TEXT,
  PRIMARY KEY (caller, key)
) WITHOUT ROWID

CREATE INDEX idx_requests_turn ON requests(turn_id)

CREATE TABLE spending (
  id       TEXT PRIMARY KEY,
  agent    TEXT NOT NULL,
  who      TEXT NOT NULL,
  turn_id  TEXT NOT NULL,
  at       INTEGER NOT NULL,
  cost_usd REAL
) WITHOUT ROWID

CREATE INDEX idx_spending_who ON spending(who, at)

CREATE INDEX idx_spending_at ON spending(at)

CREATE INDEX idx_spending_turn ON spending(turn_id)`,
  // The number of the summary that replaced the item: a fork from before the summary has the item.
  "ALTER TABLE items ADD COLUMN past_since INTEGER",
  // Messages that a turn takes up while it is being worked on wait in the inbox. The table `steering` was never filled; it
  // stays for processes of earlier versions that still have the file open.
  `ALTER TABLE inbox ADD COLUMN steers INTEGER NOT NULL DEFAULT 0

ALTER TABLE inbox ADD COLUMN into_turn TEXT

CREATE INDEX idx_inbox_into ON inbox(into_turn) WHERE into_turn IS NOT NULL`,
  // What calls that are being made may cost.
  `ALTER TABLE spending ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0

ALTER TABLE spending ADD COLUMN reserved_until INTEGER`,
  // Questions for approval that running turns ask. They live for minutes.
  `CREATE TABLE questions (
  number     INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  agent      TEXT NOT NULL,
  session_id TEXT NOT NULL,
  sender     TEXT NOT NULL,
  request    TEXT NOT NULL,
  at         INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  answer     TEXT
)`,
  // The bytes of files that came with messages, and which sessions name them.
  `CREATE TABLE files (
  id     INTEGER PRIMARY KEY,
  sha256 TEXT NOT NULL UNIQUE,
  bytes  BLOB NOT NULL
)

CREATE TABLE file_uses (
  id         INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions(id),
  sha256     TEXT NOT NULL,
  at         INTEGER NOT NULL,
  UNIQUE (session_id, sha256)
)

CREATE INDEX idx_file_uses_sha256 ON file_uses(sha256)`,
  // Turns that somebody has asked to stop, from any process.
  `ALTER TABLE inbox ADD COLUMN is_stopping INTEGER NOT NULL DEFAULT 0

CREATE INDEX idx_inbox_stopping ON inbox(session_id) WHERE is_stopping = 1`,
  // For pages of the list of sessions. Questions about the few open messages of an agent say "+agent", or SQLite would
  // begin with all of its sessions.
  "CREATE INDEX idx_sessions_agent ON sessions(agent, used_at, id)",
]
