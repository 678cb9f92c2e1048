// The `database` commands, as data.
import type { CommandTable } from "./command.ts"
import type { FlagTable } from "./flag.ts"
import { DATABASE_FLAG, JSON_FLAG, SHARED_FLAGS, STATE_FLAG } from "./flags.ts"

const FLAGS = {
  ...JSON_FLAG,
  ...DATABASE_FLAG,
  workspace: SHARED_FLAGS.workspace,
  home: SHARED_FLAGS.home,
} as const satisfies FlagTable

export const DATABASE_COMMANDS = {
  "database status": {
    words: [],
    help: "show the PostgreSQL database in use and the version of its tables; exit with 1 if they need a migration",
    flags: FLAGS,
    examples: ["incipit database status", "incipit database status --json"],
  },
  "database migrate": {
    words: [],
    help: "create the tables in PostgreSQL, or bring them up to date; running servers go on meanwhile",
    flags: FLAGS,
    examples: [
      "incipit database migrate",
      "incipit database migrate --database postgres://incipit@db.example/incipit",
    ],
  },
  "database move": {
    words: [],
    help: "copy conversations and the record from this folder's files into PostgreSQL, compare both, and keep the files; run it again to continue after an interruption",
    flags: {
      ...JSON_FLAG,
      to: {
        value: "URL",
        help: "the PostgreSQL database, as postgres://user@host/name (default: the configured one)",
      },
      dryRun: { help: "show what would be moved, and change nothing" },
      ...STATE_FLAG,
      workspace: SHARED_FLAGS.workspace,
      home: SHARED_FLAGS.home,
    },
    examples: [
      "incipit database move --to postgres://incipit@db.example/incipit --dry-run",
      "incipit database move --to postgres://incipit@db.example/incipit",
    ],
  },
} as const satisfies CommandTable
