// Definitions of the tools for long-term memory. `src/tools/memory/` has what they do.
import type { Tool } from "../../../core/model/inputs.ts"
import { integer, object, text } from "./schema.ts"

const MAX_HITS = 50
const MAX_BUDGET = 10_000
const MAX_LINES = 2_000

export const MEMORY_SEARCH = {
  name: "memory_search",
  description:
    "Finds facts in long-term memory. Returns short texts with path, lines, date and tokens, best first, and the price of what was left out.",
  parameters: object(
    {
      query: text("A question or words, any of which may match.", { minLength: 1, maxLength: 2_000 }),
      limit: integer("At most so many hits; 10 if absent.", MAX_HITS),
      budget: integer("At most so many tokens of found text; 1000 if absent.", MAX_BUDGET),
    },
    ["query"],
  ),
  isReadOnly: true,
  isRepeatable: true,
} as const satisfies Tool

export const MEMORY_GET = {
  name: "memory_get",
  description:
    "Reads a part of a file of long-term memory, each line with its number, and the price of the rest.",
  parameters: object(
    {
      path: text("As memory_search shows it, such as shared/people.md.", { minLength: 1 }),
      from: integer("The first line; 1 if absent.", Number.MAX_SAFE_INTEGER),
      lines: integer("How many lines; 120 if absent.", MAX_LINES),
    },
    ["path"],
  ),
  isReadOnly: true,
  isRepeatable: true,
} as const satisfies Tool

export const MEMORY_WRITE = {
  name: "memory_write",
  description:
    "Adds one fact to long-term memory, for other conversations. Refuses what memory already says.",
  parameters: object(
    {
      text: text("One fact, in words that can be understood without the conversation.", { minLength: 1 }),
      store: text("The store; the most trusted one of this conversation if absent.", { minLength: 1 }),
      path: text("A file of the store, such as people.md; today's if absent.", { minLength: 1 }),
    },
    ["text"],
  ),
} as const satisfies Tool
