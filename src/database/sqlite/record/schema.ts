// The schema of the record's database, as migrations that are only ever added to (a table; exempt from the line limit).
import type { Migration } from "../migrations.ts"

export const RECORD_MIGRATIONS: readonly Migration[] = [
  `CREATE TABLE events (
  id          INTEGER PRIMARY KEY,
  timestamp   TEXT NOT NULL,
  level       TEXT NOT NULL,
  category    TEXT NOT NULL,
  session_id  TEXT,
  agent_id    TEXT,
  user_id     TEXT,
  channel     TEXT,
  event_type  TEXT NOT NULL,
  duration_ms INTEGER,
  tokens_in   INTEGER,
  tokens_out  INTEGER,
  cost_usd    REAL,
  error       TEXT,
  metadata    TEXT,
  trust       TEXT,
  trace_id    TEXT,
  span_id     TEXT,
  parent_id   TEXT,
  turn_id     TEXT,
  step        INTEGER,
  model       TEXT,
  fresh       INTEGER,
  cache_read  INTEGER,
  cache_write TEXT,
  price       TEXT
)

CREATE INDEX idx_events_session ON events(session_id, timestamp)

CREATE INDEX idx_events_error ON events(level, timestamp) WHERE level IN ('warn', 'error')

CREATE INDEX idx_events_type ON events(event_type, timestamp)

CREATE INDEX idx_events_time ON events(timestamp)

CREATE INDEX idx_events_user ON events(user_id, timestamp)

CREATE INDEX idx_events_turn ON events(turn_id) WHERE turn_id IS NOT NULL

CREATE INDEX idx_events_trace ON events(trace_id) WHERE trace_id IS NOT NULL

CREATE INDEX idx_events_message ON events(channel, timestamp) WHERE event_type IN ('message_received', 'message_sent')

CREATE INDEX idx_events_unmeasured ON events(timestamp) WHERE event_type = 'api_call' AND fresh IS NULL

CREATE VIRTUAL TABLE events_text USING fts5(
  error, metadata, level, session_id, user_id, event_type, content='events', content_rowid='id'
)

INSERT INTO events_text (events_text, rank) VALUES ('automerge', 8)

CREATE TABLE texts (
  id     INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,
  bytes  INTEGER NOT NULL,
  body   BLOB NOT NULL
)

CREATE TABLE text_refs (
  text INTEGER NOT NULL REFERENCES texts(id) ON DELETE CASCADE,
  ref  INTEGER NOT NULL REFERENCES texts(id),
  PRIMARY KEY (text, ref)
) WITHOUT ROWID

CREATE INDEX idx_text_refs_ref ON text_refs(ref)

CREATE TABLE nodes (
  id     INTEGER PRIMARY KEY,
  parent INTEGER NOT NULL,
  text   INTEGER NOT NULL REFERENCES texts(id),
  UNIQUE (parent, text)
)

CREATE TABLE models (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
)

CREATE TABLE receipts (
  id        INTEGER PRIMARY KEY,
  turn_id   TEXT NOT NULL,
  step      INTEGER NOT NULL,
  at        INTEGER NOT NULL,
  session_id TEXT,
  trust     TEXT,
  model_id  INTEGER NOT NULL REFERENCES models(id),
  frame     INTEGER NOT NULL REFERENCES texts(id),
  node      INTEGER NOT NULL,
  marks     INTEGER NOT NULL REFERENCES texts(id),
  plan      INTEGER NOT NULL REFERENCES texts(id),
  UNIQUE (turn_id, step)
)

CREATE VIEW receipts_by_model AS SELECT receipts.*, models.name AS model FROM receipts JOIN models ON models.id = model_id

CREATE INDEX idx_receipts_session ON receipts(session_id, id)

CREATE INDEX idx_receipts_frame ON receipts(frame)

CREATE INDEX idx_receipts_node ON receipts(node)

CREATE INDEX idx_receipts_marks ON receipts(marks)

CREATE INDEX idx_receipts_plan ON receipts(plan)

CREATE INDEX idx_nodes_text ON nodes(text)

CREATE TABLE costs (
  quarter    INTEGER NOT NULL,
  session_id TEXT NOT NULL,
  user_id    TEXT NOT NULL,
  model      TEXT NOT NULL,
  turns      INTEGER NOT NULL,
  calls      INTEGER NOT NULL,
  unpriced   INTEGER NOT NULL,
  fresh      INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cache_write INTEGER NOT NULL,
  output     INTEGER NOT NULL,
  cost_usd   REAL NOT NULL,
  PRIMARY KEY (quarter, session_id, user_id, model)
) WITHOUT ROWID

CREATE TABLE turn_costs (
  quarter    INTEGER NOT NULL,
  turn_id    TEXT NOT NULL,
  calls      INTEGER NOT NULL,
  unpriced   INTEGER NOT NULL,
  fresh      INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cache_write INTEGER NOT NULL,
  output     INTEGER NOT NULL,
  cost_usd   REAL NOT NULL,
  PRIMARY KEY (turn_id, quarter)
) WITHOUT ROWID

CREATE INDEX idx_turn_costs_quarter ON turn_costs(quarter)

CREATE TABLE section_costs (
  quarter    INTEGER NOT NULL,
  section    TEXT NOT NULL,
  path       TEXT NOT NULL,
  fresh      REAL NOT NULL,
  cache_read REAL NOT NULL,
  cache_write REAL NOT NULL,
  output     REAL NOT NULL,
  unpriced   INTEGER NOT NULL,
  cost_usd   REAL NOT NULL,
  PRIMARY KEY (quarter, section, path)
) WITHOUT ROWID

CREATE TABLE facts (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID`,
  "CREATE INDEX idx_costs_session ON costs(session_id)",
]
