// The `schedule` commands, as data.
import type { CommandTable } from "./command.ts"
import type { FlagTable } from "./flag.ts"
import { DATABASE_FLAG, JSON_FLAG, SHARED_FLAGS, STATE_FLAG } from "./flags.ts"

const SCHEDULE_FLAGS = {
  ...JSON_FLAG,
  workspace: SHARED_FLAGS.workspace,
  agent: SHARED_FLAGS.agent,
  ...STATE_FLAG,
  ...DATABASE_FLAG,
} as const satisfies FlagTable

export const SCHEDULE_COMMANDS = {
  schedule: {
    words: [],
    help: "list the schedule: each entry with its next three runs and the result of its last one",
    flags: SCHEDULE_FLAGS,
    examples: ["incipit schedule", "incipit schedule --json"],
  },
  "schedule add": {
    words: [
      { name: "cron", help: "a cron expression: five fields in quotes, or a word such as @daily" },
      { name: "run", help: "a file in the workspace, or the message to send", many: true },
    ],
    help: "add an entry to the schedule, in this machine's time zone",
    flags: SCHEDULE_FLAGS,
    examples: ['incipit schedule add "0 8 * * MON-FRI" "What is on today?"'],
  },
  "schedule remove": {
    words: [{ name: "id", help: "the entry's id, as `incipit schedule` shows it" }],
    help: "remove an entry that was added; entries in incipit.yaml are removed there",
    flags: SCHEDULE_FLAGS,
    examples: ["incipit schedule remove 1"],
  },
} as const satisfies CommandTable
