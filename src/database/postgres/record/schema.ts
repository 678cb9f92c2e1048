// The tables of the record on PostgreSQL, as migrations that are only ever added to (a table; exempt from the line limit).
// Events are partitioned by day; texts and nodes are named by digest, so that writers need not look up numbers.
import type { SchemaPart } from "../migrations.ts"

export const RECORD_SCHEMA: SchemaPart = {
  name: "record",
  migrations: [
    `CREATE TABLE record_events (
  id          bigint NOT NULL,
  at          bigint NOT NULL,
  level       text COLLATE "C" NOT NULL,
  category    text COLLATE "C" NOT NULL,
  session_id  text COLLATE "C",
  agent_id    text COLLATE "C",
  user_id     text COLLATE "C",
  channel     text COLLATE "C",
  event_type  text COLLATE "C" NOT NULL,
  duration_ms double precision,
  tokens_in   double precision,
  tokens_out  double precision,
  cost_usd    double precision,
  error       text,
  metadata    text,
  trust       text COLLATE "C",
  trace_id    text COLLATE "C",
  span_id     text,
  parent_id   text,
  turn_id     text COLLATE "C",
  step        double precision,
  model       text COLLATE "C",
  fresh       double precision,
  cache_read  double precision,
  cache_write text,
  price       text,
  words       text COLLATE "C"
) PARTITION BY RANGE (at);

CREATE INDEX record_events_id ON record_events (id);
CREATE INDEX record_events_time ON record_events (at, id);
CREATE INDEX record_events_session ON record_events (session_id, at, id);
CREATE INDEX record_events_level ON record_events (level, at, id) WHERE level IN ('warn', 'error');
CREATE INDEX record_events_type ON record_events (event_type, at, id);
CREATE INDEX record_events_user ON record_events (user_id, at, id);
CREATE INDEX record_events_turn ON record_events (turn_id) WHERE turn_id IS NOT NULL;
CREATE INDEX record_events_trace ON record_events (trace_id) WHERE trace_id IS NOT NULL;
CREATE INDEX record_events_message ON record_events (channel, at)
  WHERE event_type IN ('message_received', 'message_sent');
CREATE INDEX record_events_unmeasured ON record_events (at) WHERE event_type = 'api_call' AND fresh IS NULL;
CREATE INDEX record_events_words ON record_events USING gin (string_to_array(words, ' ')) WHERE words IS NOT NULL;

-- Days before 1970 and from 2200 on, which only a wrong clock gives, share a partition each.
CREATE TABLE record_events_early PARTITION OF record_events FOR VALUES FROM (MINVALUE) TO (0);
CREATE TABLE record_events_late PARTITION OF record_events FOR VALUES FROM (7258118400000) TO (MAXVALUE);

-- One row. Who writes events locks it, so that ids follow the order of commits and a reader never misses a late one.
CREATE TABLE record_last (last bigint NOT NULL);
INSERT INTO record_last VALUES (0);

CREATE TABLE record_texts (
  digest text COLLATE "C" PRIMARY KEY,
  bytes  bigint NOT NULL,
  body   bytea NOT NULL
);
-- They are compressed already.
ALTER TABLE record_texts ALTER body SET STORAGE EXTERNAL;

CREATE TABLE record_text_refs (
  text text COLLATE "C" NOT NULL REFERENCES record_texts ON DELETE CASCADE,
  ref  text COLLATE "C" NOT NULL REFERENCES record_texts,
  PRIMARY KEY (text, ref)
);
CREATE INDEX record_text_refs_ref ON record_text_refs (ref);

CREATE TABLE record_nodes (
  name   text COLLATE "C" PRIMARY KEY,
  parent text COLLATE "C" NOT NULL,
  text   text COLLATE "C" NOT NULL REFERENCES record_texts
);
CREATE INDEX record_nodes_parent ON record_nodes (parent);
CREATE INDEX record_nodes_text ON record_nodes (text);

CREATE TABLE record_receipts (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  turn_id    text COLLATE "C" NOT NULL,
  step       double precision NOT NULL,
  at         double precision NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  trust      text NOT NULL,
  model      text NOT NULL,
  frame      text COLLATE "C" NOT NULL REFERENCES record_texts,
  node       text COLLATE "C" NOT NULL,
  marks      text COLLATE "C" NOT NULL REFERENCES record_texts,
  plan       text COLLATE "C" NOT NULL REFERENCES record_texts,
  UNIQUE (turn_id, step)
);
CREATE INDEX record_receipts_session ON record_receipts (session_id, id);
CREATE INDEX record_receipts_at ON record_receipts (at);
CREATE INDEX record_receipts_frame ON record_receipts (frame);
CREATE INDEX record_receipts_node ON record_receipts (node);
CREATE INDEX record_receipts_marks ON record_receipts (marks);
CREATE INDEX record_receipts_plan ON record_receipts (plan);

-- What may no longer be needed, because something that named it was removed.
CREATE TABLE record_loose_nodes (name text COLLATE "C" PRIMARY KEY);
CREATE TABLE record_loose_texts (digest text COLLATE "C" PRIMARY KEY);

CREATE TABLE record_costs (
  quarter     bigint NOT NULL,
  session_id  text COLLATE "C" NOT NULL,
  user_id     text COLLATE "C" NOT NULL,
  model       text COLLATE "C" NOT NULL,
  turns       double precision NOT NULL,
  calls       double precision NOT NULL,
  unpriced    double precision NOT NULL,
  fresh       double precision NOT NULL,
  cache_read  double precision NOT NULL,
  cache_write double precision NOT NULL,
  output      double precision NOT NULL,
  cost_usd    double precision NOT NULL,
  PRIMARY KEY (quarter, session_id, user_id, model)
);

CREATE TABLE record_turn_costs (
  quarter     bigint NOT NULL,
  turn_id     text COLLATE "C" NOT NULL,
  calls       double precision NOT NULL,
  unpriced    double precision NOT NULL,
  fresh       double precision NOT NULL,
  cache_read  double precision NOT NULL,
  cache_write double precision NOT NULL,
  output      double precision NOT NULL,
  cost_usd    double precision NOT NULL,
  PRIMARY KEY (turn_id, quarter)
);
CREATE INDEX record_turn_costs_quarter ON record_turn_costs (quarter);

CREATE TABLE record_section_costs (
  quarter     bigint NOT NULL,
  section     text COLLATE "C" NOT NULL,
  path        text COLLATE "C" NOT NULL,
  unpriced    double precision NOT NULL,
  fresh       double precision NOT NULL,
  cache_read  double precision NOT NULL,
  cache_write double precision NOT NULL,
  output      double precision NOT NULL,
  cost_usd    double precision NOT NULL,
  PRIMARY KEY (quarter, section, path)
);

CREATE TABLE record_facts (
  name  text PRIMARY KEY,
  value text NOT NULL
);`,
    "CREATE INDEX record_costs_session ON record_costs (session_id);",
  ],
}
