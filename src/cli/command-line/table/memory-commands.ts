// The `memory` commands, as data.
import { DEFAULT_HIT_TOKENS, DEFAULT_HITS, DEFAULT_LINES } from "../../../memory/default-limits.ts"
import type { CommandTable } from "./command.ts"
import type { FlagTable } from "./flag.ts"
import { DATABASE_FLAG, JSON_FLAG, SHARED_FLAGS, STATE_FLAG } from "./flags.ts"

/** Where memory is. */
const PLACE_FLAGS = {
  ...JSON_FLAG,
  workspace: SHARED_FLAGS.workspace,
  agent: SHARED_FLAGS.agent,
  ...STATE_FLAG,
  ...DATABASE_FLAG,
} as const satisfies FlagTable
const STORE_FLAGS = {
  ...JSON_FLAG,
  workspace: SHARED_FLAGS.workspace,
  agent: SHARED_FLAGS.agent,
  index: { value: "FILE", help: "the index file (default: in the state directory)" },
  ...STATE_FLAG,
  ...DATABASE_FLAG,
} as const satisfies FlagTable
/** And who asks it. */
const MEMORY_FLAGS = {
  as: SHARED_FLAGS.as,
  in: SHARED_FLAGS.in,
  channel: SHARED_FLAGS.channel,
  ...STORE_FLAGS,
} as const satisfies FlagTable
const HIT_FLAGS = {
  limit: { value: "N", least: 1, default: DEFAULT_HITS, help: "most hits to show" },
  budget: { value: "N", default: DEFAULT_HIT_TOKENS, help: "most tokens to show" },
} as const satisfies FlagTable

export const MEMORY_COMMANDS = {
  "memory index": {
    words: [],
    help: "update the index from the files, and show each store with its counts",
    flags: { rebuild: { help: "read every file again, changed or not" }, ...STORE_FLAGS },
    examples: ["incipit memory index", "incipit memory index --rebuild"],
  },
  "memory search": {
    words: [{ name: "query", help: "a question or keywords; any of them may match", many: true }],
    help: "search memory, best match first; each hit has its place and its tokens",
    flags: { ...HIT_FLAGS, ...MEMORY_FLAGS },
    examples: [
      "incipit memory search Jonas birthday",
      'incipit memory search "who mends the winch?" --as jonas',
    ],
  },
  "memory get": {
    words: [{ name: "path", help: "a path as a search shows it, such as social/PEOPLE.md" }],
    help: "print part of a memory file",
    flags: {
      from: { value: "N", least: 1, default: 1, help: "the first line" },
      lines: { value: "N", least: 1, default: DEFAULT_LINES, help: "how many lines" },
      ...MEMORY_FLAGS,
    },
    examples: ["incipit memory get social/PEOPLE.md --from 5 --lines 3"],
  },
  "memory add": {
    words: [{ name: "text", help: "what to remember", many: true }],
    help: "add an entry to memory, with its author; duplicates are refused",
    flags: {
      store: { value: "NAME", help: "the store (default: the most trusted one the writer can use)" },
      path: { value: "FILE", help: "the file in the store (default: today's)" },
      ...MEMORY_FLAGS,
    },
    examples: ['incipit memory add "Mirela is away in July" --store social'],
  },
  "memory why-not": {
    words: [{ name: "what", help: "a path, or part of a line", many: true }],
    help: "explain why a search left something out: its trust or its rank",
    flags: {
      query: { value: "TEXT", isRequired: true, help: "the search that did not find it" },
      ...HIT_FLAGS,
      ...MEMORY_FLAGS,
    },
    examples: ['incipit memory why-not HERRING-42 --query "door code" --as jonas'],
  },
  "memory export": {
    words: [{ name: "folder", help: "where to write the files; created if it is missing" }],
    help: "write the documents of the database as files",
    flags: {
      force: { help: "replace files whose text differs" },
      dryRun: { help: "only show what would be written" },
      ...PLACE_FLAGS,
    },
    examples: ["incipit memory export backup", "incipit memory export . --dry-run"],
  },
  "memory import": {
    words: [{ name: "folder", help: "a workspace, or a folder that `memory export` wrote" }],
    help: "copy memory from files into the database",
    flags: {
      all: { help: "AGENTS.md and USER.md, too; from then on they are read from the database" },
      force: { help: "replace documents whose text differs" },
      dryRun: { help: "only show what would be written" },
      ...PLACE_FLAGS,
    },
    examples: ["incipit memory import . --dry-run", "incipit memory import backup --all"],
  },
} as const satisfies CommandTable
