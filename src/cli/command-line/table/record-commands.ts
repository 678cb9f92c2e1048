// The commands that read the record, as data.
import { COST_KEYS } from "../../../base/cost-keys.ts"
import { LEVELS } from "../../../base/event-types.ts"
import type { CommandTable } from "./command.ts"
import type { FlagTable } from "./flag.ts"
import { CAPTURES_FLAG, DATABASE_FLAG, JSON_FLAG, SHARED_FLAGS, STATE_FLAG } from "./flags.ts"

/** How long the record is kept unless incipit.yaml says. */
export const DEFAULT_RETENTION = "30d"

/** For every command that reads the record. */
const RECORD_FLAGS = {
  workspace: SHARED_FLAGS.workspace,
  record: { value: "FILE", help: "the record file (default: in the state directory)" },
  ...CAPTURES_FLAG,
  ...STATE_FLAG,
  ...DATABASE_FLAG,
} as const satisfies FlagTable
const RANGE_FLAGS = {
  since: { value: "TIME", help: "start here: 1h (ago), today, yesterday, a date or a time" },
  until: { value: "TIME", help: "end here, in the same forms" },
} as const satisfies FlagTable
const TURN_WORD = {
  name: "turn",
  help: "a turn's id from `incipit logs`, or id.step (default: the latest)",
  optional: true,
} as const

export const RECORD_COMMANDS = {
  logs: {
    words: [],
    help: "show recorded events, filtered by field or text",
    flags: {
      session: { value: "ID", help: "only this session" },
      user: { value: "ID", help: "only this person" },
      channel: { value: "ID", help: "only this channel" },
      turn: { value: "ID", help: "only this turn" },
      level: {
        value: "LEVEL",
        choices: LEVELS,
        help: "only this level and above",
      },
      type: { value: "TYPES", list: true, help: "only these types, such as api_call,tool_call" },
      ...RANGE_FLAGS,
      search: { value: "WORDS", help: "only events with these words in the error or the data" },
      limit: { value: "N", least: 1, default: 50, help: "most events to show" },
      follow: { help: "keep printing new events until Ctrl-C" },
      ...JSON_FLAG,
      ...RECORD_FLAGS,
    },
    examples: ["incipit logs --level error --since 12h", "incipit logs --search timeout --json"],
  },
  trace: {
    words: [TURN_WORD],
    help: "show what happened to one message, as a tree with times, tokens and retries",
    flags: { ...JSON_FLAG, ...RECORD_FLAGS },
    examples: ["incipit trace", "incipit trace turn-12"],
  },
  replay: {
    words: [{ name: "turn", help: "a turn's id from `incipit logs`, or id.step" }],
    help: "print a recorded request exactly as it was sent, and check its digests",
    flags: { ...JSON_FLAG, ...RECORD_FLAGS },
    examples: ["incipit replay turn-12.1"],
  },
  "why-miss": {
    words: [TURN_WORD],
    help: "explain why a call missed the cache, and what that cost",
    flags: { ...JSON_FLAG, ...RECORD_FLAGS },
    examples: ["incipit why-miss", "incipit why-miss turn-13"],
  },
  cost: {
    words: [],
    help: "show what calls cost, by day, session, person, model, turn, section or file",
    flags: {
      by: {
        value: "KEY",
        choices: COST_KEYS,
        default: "day",
        help: "what to group by",
      },
      ...RANGE_FLAGS,
      ...JSON_FLAG,
      ...RECORD_FLAGS,
    },
    examples: ["incipit cost", "incipit cost --by file --since today"],
  },
  status: {
    words: [],
    help: "show channels, sessions, recent errors, and the state of the record and the memory",
    flags: { ...JSON_FLAG, ...RECORD_FLAGS },
    examples: ["incipit status", "incipit status --json"],
  },
  export: {
    words: [{ name: "file", help: "the file to write (default: stdout)", optional: true }],
    help: "export all events as JSON Lines with every column, or the model calls as a trace to simulate",
    flags: {
      calls: { help: "export the model calls instead, as a trace for `incipit simulate`" },
      session: { value: "ID", help: "only this session" },
      ...RANGE_FLAGS,
      ...RECORD_FLAGS,
    },
    examples: ["incipit export events.jsonl --since 2026-11-01", "incipit export --calls calls.jsonl"],
  },
  prune: {
    words: [],
    help: "delete old traces and conversations from the record and the agent's store; cost totals are kept",
    flags: {
      older: {
        value: "AGE",
        help: `delete what is older (default: record.retention, or ${DEFAULT_RETENTION})`,
      },
      maxSize: {
        value: "SIZE",
        help: "delete the oldest until the record file is no larger (default: record.max_size)",
      },
      person: {
        value: "ID",
        help: "delete this person's conversations, tasks and plans instead, whatever their age",
      },
      dryRun: { help: "show what would be deleted, and delete nothing" },
      ...JSON_FLAG,
      ...RECORD_FLAGS,
      ...DATABASE_FLAG,
    },
    examples: [
      "incipit prune --older 7d",
      "incipit prune --max-size 500MB",
      "incipit prune --person bob --dry-run",
    ],
  },
} as const satisfies CommandTable
