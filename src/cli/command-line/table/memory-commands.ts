// The `memory` commands, as data.
import { DEFAULT_HIT_TOKENS, DEFAULT_HITS, DEFAULT_LINES } from "../../../memory/default-limits.ts"
import type { CommandTable } from "./command.ts"
import type { FlagTable } from "./flag.ts"
import { JSON_FLAG, SHARED_FLAGS, STATE_FLAG } from "./flags.ts"

/** Where memory is. */
const STORE_FLAGS = {
  ...JSON_FLAG,
  workspace: SHARED_FLAGS.workspace,
  agent: SHARED_FLAGS.agent,
  index: { value: "FILE", help: "the index's file (default: in the state directory)" },
  ...STATE_FLAG,
} as const satisfies FlagTable
/** And who asks it. */
const MEMORY_FLAGS = {
  as: SHARED_FLAGS.as,
  in: SHARED_FLAGS.in,
  channel: SHARED_FLAGS.channel,
  ...STORE_FLAGS,
} as const satisfies FlagTable
const HIT_FLAGS = {
  limit: { value: "N", least: 1, default: DEFAULT_HITS, help: "at most so many hits" },
  budget: { value: "N", default: DEFAULT_HIT_TOKENS, help: "at most so many tokens of hits" },
} as const satisfies FlagTable

export const MEMORY_COMMANDS = {
  "memory index": {
    words: [],
    help: "bring the index in step with the files, and show each store with its counts",
    flags: { rebuild: { help: "read everything again, changed or not" }, ...STORE_FLAGS },
    examples: ["incipit memory index", "incipit memory index --rebuild"],
  },
  "memory search": {
    words: [{ name: "query", help: "a question, or words, any of which may match", many: true }],
    help: "find what memory says, best first, each hit with its place and its price",
    flags: { ...HIT_FLAGS, ...MEMORY_FLAGS },
    examples: [
      "incipit memory search Jonas birthday",
      'incipit memory search "who mends the winch?" --as jonas',
    ],
  },
  "memory get": {
    words: [{ name: "path", help: "as a search shows it, such as social/PEOPLE.md" }],
    help: "print a part of a file of memory",
    flags: {
      from: { value: "N", least: 1, default: 1, help: "the first line" },
      lines: { value: "N", least: 1, default: DEFAULT_LINES, help: "how many" },
      ...MEMORY_FLAGS,
    },
    examples: ["incipit memory get social/PEOPLE.md --from 5 --lines 3"],
  },
  "memory add": {
    words: [{ name: "text", help: "what to remember", many: true }],
    help: "add an entry to memory, with who wrote it; what memory says already is refused",
    flags: {
      store: { value: "NAME", help: "the store (default: the most trusted that the writer reaches)" },
      path: { value: "FILE", help: "the file in it (default: today's)" },
      ...MEMORY_FLAGS,
    },
    examples: ['incipit memory add "Mirela is away in July" --store social'],
  },
  "memory why-not": {
    words: [{ name: "what", help: "a path, or a piece of a line", many: true }],
    help: "say which gate or rank kept something out of a search",
    flags: {
      query: { value: "TEXT", isRequired: true, help: "the search that did not find it" },
      ...HIT_FLAGS,
      ...MEMORY_FLAGS,
    },
    examples: ['incipit memory why-not HERRING-42 --query "door code" --as jonas'],
  },
} as const satisfies CommandTable
