// The commands that show what other clients' calls cost, as data.
import { CLIENTS } from "../../../capture/call.ts"
import { BILL_KEYS } from "../../views/bill/bill-key.ts"
import type { CommandTable } from "./command.ts"
import { JSON_FLAG } from "./flags.ts"

export const BILL_COMMANDS = {
  bill: {
    words: [
      {
        name: "place",
        help: "folders or files with transcripts to read (default: where each client keeps its own)",
        optional: true,
        many: true,
      },
    ],
    help: "show what your coding agents cost, where it went, what was paid for twice, and what to change",
    flags: {
      client: { value: "NAME", choices: CLIENTS, help: "only calls of this client" },
      since: {
        value: "TIME",
        help: "start here: 7d (ago), today, a date or a time (default: six days before today)",
      },
      until: { value: "TIME", help: "end here, in the same forms" },
      session: { value: "ID", help: "only this session, by its id or the beginning of it" },
      by: {
        value: "KEY",
        choices: BILL_KEYS,
        conflicts: ["json", "html"],
        help: "one table instead, of what each one cost",
      },
      markdown: { conflicts: ["json", "html"], help: "print it as Markdown" },
      html: { value: "FILE", conflicts: ["json"], help: "write it as one HTML file that needs nothing else" },
      share: { help: "leave out paths, names and texts, so that it can be shown to others" },
      ...JSON_FLAG,
    },
    examples: [
      "incipit bill",
      "incipit bill --since 30d --by session",
      "incipit bill --client claude-code --html bill.html",
      "incipit bill --share --markdown",
    ],
  },
  statusline: {
    words: [],
    help: "print one line about the session for Claude Code's status line, from the JSON on stdin",
    flags: {},
    examples: ["incipit statusline"],
  },
} as const satisfies CommandTable
