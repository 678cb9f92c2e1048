// Definitions of the tools that the `incipit` profile knows by name, for `{ name, builtin: true }`. Their
// implementation is elsewhere; a test keeps the two in sync. Guidelines name no tool but their own.
import type { Tool } from "../../core/model/scope.ts"

type Schema = Readonly<Record<string, unknown>>

const TEXT = { type: "string" }
const PATH = text("Path, absolute or from the working directory.")
const FOLDER = text("The folder; the working directory if absent.")
const MOST_LINES = 1_000_000_000

export const TOOLS: readonly Tool[] = [
  {
    name: "read",
    description: "Read a text file. If it is cut, the last line of the answer says how to go on.",
    parameters: object(
      {
        path: PATH,
        from: integer("First line, from 1.", MOST_LINES),
        lines: integer("How many lines.", MOST_LINES),
      },
      ["path"],
    ),
    promptSnippet: "Read a file, whole or by lines",
    trust: "familiar",
  },
  {
    name: "write",
    description: "Create a file, or replace the whole of one.",
    parameters: object({ path: PATH, text: TEXT }, ["path", "text"]),
    promptSnippet: "Create or replace a file",
    trust: "full",
  },
  {
    name: "edit",
    description: "Replace one exact piece of a file with another. The old text must occur once.",
    parameters: object({ path: PATH, old: TEXT, new: TEXT }, ["path", "old", "new"]),
    promptSnippet: "Change an exact piece of a file",
    trust: "full",
  },
  {
    name: "list",
    description: "List a folder. What git ignores is counted, not listed.",
    parameters: object({ path: FOLDER }),
    promptSnippet: "List a folder",
    trust: "familiar",
  },
  {
    name: "find",
    description: "Find files by a glob pattern, except those that git ignores.",
    parameters: object(
      { pattern: text("A glob such as *.md, at any depth, or src/**/*.{ts,js}."), path: FOLDER },
      ["pattern"],
    ),
    promptSnippet: "Find files by name",
    trust: "familiar",
  },
  {
    name: "grep",
    description: "Search the contents of files with a regular expression, except those that git ignores.",
    parameters: object(
      {
        pattern: text("A regular expression; begin with (?i) to ignore case."),
        path: text("A file or a folder; the working directory if absent."),
      },
      ["pattern"],
    ),
    promptSnippet: "Search in files",
    trust: "familiar",
  },
  {
    name: "shell",
    description:
      "Run a shell command in the working directory and return its exit code and what it prints. Nothing carries over to the next one.",
    parameters: object({ command: TEXT, timeoutSeconds: integer("When to give up; 120 if absent.", 3_600) }, [
      "command",
    ]),
    promptSnippet: "Run a shell command",
    trust: "full",
  },
  {
    name: "task_write",
    description: "Lay out a task, or change one: its state, its steps, its words.",
    parameters: object({
      id: text("The task to change; a new one if absent.", { minLength: 1 }),
      title: text("What is to be done; a new task needs it.", { minLength: 1, maxLength: 300 }),
      description: text("What one has to know to do it.", { maxLength: 4_000 }),
      status: text("open if absent in a new task.", { enum: ["open", "working", "done", "dropped"] }),
      steps: {
        type: "array",
        items: object(
          { title: { type: "string", minLength: 1, maxLength: 300 }, done: { type: "boolean" } },
          ["title", "done"],
        ),
        maxItems: 50,
        description: "All steps in order; they replace those that were there.",
      },
    }),
    promptSnippet: "Keep the list of tasks",
    trust: "familiar",
  },
  {
    name: "notify_user",
    description: "Send the user a notice that reaches them outside of this conversation.",
    parameters: object(
      {
        text: text("What the user should know, the most important first.", {
          minLength: 1,
          maxLength: 2_000,
        }),
      },
      ["text"],
    ),
    promptSnippet: "Reach the user outside of the conversation",
    promptGuidelines: ["Use notify_user only for what can't wait until the user looks here."],
    trust: "familiar",
  },
  {
    name: "schedule_write",
    description:
      "Have something happen at a time: add an entry with `cron` and `run`, remove one with `remove`, or list all with nothing.",
    parameters: object({
      cron: text("When, as a cron line: minute hour day month weekday.", { minLength: 1, maxLength: 200 }),
      run: text("A file of the workspace, or the message itself.", { minLength: 1, maxLength: 4_000 }),
      remove: text("The id of an entry to remove, alone.", { minLength: 1 }),
    }),
    promptSnippet: "Have something happen at a time",
    trust: "full",
  },
  {
    name: "instructions_write",
    description: "Replace your own instructions, which hold in every conversation.",
    parameters: object(
      {
        text: text("The whole of the instructions; they replace those that were there.", { minLength: 1 }),
      },
      ["text"],
    ),
    promptSnippet: "Replace your own instructions",
    trust: "full",
  },
  {
    name: "responsibility_remove",
    description: "Give up one of your responsibilities, when it is over or the user says so.",
    parameters: object({ title: text("The title, as the responsibilities have it.", { minLength: 1 }) }, [
      "title",
    ]),
    promptSnippet: "Give up a responsibility",
    trust: "full",
  },
  {
    name: "workflow_advance",
    description: "Go on to the next step of the workflow. Say which step is done.",
    parameters: object(
      {
        done: integer("The number of the step that is done: the one marked (now).", Number.MAX_SAFE_INTEGER),
      },
      ["done"],
    ),
    promptSnippet: "Go on in the workflow",
    trust: "familiar",
  },
  {
    name: "delegate",
    description: "Give a part of the work to a further agent and wait for its report.",
    parameters: object(
      {
        task: text("The work, with all that one has to know to do it.", { minLength: 1, maxLength: 20_000 }),
        agent: text("The name of an agent; a copy of yourself if absent.", { minLength: 1 }),
      },
      ["task"],
    ),
    promptSnippet: "Give a part of the work to a further agent",
    promptGuidelines: [
      "An agent you delegate to knows nothing of this conversation: put everything it needs into the task.",
    ],
    trust: "full",
  },
]

function object(properties: Schema, required: readonly string[] = []): Schema {
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}

function text(description: string, more: Schema = {}): Schema {
  return { ...TEXT, ...more, description }
}

function integer(description: string, maximum: number): Schema {
  return { type: "integer", minimum: 1, maximum, description }
}
