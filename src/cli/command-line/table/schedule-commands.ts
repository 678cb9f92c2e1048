// The `schedule` commands, as data.
import type { CommandTable } from "./command.ts"
import type { FlagTable } from "./flag.ts"
import { JSON_FLAG, SHARED_FLAGS, STATE_FLAG } from "./flags.ts"

const SCHEDULE_FLAGS = {
  ...JSON_FLAG,
  workspace: SHARED_FLAGS.workspace,
  agent: SHARED_FLAGS.agent,
  ...STATE_FLAG,
} as const satisfies FlagTable

export const SCHEDULE_COMMANDS = {
  schedule: {
    words: [],
    help: "list what runs when: each entry with its next three times and what became of its last run",
    flags: SCHEDULE_FLAGS,
    examples: ["incipit schedule", "incipit schedule --json"],
  },
  "schedule add": {
    words: [
      { name: "cron", help: "five fields in quotes, or @daily and the like" },
      { name: "run", help: "a file of the workspace, or the message itself", many: true },
    ],
    help: "add an entry to the schedule, in the time zone of the machine",
    flags: SCHEDULE_FLAGS,
    examples: ['incipit schedule add "0 8 * * MON-FRI" "What is on today?"'],
  },
  "schedule remove": {
    words: [{ name: "id", help: "as the list shows it" }],
    help: "remove an entry that was added; those of incipit.yaml are removed there",
    flags: SCHEDULE_FLAGS,
    examples: ["incipit schedule remove 1"],
  },
} as const satisfies CommandTable
