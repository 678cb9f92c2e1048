// Definitions of the tools for files. `src/tools/files/` has what they do.
import type { Tool } from "../../../core/model/inputs.ts"
import { integer, object, TEXT, text } from "./schema.ts"

const PATH = text("Path, absolute or from the working directory.")
const FOLDER = text("The folder; default: the working directory.")
export const MAX_LINES = 1_000_000_000

export const READ = {
  name: "read",
  description: "Read a text file. If it is truncated, the last line says how to continue.",
  parameters: object(
    {
      path: PATH,
      from: integer("First line, from 1.", MAX_LINES),
      lines: integer("How many lines.", MAX_LINES),
    },
    ["path"],
  ),
  promptSnippet: "Read a file, whole or by lines",
  trust: "familiar",
  isReadOnly: true,
  isRepeatable: true,
} as const satisfies Tool

export const WRITE = {
  name: "write",
  description: "Create a file, or replace all of its text.",
  parameters: object({ path: PATH, text: TEXT }, ["path", "text"]),
  promptSnippet: "Create or replace a file",
  trust: "full",
} as const satisfies Tool

export const EDIT = {
  name: "edit",
  description: "Replace exact text in a file. The old text must occur once.",
  parameters: object({ path: PATH, old: TEXT, new: TEXT }, ["path", "old", "new"]),
  promptSnippet: "Replace exact text in a file",
  trust: "full",
} as const satisfies Tool

export const LIST = {
  name: "list",
  description: "List a folder. Files ignored by git are only counted.",
  parameters: object({ path: FOLDER }),
  promptSnippet: "List a folder",
  trust: "familiar",
  isReadOnly: true,
  isRepeatable: true,
} as const satisfies Tool

export const FIND = {
  name: "find",
  description: "Find files by a glob pattern, except those that git ignores.",
  parameters: object(
    { pattern: text("A glob such as *.md, at any depth, or src/**/*.{ts,js}."), path: FOLDER },
    ["pattern"],
  ),
  promptSnippet: "Find files by name",
  trust: "familiar",
  isReadOnly: true,
  isRepeatable: true,
} as const satisfies Tool

export const GREP = {
  name: "grep",
  description: "Search the contents of files with a regular expression, except those that git ignores.",
  parameters: object(
    {
      pattern: text("A regular expression; begin with (?i) to ignore case."),
      path: text("A file or folder; default: the working directory."),
    },
    ["pattern"],
  ),
  promptSnippet: "Search in files",
  trust: "familiar",
  isReadOnly: true,
  isRepeatable: true,
} as const satisfies Tool
