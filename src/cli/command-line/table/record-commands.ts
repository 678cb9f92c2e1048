// The commands that read the record, as data.
import { COST_KEYS } from "../../../base/cost-keys.ts"
import { LEVELS } from "../../../base/event-types.ts"
import type { CommandTable } from "./command.ts"
import type { FlagTable } from "./flag.ts"
import { JSON_FLAG, SHARED_FLAGS, STATE_FLAG } from "./flags.ts"

/** How long the record is kept unless incipit.yaml says. */
export const DEFAULT_RETENTION = "30d"

/** For every command that reads the record. */
const RECORD_FLAGS = {
  workspace: SHARED_FLAGS.workspace,
  record: { value: "FILE", help: "the record's file (default: in the state directory)" },
  ...STATE_FLAG,
} as const satisfies FlagTable
const RANGE_FLAGS = {
  since: { value: "TIME", help: "from then on: 1h (ago), today, yesterday, a date, or a time" },
  until: { value: "TIME", help: "the end, in the same forms" },
} as const satisfies FlagTable
const TURN_WORD = {
  name: "turn",
  help: "a turn's id, as `incipit logs` shows it, or id.step (default: the latest)",
  optional: true,
} as const

export const RECORD_COMMANDS = {
  logs: {
    words: [],
    help: "show events of the record, by filter and by text",
    flags: {
      session: { value: "ID", help: "of this session" },
      user: { value: "ID", help: "of this person" },
      channel: { value: "ID", help: "of this channel" },
      turn: { value: "ID", help: "of this turn" },
      level: {
        value: "LEVEL",
        choices: LEVELS,
        help: "at least this serious",
      },
      type: { value: "TYPES", list: true, help: "of these types, such as api_call,tool_call" },
      ...RANGE_FLAGS,
      search: { value: "WORDS", help: "with these words in the error or the data" },
      limit: { value: "N", least: 1, default: 50, help: "at most so many" },
      follow: { help: "go on with those to come, until Ctrl-C" },
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
    words: [{ name: "turn", help: "a turn's id, as `incipit logs` shows it, or id.step" }],
    help: "print the request of a recorded step exactly as it was sent, and check its digests",
    flags: { ...JSON_FLAG, ...RECORD_FLAGS },
    examples: ["incipit replay turn-12.1"],
  },
  "why-miss": {
    words: [TURN_WORD],
    help: "say why a call read less from the cache than it could have, and what that cost",
    flags: { ...JSON_FLAG, ...RECORD_FLAGS },
    examples: ["incipit why-miss", "incipit why-miss turn-13"],
  },
  cost: {
    words: [],
    help: "say what calls cost, by day, session, person, model, turn, section or file",
    flags: {
      by: {
        value: "KEY",
        choices: COST_KEYS,
        default: "day",
        help: "what to add up by",
      },
      ...RANGE_FLAGS,
      ...JSON_FLAG,
      ...RECORD_FLAGS,
    },
    examples: ["incipit cost", "incipit cost --by file --since today"],
  },
  status: {
    words: [],
    help: "show channels, sessions, the last errors, and how the record and the memory are doing",
    flags: { ...JSON_FLAG, ...RECORD_FLAGS },
    examples: ["incipit status", "incipit status --json"],
  },
  export: {
    words: [{ name: "file", help: "where to (default: stdout)", optional: true }],
    help: "write the events as JSON Lines, every column, nothing lost; or the calls, to simulate them",
    flags: {
      calls: { help: "the calls to models instead, as a trace for `incipit simulate`" },
      session: { value: "ID", help: "of this session alone" },
      ...RANGE_FLAGS,
      ...RECORD_FLAGS,
    },
    examples: ["incipit export events.jsonl --since 2026-11-01", "incipit export --calls calls.jsonl"],
  },
  prune: {
    words: [],
    help: "make the record and the agent's store smaller now: old traces and conversations go whole, sums of cost stay",
    flags: {
      older: {
        value: "AGE",
        help: `what is older goes (default: record.retention, or ${DEFAULT_RETENTION})`,
      },
      maxSize: {
        value: "SIZE",
        help: "until the record's file is no larger (default: record.max_size)",
      },
      person: {
        value: "ID",
        help: "instead, all that is kept of this person in conversations, tasks and plans, whatever its age",
      },
      dryRun: { help: "say what would go, and remove nothing" },
      ...JSON_FLAG,
      ...RECORD_FLAGS,
    },
    examples: [
      "incipit prune --older 7d",
      "incipit prune --max-size 500MB",
      "incipit prune --person bob --dry-run",
    ],
  },
} as const satisfies CommandTable
