// Definitions of the tools that act for the user: commands, tasks, notices, the schedule, the agent's own texts, other
// agents. `src/tools/agent/` has what they do. Guidelines name no tool but their own.
import { TASK_STATUSES } from "../../../base/task-status.ts"
import type { Tool } from "../../../core/model/inputs.ts"
import { integer, object, oneOf, TEXT, text } from "./schema.ts"

const MAX_SECONDS = 3_600

export const SHELL = {
  name: "shell",
  description:
    "Run a shell command in the working directory and return its exit code and output. No state carries over to the next one.",
  parameters: object({ command: TEXT, timeoutSeconds: integer("The timeout; default: 120.", MAX_SECONDS) }, [
    "command",
  ]),
  promptSnippet: "Run a shell command",
  trust: "full",
} as const satisfies Tool

/** The same where commands run in a sandbox. */
export const SANDBOXED_SHELL = {
  ...SHELL,
  description:
    "Run a shell command in the sandbox, in the working directory, and return its exit code and output. Only files carry over to the next one.",
  parameters: object(
    {
      ...SHELL.parameters.properties,
      host: text("Why it must run on the host, outside the sandbox; the user is asked.", {
        minLength: 1,
        maxLength: 500,
      }),
    },
    ["command"],
  ),
} as const satisfies Tool

export const TASK_WRITE = {
  name: "task_write",
  description: "Create a task, or change its status, steps or text.",
  parameters: object({
    id: text("The task to change; omit it for a new one.", { minLength: 1 }),
    title: text("What to do; required for a new task.", { minLength: 1, maxLength: 300 }),
    description: text("What you need to know to do it.", { maxLength: 4_000 }),
    status: oneOf("Default for a new task: open.", TASK_STATUSES),
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
      description: "All steps in order; they replace the current ones.",
    } as const,
  }),
  promptSnippet: "Keep the list of tasks",
  trust: "familiar",
} as const satisfies Tool

export const NOTIFY_USER = {
  name: "notify_user",
  description: "Send the user a notice that reaches them outside this conversation.",
  parameters: object(
    {
      text: text("What the user should know, most important first.", {
        minLength: 1,
        maxLength: 2_000,
      }),
    },
    ["text"],
  ),
  promptSnippet: "Reach the user outside the conversation",
  promptGuidelines: ["Use notify_user only for what can't wait until the user looks here."],
  trust: "familiar",
} as const satisfies Tool

export const SCHEDULE_WRITE = {
  name: "schedule_write",
  description:
    "Schedule something: add an entry with `cron` and `run`, remove one with `remove`, or list all without arguments.",
  parameters: object({
    cron: text("When, in cron syntax: minute hour day month weekday.", { minLength: 1, maxLength: 200 }),
    run: text("A workspace file, or the message itself.", { minLength: 1, maxLength: 4_000 }),
    remove: text("The id of an entry to remove; give only this.", { minLength: 1 }),
  }),
  promptSnippet: "Schedule something",
  trust: "full",
} as const satisfies Tool

export const INSTRUCTIONS_WRITE = {
  name: "instructions_write",
  description: "Replace your own instructions, which apply in every conversation.",
  parameters: object(
    {
      text: text("The complete instructions; they replace the current ones.", { minLength: 1 }),
    },
    ["text"],
  ),
  promptSnippet: "Replace your own instructions",
  trust: "full",
} as const satisfies Tool

export const RESPONSIBILITY_REMOVE = {
  name: "responsibility_remove",
  description: "Remove one of your responsibilities when it is over or the user says so.",
  parameters: object({ title: text("The title, exactly as listed.", { minLength: 1 }) }, ["title"]),
  promptSnippet: "Remove a responsibility",
  trust: "full",
} as const satisfies Tool

export const WORKFLOW_ADVANCE = {
  name: "workflow_advance",
  description: "Move on to the next step of the workflow. Say which step is done.",
  parameters: object(
    {
      done: integer("The number of the step that is done: the one marked (now).", Number.MAX_SAFE_INTEGER),
    },
    ["done"],
  ),
  promptSnippet: "Move on in the workflow",
  trust: "familiar",
  isRepeatable: true,
} as const satisfies Tool

export const DELEGATE = {
  name: "delegate",
  description: "Give part of the work to another agent and wait for its report.",
  parameters: object(
    {
      task: text("The work, with everything needed to do it.", { minLength: 1, maxLength: 20_000 }),
      agent: text("The name of an agent; default: a copy of yourself.", { minLength: 1 }),
    },
    ["task"],
  ),
  promptSnippet: "Give part of the work to another agent",
  promptGuidelines: [
    "An agent you delegate to knows nothing of this conversation: put everything it needs into the task.",
  ],
  trust: "full",
  // The other agent is in plan mode, too.
  isReadOnly: true,
} as const satisfies Tool
