// The tables in which a move from files keeps its progress. They exist only if there was a move.
import { IncipitError } from "../../base/error.ts"
import type { SchemaPart } from "./migrations.ts"
import type { Postgres } from "./postgres.ts"

export const MOVE_SCHEMA: SchemaPart = {
  name: "move",
  migrations: [
    `-- One row: a schema takes the files of one deployment.
CREATE TABLE moves (
  is_only     boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- Where the files are, and their sizes and times when the move began.
  place       text NOT NULL,
  version     text NOT NULL,
  began_at    bigint NOT NULL,
  finished_at bigint
);

CREATE TABLE moved_tables (
  name   text PRIMARY KEY,
  rows   bigint NOT NULL,
  -- What identifies the row that was copied last, as JSON.
  last   text NOT NULL,
  digest text
);`,
  ],
}

/** For agents: with half of the conversations, they would answer, write, and be in the way of the rest. */
export async function refuseUnfinishedMove({ schema, shown, get }: Postgres): Promise<void> {
  const known = await get("SELECT to_regclass($1)::text AS moves", `${schema}.moves`)
  if (known?.moves == null) return
  if ((await get("SELECT 1 FROM moves WHERE finished_at IS NULL")) === undefined) return
  throw new IncipitError("unfinished-move", `a move of files into ${shown} has not finished`)
}
