// Definitions of the tools that act for the user: commands, tasks, notices, the schedule, the agent's own texts, other
// agents. `src/tools/agent/` has what they do. Guidelines name no tool but their own.
import { TASK_STATUSES } from "../../../base/task-status.ts"
import type { Tool } from "../../../core/model/inputs.ts"
import { integer, object, oneOf, TEXT, text } from "./schema.ts"

const MAX_SECONDS = 3_600

export const SHELL = {
  name: "shell",
  description:
    "Run a shell command in the working directory and return its exit code and what it prints. Nothing carries over to the next one.",
  parameters: object(
    { command: TEXT, timeoutSeconds: integer("When to give up; 120 if absent.", MAX_SECONDS) },
    ["command"],
  ),
  promptSnippet: "Run a shell command",
  trust: "full",
} as const satisfies Tool

export const TASK_WRITE = {
  name: "task_write",
  description: "Lay out a task, or change one: its state, its steps, its words.",
  parameters: object({
    id: text("The task to change; a new one if absent.", { minLength: 1 }),
    title: text("What is to be done; a new task needs it.", { minLength: 1, maxLength: 300 }),
    description: text("What one has to know to do it.", { maxLength: 4_000 }),
    status: oneOf("open if absent in a new task.", TASK_STATUSES),
    steps: {
      type: "array",
      items: object(
        {
          title: { type: "string", minLength: 1, maxLength: 300 } as const,
          done: { type: "boolean" } as const,
        },
        ["title", "done"],
      ),
      maxItems: 50,
      description: "All steps in order; they replace those that were there.",
    } as const,
  }),
  promptSnippet: "Keep the list of tasks",
  trust: "familiar",
} as const satisfies Tool

export const NOTIFY_USER = {
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
} as const satisfies Tool

export const SCHEDULE_WRITE = {
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
} as const satisfies Tool

export const INSTRUCTIONS_WRITE = {
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
} as const satisfies Tool

export const RESPONSIBILITY_REMOVE = {
  name: "responsibility_remove",
  description: "Give up one of your responsibilities, when it is over or the user says so.",
  parameters: object({ title: text("The title, as the responsibilities have it.", { minLength: 1 }) }, [
    "title",
  ]),
  promptSnippet: "Give up a responsibility",
  trust: "full",
} as const satisfies Tool

export const WORKFLOW_ADVANCE = {
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
  isRepeatable: true,
} as const satisfies Tool

export const DELEGATE = {
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
  // The other agent is in plan mode, too.
  isReadOnly: true,
} as const satisfies Tool
