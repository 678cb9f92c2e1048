// The commands that read the record, as data.
import type { Command, Flag } from "./command.ts"
import { JSON_FLAG, STATE_FLAG } from "./flags.ts"

/** For every command that reads the record. */
const RECORD_FLAGS: readonly Flag[] = [
  { name: "workspace", value: "DIR", help: "the folder that describes the agent (default: here)" },
  { name: "record", value: "FILE", help: "the record's file (default: in the state directory)" },
  STATE_FLAG,
]
const RANGE_FLAGS: readonly Flag[] = [
  { name: "since", value: "TIME", help: "from then on: 1h (ago), today, yesterday, a date, or a time" },
  { name: "until", value: "TIME", help: "the end, in the same forms" },
]
const TURN_WORD = {
  name: "turn",
  help: "a turn's id, as `incipit logs` shows it, or id.step (default: the latest)",
  optional: true,
} as const

export const RECORD_COMMANDS: readonly Command[] = [
  {
    name: "logs",
    words: [],
    help: "show events of the record, by filter and by text",
    flags: [
      { name: "session", value: "ID", help: "of this session" },
      { name: "user", value: "ID", help: "of this person" },
      { name: "channel", value: "ID", help: "of this channel" },
      { name: "turn", value: "ID", help: "of this turn" },
      {
        name: "level",
        value: "LEVEL",
        choices: ["debug", "info", "warn", "error"],
        help: "at least this serious",
      },
      { name: "type", value: "TYPES", help: "of these types, such as api_call,tool_call" },
      ...RANGE_FLAGS,
      { name: "search", value: "WORDS", help: "with these words in the error or the data" },
      { name: "limit", value: "N", help: "at most so many (default: 50)" },
      { name: "follow", help: "go on with those to come, until Ctrl-C" },
      JSON_FLAG,
      ...RECORD_FLAGS,
    ],
    examples: ["incipit logs --level error --since 12h", "incipit logs --search timeout --json"],
    load: () => import("../commands/record/logs.ts"),
  },
  {
    name: "trace",
    words: [TURN_WORD],
    help: "show what happened to one message, as a tree with times, tokens and retries",
    flags: [JSON_FLAG, ...RECORD_FLAGS],
    examples: ["incipit trace", "incipit trace turn-12"],
    load: () => import("../commands/record/trace.ts"),
  },
  {
    name: "replay",
    words: [{ name: "turn", help: "a turn's id, as `incipit logs` shows it, or id.step" }],
    help: "print the request of a recorded step exactly as it was sent, and check its digests",
    flags: [JSON_FLAG, ...RECORD_FLAGS],
    examples: ["incipit replay turn-12.1"],
    load: () => import("../commands/record/replay.ts"),
  },
  {
    name: "why-miss",
    words: [TURN_WORD],
    help: "say why a call read less from the cache than it could have, and what that cost",
    flags: [JSON_FLAG, ...RECORD_FLAGS],
    examples: ["incipit why-miss", "incipit why-miss turn-13"],
    load: () => import("../commands/record/why-miss.ts"),
  },
  {
    name: "cost",
    words: [],
    help: "say what calls cost, by day, session, person, model, turn, section or file",
    flags: [
      {
        name: "by",
        value: "KEY",
        choices: ["day", "session", "user", "model", "turn", "section", "file"],
        help: "what to add up by (default: day)",
      },
      ...RANGE_FLAGS,
      JSON_FLAG,
      ...RECORD_FLAGS,
    ],
    examples: ["incipit cost", "incipit cost --by file --since today"],
    load: () => import("../commands/record/cost.ts"),
  },
  {
    name: "status",
    words: [],
    help: "show channels, sessions, the last errors, and how the record and the memory are doing",
    flags: [JSON_FLAG, ...RECORD_FLAGS],
    examples: ["incipit status", "incipit status --json"],
    load: () => import("../commands/record/status.ts"),
  },
  {
    name: "export",
    words: [{ name: "file", help: "where to (default: stdout)", optional: true }],
    help: "write the events as JSON Lines, every column, nothing lost; or the calls, to simulate them",
    flags: [
      { name: "calls", help: "the calls to models instead, as a trace for `incipit simulate`" },
      { name: "session", value: "ID", help: "of this session alone" },
      ...RANGE_FLAGS,
      ...RECORD_FLAGS,
    ],
    examples: ["incipit export events.jsonl --since 2026-11-01", "incipit export --calls calls.jsonl"],
    load: () => import("../commands/record/export.ts"),
  },
  {
    name: "prune",
    words: [],
    help: "make the record and the agent's store smaller now: old traces and conversations go whole, sums of cost stay",
    flags: [
      { name: "older", value: "AGE", help: "what is older goes (default: record.retention, or 30d)" },
      {
        name: "max-size",
        value: "SIZE",
        help: "until the record's file is no larger (default: record.max_size)",
      },
      {
        name: "person",
        value: "ID",
        help: "instead, all that is kept of this person in conversations, tasks and plans, whatever its age",
      },
      { name: "dry-run", help: "say what would go, and remove nothing" },
      JSON_FLAG,
      ...RECORD_FLAGS,
    ],
    examples: [
      "incipit prune --older 7d",
      "incipit prune --max-size 500MB",
      "incipit prune --person bob --dry-run",
    ],
    load: () => import("../commands/record/prune.ts"),
  },
]
