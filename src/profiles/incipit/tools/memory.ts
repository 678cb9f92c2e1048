// Definitions of the tools for long-term memory. `src/tools/memory/` has what they do.
import type { Tool } from "../../../core/model/inputs.ts"
import { integer, object, text } from "./schema.ts"

const MAX_HITS = 50
const MAX_BUDGET = 10_000
const MAX_LINES = 2_000

export const MEMORY_SEARCH = {
  name: "memory_search",
  description:
    "Finds facts in long-term memory. Returns short texts with path, lines, date and tokens, best first, and the token cost of what was left out.",
  parameters: object(
    {
      query: text("A question or words, any of which may match.", { minLength: 1, maxLength: 2_000 }),
      limit: integer("The most hits to return; default: 10.", MAX_HITS),
      budget: integer("The most tokens of text to return; default: 1000.", MAX_BUDGET),
    },
    ["query"],
  ),
  isReadOnly: true,
  isRepeatable: true,
} as const satisfies Tool

export const MEMORY_GET = {
  name: "memory_get",
  description: "Reads part of a long-term memory file, with line numbers and the token cost of the rest.",
  parameters: object(
    {
      path: text("As memory_search shows it, such as shared/people.md.", { minLength: 1 }),
      from: integer("The first line; default: 1.", Number.MAX_SAFE_INTEGER),
      lines: integer("How many lines; default: 120.", MAX_LINES),
    },
    ["path"],
  ),
  isReadOnly: true,
  isRepeatable: true,
} as const satisfies Tool

export const MEMORY_WRITE = {
  name: "memory_write",
  description:
    "Adds one fact to long-term memory, for other conversations. Refuses a fact that memory already has.",
  parameters: object(
    {
      text: text("One fact, worded so that it makes sense without the conversation.", { minLength: 1 }),
      store: text("The store; default: the most trusted one of this conversation.", { minLength: 1 }),
      path: text("A file in the store, such as people.md; default: today's.", { minLength: 1 }),
    },
    ["text"],
  ),
} as const satisfies Tool
