// The tables of the agent's store in PostgreSQL, as migrations that are only ever added to (a table; exempt from the limit
// of lines). Texts that are compared and sorted go by code point, whatever the language of the database. JSON is text:
// `jsonb` would change the order of keys, and prompts are compared byte by byte.
import type { SchemaPart } from "../migrations.ts"

const FIRST = `CREATE TABLE sessions (
  id           text COLLATE "C" PRIMARY KEY,
  key          text COLLATE "C" NOT NULL,
  agent        text COLLATE "C" NOT NULL,
  who          text COLLATE "C" NOT NULL,
  situation    text NOT NULL,
  trust        text NOT NULL,
  mode         text NOT NULL,
  entry        text,
  created_at   bigint NOT NULL,
  used_at      bigint NOT NULL,
  state        text NOT NULL,
  -- Set for all sessions of an agent at once; part of the state until that is written next.
  rebase       text,
  owner        text COLLATE "C",
  lease        bigint,
  fence        bigint NOT NULL DEFAULT 0,
  last_item    bigint NOT NULL DEFAULT 0,
  last_message bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 80);
CREATE INDEX sessions_by_key ON sessions (key, used_at, id);
CREATE INDEX sessions_by_agent ON sessions (agent, used_at, id);
CREATE INDEX sessions_by_who ON sessions (who);

CREATE TABLE baselines (
  session_id text COLLATE "C" PRIMARY KEY REFERENCES sessions (id),
  baseline   text NOT NULL
);

CREATE TABLE items (
  session_id text COLLATE "C" NOT NULL REFERENCES sessions (id),
  seq        bigint NOT NULL,
  turn_id    text COLLATE "C",
  at         bigint NOT NULL,
  is_past    boolean NOT NULL DEFAULT false,
  -- The number of the summary that replaced it: a fork from before the summary has the item.
  past_since bigint,
  -- Grows with every replacement, so that a reader asks only for what it does not have.
  revision   integer NOT NULL DEFAULT 0,
  item       text NOT NULL,
  PRIMARY KEY (session_id, seq)
);
CREATE INDEX items_present ON items (session_id, seq) WHERE NOT is_past;
CREATE INDEX items_by_turn ON items (session_id, turn_id);
CREATE INDEX items_past ON items (at) WHERE is_past;

CREATE TABLE inbox (
  number      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id  text COLLATE "C" NOT NULL UNIQUE,
  session_id  text COLLATE "C" NOT NULL REFERENCES sessions (id),
  seq         bigint NOT NULL,
  turn_id     text COLLATE "C" NOT NULL UNIQUE,
  at          bigint NOT NULL,
  message     text NOT NULL,
  -- Where it came from, as in the message.
  channel     text COLLATE "C",
  taken_by    text COLLATE "C" NOT NULL,
  state       text NOT NULL,
  attempts    integer NOT NULL DEFAULT 0,
  not_before  bigint NOT NULL DEFAULT 0,
  error       text,
  asked       text,
  steers      boolean NOT NULL DEFAULT false,
  into_turn   text COLLATE "C",
  is_stopping boolean NOT NULL DEFAULT false
) WITH (fillfactor = 80);
CREATE INDEX inbox_by_session ON inbox (session_id, seq);
CREATE INDEX inbox_unanswered ON inbox (session_id, seq) WHERE state IN ('waiting', 'working', 'suspended');
CREATE INDEX inbox_open ON inbox (number) WHERE state IN ('waiting', 'working');
CREATE INDEX inbox_into ON inbox (into_turn) WHERE into_turn IS NOT NULL;
CREATE INDEX inbox_stopping ON inbox (session_id) WHERE is_stopping;
CREATE INDEX inbox_by_age ON inbox (at);

CREATE TABLE tool_runs (
  turn_id text COLLATE "C" NOT NULL,
  call_id text COLLATE "C" NOT NULL,
  at      bigint NOT NULL,
  result  text,
  PRIMARY KEY (turn_id, call_id)
);

CREATE TABLE kept_results (
  number     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session_id text COLLATE "C" NOT NULL REFERENCES sessions (id),
  name       text COLLATE "C" NOT NULL,
  at         bigint NOT NULL,
  trust      text NOT NULL,
  text       text NOT NULL,
  UNIQUE (session_id, name)
);
CREATE INDEX kept_results_by_age ON kept_results (at);

CREATE TABLE outbox (
  number     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  turn_id    text COLLATE "C" NOT NULL UNIQUE,
  session_id text COLLATE "C" NOT NULL,
  at         bigint NOT NULL,
  reply      text NOT NULL,
  sent_at    bigint
);
CREATE INDEX outbox_unsent ON outbox (session_id, number) WHERE sent_at IS NULL;

CREATE TABLE waits (
  id          text COLLATE "C" PRIMARY KEY,
  session_id  text COLLATE "C" NOT NULL REFERENCES sessions (id),
  turn_id     text COLLATE "C" NOT NULL,
  place       integer NOT NULL,
  kind        text NOT NULL,
  request     text NOT NULL,
  at          bigint NOT NULL,
  expires_at  bigint NOT NULL,
  answer      text,
  answered_at bigint
);
CREATE INDEX waits_by_turn ON waits (turn_id, place);
CREATE INDEX waits_by_session ON waits (session_id);
CREATE INDEX waits_open ON waits (kind, at) WHERE answer IS NULL;
CREATE INDEX waits_expiring ON waits (expires_at) WHERE answer IS NULL;

CREATE TABLE branches (
  session_id   text COLLATE "C" PRIMARY KEY REFERENCES sessions (id),
  from_session text COLLATE "C" NOT NULL,
  up_to        bigint NOT NULL,
  at           bigint NOT NULL
);
CREATE INDEX branches_from ON branches (from_session, at);

CREATE TABLE files (
  sha256 text COLLATE "C" PRIMARY KEY,
  bytes  bytea NOT NULL
);
ALTER TABLE files ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE file_uses (
  session_id text COLLATE "C" NOT NULL REFERENCES sessions (id),
  sha256     text COLLATE "C" NOT NULL,
  at         bigint NOT NULL,
  PRIMARY KEY (session_id, sha256)
);
CREATE INDEX file_uses_by_sha256 ON file_uses (sha256);

CREATE TABLE notices (
  number     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  agent      text COLLATE "C" NOT NULL,
  who        text COLLATE "C" NOT NULL,
  session_id text COLLATE "C",
  trust      text NOT NULL,
  at         bigint NOT NULL,
  text       text NOT NULL,
  seen_at    bigint
);
CREATE INDEX notices_by_who ON notices (who, agent, number);

CREATE TABLE tasks (
  agent       text COLLATE "C" NOT NULL,
  who         text COLLATE "C" NOT NULL,
  id          bigint NOT NULL,
  title       text NOT NULL,
  description text,
  status      text NOT NULL,
  steps       text NOT NULL,
  created_at  bigint NOT NULL,
  updated_at  bigint NOT NULL,
  trust       text NOT NULL,
  author      text,
  PRIMARY KEY (who, agent, id)
);

CREATE TABLE task_ids (
  agent text COLLATE "C" NOT NULL,
  who   text COLLATE "C" NOT NULL,
  last  bigint NOT NULL,
  PRIMARY KEY (who, agent)
);

CREATE TABLE workflows (
  agent      text COLLATE "C" NOT NULL,
  who        text COLLATE "C" NOT NULL,
  name       text NOT NULL,
  current    integer NOT NULL,
  step       text NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (who, agent)
);

CREATE TABLE communication (
  agent      text COLLATE "C" NOT NULL,
  who        text COLLATE "C" NOT NULL,
  profile    text NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (who, agent)
);

CREATE TABLE bulletins (
  agent     text COLLATE "C" NOT NULL,
  who       text COLLATE "C" NOT NULL,
  trust     text NOT NULL,
  at        bigint NOT NULL,
  text      text NOT NULL,
  made_from text NOT NULL,
  PRIMARY KEY (who, agent, trust)
);

CREATE TABLE schedule (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  agent      text COLLATE "C" NOT NULL,
  cron       text NOT NULL,
  run        text NOT NULL,
  created_at bigint NOT NULL
);

CREATE TABLE schedule_seen (
  agent text COLLATE "C" NOT NULL,
  entry text COLLATE "C" NOT NULL,
  until bigint NOT NULL,
  PRIMARY KEY (agent, entry)
);

CREATE TABLE schedule_runs (
  agent   text COLLATE "C" NOT NULL,
  entry   text COLLATE "C" NOT NULL,
  due     bigint NOT NULL,
  turn_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (agent, entry, due)
);`

const SERVE = `CREATE TABLE tokens (
  number     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id         text COLLATE "C" NOT NULL UNIQUE,
  hash       text COLLATE "C" NOT NULL UNIQUE,
  "user"     text COLLATE "C" NOT NULL,
  situation  text NOT NULL,
  scopes     text NOT NULL,
  name       text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint,
  revoked_at bigint,
  used_at    bigint
);

CREATE TABLE pairings (
  channel    text COLLATE "C" NOT NULL,
  sender     text COLLATE "C" NOT NULL,
  state      text NOT NULL,
  label      text,
  hash       text COLLATE "C",
  at         bigint NOT NULL,
  expires_at bigint,
  wrong      integer NOT NULL DEFAULT 0,
  "user"     text COLLATE "C",
  PRIMARY KEY (channel, sender)
);

CREATE TABLE channel_offsets (
  channel     text COLLATE "C" PRIMARY KEY,
  next_offset text NOT NULL
);

CREATE TABLE arrivals (
  channel  text COLLATE "C" NOT NULL,
  id       text COLLATE "C" NOT NULL,
  at       bigint NOT NULL,
  turn_id  text COLLATE "C",
  reply_to text,
  PRIMARY KEY (channel, id)
);
CREATE INDEX arrivals_by_turn ON arrivals (turn_id);
CREATE INDEX arrivals_by_age ON arrivals (at);

CREATE TABLE deliveries (
  number     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id         text COLLATE "C" NOT NULL UNIQUE,
  channel    text COLLATE "C" NOT NULL,
  place      text COLLATE "C" NOT NULL,
  body       text NOT NULL,
  turn_id    text COLLATE "C",
  at         bigint NOT NULL,
  state      text NOT NULL,
  attempts   integer NOT NULL DEFAULT 0,
  not_before bigint NOT NULL,
  error      text,
  sent_as    text COLLATE "C"
);
CREATE INDEX deliveries_waiting ON deliveries (channel, place, number) WHERE state = 'waiting';
CREATE INDEX deliveries_by_turn ON deliveries (turn_id);
CREATE INDEX deliveries_sent ON deliveries (channel, sent_as) WHERE sent_as IS NOT NULL;
CREATE INDEX deliveries_by_age ON deliveries (at) WHERE state <> 'waiting';
CREATE INDEX deliveries_by_place ON deliveries (place);

CREATE TABLE places (
  number      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session_id  text COLLATE "C" NOT NULL REFERENCES sessions (id),
  seq         bigint NOT NULL,
  turn_id     text COLLATE "C" NOT NULL,
  response_id text COLLATE "C" UNIQUE,
  digest      text COLLATE "C",
  UNIQUE (session_id, seq, digest)
);
CREATE INDEX places_by_digest ON places (digest);

CREATE TABLE requests (
  caller     text COLLATE "C" NOT NULL,
  key        text COLLATE "C" NOT NULL,
  digest     text COLLATE "C" NOT NULL,
  turn_id    text COLLATE "C" NOT NULL,
  lease      bigint NOT NULL,
  expires_at bigint NOT NULL,
  answer     text,
  PRIMARY KEY (caller, key)
);
CREATE INDEX requests_by_turn ON requests (turn_id);
CREATE INDEX requests_expiring ON requests (expires_at);

CREATE TABLE spending (
  id             text COLLATE "C" PRIMARY KEY,
  agent          text COLLATE "C" NOT NULL,
  who            text COLLATE "C" NOT NULL,
  turn_id        text COLLATE "C" NOT NULL,
  at             bigint NOT NULL,
  cost_usd       double precision,
  tokens         bigint NOT NULL DEFAULT 0,
  reserved_until bigint
);
CREATE INDEX spending_by_who ON spending (who, at);
CREATE INDEX spending_by_age ON spending (at);
CREATE INDEX spending_by_turn ON spending (turn_id);

CREATE TABLE questions (
  number     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id         text COLLATE "C" NOT NULL UNIQUE,
  agent      text COLLATE "C" NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  sender     text NOT NULL,
  request    text NOT NULL,
  at         bigint NOT NULL,
  expires_at bigint NOT NULL,
  answer     text
);
CREATE INDEX questions_by_session ON questions (session_id);`

export const AGENT_SCHEMA: SchemaPart = { name: "store", migrations: [`${FIRST}\n\n${SERVE}`] }
