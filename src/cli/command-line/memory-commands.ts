// The `memory` commands, as data.
import type { Command, Flag } from "./command.ts"
import { JSON_FLAG, SHARED_FLAGS, STATE_FLAG } from "./flags.ts"

/** Where memory is. */
const STORE_FLAGS: readonly Flag[] = [
  JSON_FLAG,
  ...SHARED_FLAGS.filter(({ name }) => ["workspace", "agent"].includes(name)),
  { name: "index", value: "FILE", help: "the index's file (default: in the state directory)" },
  STATE_FLAG,
]
/** And who asks it. */
const MEMORY_FLAGS: readonly Flag[] = [
  ...SHARED_FLAGS.filter(({ name }) => ["as", "in", "channel"].includes(name)),
  ...STORE_FLAGS,
]
const HIT_FLAGS: readonly Flag[] = [
  { name: "limit", value: "N", help: "at most so many hits (default: 10)" },
  { name: "budget", value: "N", help: "at most so many tokens of hits (default: 1000)" },
]

export const MEMORY_COMMANDS: readonly Command[] = [
  {
    name: "memory index",
    words: [],
    help: "bring the index in step with the files, and show each store with its counts",
    flags: [{ name: "rebuild", help: "read everything again, changed or not" }, ...STORE_FLAGS],
    examples: ["incipit memory index", "incipit memory index --rebuild"],
    load: async () => ({ run: (await import("../commands/agent/memory.ts")).index }),
  },
  {
    name: "memory search",
    words: [{ name: "query", help: "a question, or words, any of which may match", many: true }],
    help: "find what memory says, best first, each hit with its place and its price",
    flags: [...HIT_FLAGS, ...MEMORY_FLAGS],
    examples: [
      "incipit memory search Jonas birthday",
      'incipit memory search "who mends the winch?" --as jonas',
    ],
    load: async () => ({ run: (await import("../commands/agent/memory.ts")).search }),
  },
  {
    name: "memory get",
    words: [{ name: "path", help: "as a search shows it, such as social/PEOPLE.md" }],
    help: "print a part of a file of memory",
    flags: [
      { name: "from", value: "N", help: "the first line (default: 1)" },
      { name: "lines", value: "N", help: "how many (default: 120)" },
      ...MEMORY_FLAGS,
    ],
    examples: ["incipit memory get social/PEOPLE.md --from 5 --lines 3"],
    load: async () => ({ run: (await import("../commands/agent/memory.ts")).get }),
  },
  {
    name: "memory add",
    words: [{ name: "text", help: "what to remember", many: true }],
    help: "add an entry to memory, with who wrote it; what memory says already is refused",
    flags: [
      { name: "store", value: "NAME", help: "the store (default: the most trusted that the writer reaches)" },
      { name: "path", value: "FILE", help: "the file in it (default: today's)" },
      ...MEMORY_FLAGS,
    ],
    examples: ['incipit memory add "Mirela is away in July" --store social'],
    load: async () => ({ run: (await import("../commands/agent/memory.ts")).add }),
  },
  {
    name: "memory why-not",
    words: [{ name: "what", help: "a path, or a piece of a line", many: true }],
    help: "say which gate or rank kept something out of a search",
    flags: [
      { name: "query", value: "TEXT", help: "the search that did not find it" },
      ...HIT_FLAGS,
      ...MEMORY_FLAGS,
    ],
    examples: ['incipit memory why-not HERRING-42 --query "door code" --as jonas'],
    load: async () => ({ run: (await import("../commands/agent/memory.ts")).whyNot }),
  },
]
