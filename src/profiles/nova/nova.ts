// The layout of Nova's published description: tagged sections in a fixed order, each left out completely when it has no
// content. The profile is sealed: its sections cannot be edited. Nova has no budget, so nothing is ever cut.
import { textContent } from "../../core/model/content.ts"
import type { Tool } from "../../core/model/inputs.ts"
import type { Profile } from "../../core/model/profile.ts"
import { section } from "../../core/model/section.ts"
import { readInput } from "../../core/model/section-input.ts"
import type { AgentView, SessionView } from "../../core/model/section-scope.ts"
import { firstOf, type SourceFile } from "../../core/model/source.ts"
import { notFed, type Unused, unused } from "../../core/view/unused.ts"
import { type Markup, tags } from "../../core/write/markup.ts"
import {
  directoriesContent,
  fieldContent,
  memoriesContent,
  memoriesInput,
  novaClock,
  novaTasks,
  persists,
  responsibilitiesContent,
  taskContent,
} from "./parts.ts"
import { BACKGROUND, NOTIFY, STORAGE, TELEGRAM } from "./text.ts"

const RESPONSIBILITIES = "nova/responsibilities"

/** Writes `nova/identity` as `<Identity>`. Escapes the closing tag inside, so that text stays in its section. */
const novaTags: Markup = {
  name: "nova",
  safe: true,
  additive: false,
  envelope: ({ id }) => ({
    open: `<${tagOf(id)}>\n${id === RESPONSIBILITIES ? "  " : ""}`,
    close: `\n</${tagOf(id)}>`,
  }),
  escapes: (text, { id }) => tags.escapes(text, { id: tagOf(id) }),
}

function tagOf(id: string): string {
  const name = id.slice(id.indexOf("/") + 1)
  return name.charAt(0).toUpperCase() + name.slice(1)
}

const whole = { priority: "required", cut: "whole", lead: "\n\n" } as const

/** The role of agent.json, under which reports also find the agent's name. */
const AGENT = ["identity"]

const identity = section({
  ...whole,
  id: "nova/identity",
  pace: "stable",
  trust: "public",
  reads: AGENT,
  build: ({ agent }) => {
    const file = firstOf(agent.files, "identity")
    return fieldContent(file, "identity") ?? whyNoField(file, "identity")
  },
})

const role = section({
  ...whole,
  id: "nova/role",
  pace: "stable",
  trust: "public",
  reads: AGENT,
  build: ({ agent }) => {
    const file = firstOf(agent.files, "identity")
    const own = fieldContent(file, "identity")
    if (file !== undefined && own !== undefined)
      return unused({ kind: "replaced", by: `${file.path} (identity)` })
    return fieldContent(file, "role") ?? whyNoField(file, "role")
  },
})

const instructions = section({
  ...whole,
  id: "nova/instructions",
  pace: "stable",
  trust: "public",
  reads: AGENT,
  build: ({ agent }) => {
    const file = firstOf(agent.files, "identity")
    if (fieldContent(file, "identity") === undefined) return whyNoField(file, "identity")
    return fieldContent(file, "instructions") ?? whyNoField(file, "instructions")
  },
})

const responsibilities = section({
  ...whole,
  id: RESPONSIBILITIES,
  pace: "stable",
  trust: "public",
  reads: AGENT,
  build: ({ agent }) => {
    const file = firstOf(agent.files, "identity")
    return responsibilitiesContent(file) ?? whyNoField(file, "responsibilities")
  },
})

/** Strangers don't learn about the machine. */
const directories = section({
  ...whole,
  id: "nova/directories",
  pace: "stable",
  trust: "familiar",
  reads: AGENT,
  build: ({ agent }) => {
    const file = firstOf(agent.files, "identity")
    return directoriesContent(file) ?? whyNoField(file, "directories")
  },
})

const storage = section({
  ...whole,
  id: "nova/storage",
  pace: "stable",
  trust: "public",
  reads: AGENT,
  build: ({ agent }) => {
    const file = firstOf(agent.files, "identity")
    return file !== undefined && persists(file)
      ? textContent(STORAGE, { kind: "bundled", name: "nova/storage" })
      : whyNoField(file, "capability that keeps something")
  },
})

const formatting = section({
  ...whole,
  id: "nova/formatting",
  pace: "session",
  trust: "public",
  build: ({ session }) =>
    session.channel?.startsWith("telegram")
      ? textContent(TELEGRAM, { kind: "bundled", name: "nova/telegram" })
      : unused({ kind: "other-channel", is: session.channel ?? "", only: ["telegram"] }),
})

const context = section({
  ...whole,
  id: "nova/context",
  pace: "turn",
  trust: "public",
  build: ({ turn }) => novaClock(turn.now, turn.timeZone),
})

const memories = section({
  ...whole,
  id: "nova/memories",
  pace: "session",
  trust: "public",
  reads: ["memories"],
  build: ({ agent, session }) =>
    memoriesContent(firstOf(agent.files, "memories"), readInput(session, memoriesInput)) ??
    whyNoMemories(agent, session),
})

/** The session determines which task it is; its progress may change with every turn. */
const task = section({
  ...whole,
  id: "nova/task",
  pace: "turn",
  trust: "public",
  reads: ["tasks"],
  build: ({ session, turn }) =>
    session.task === undefined
      ? unused({ kind: "no-fact", fact: "task" })
      : (taskContent(session.task, firstOf(session.files, "tasks"), readInput(turn, novaTasks)) ??
        whyNoField(firstOf(session.files, "tasks"), `task ${session.task}`)),
})

const background = section({
  ...whole,
  id: "nova/background",
  pace: "session",
  trust: "public",
  build: ({ agent, session }) => {
    if (session.background !== true) return unused({ kind: "no-fact", fact: "background" })
    const canNotify = agent.tools.some(({ name }) => name === NOTIFY_USER.name)
    return canNotify ? `${BACKGROUND}\n${NOTIFY}` : BACKGROUND
  },
})

/** Nova registers it for every background run. */
const NOTIFY_USER: Tool = {
  name: "notify_user",
  description: "Send the user a message during a run in the background.",
  parameters: {
    type: "object",
    properties: { message: { type: "string", description: "What the user should know." } },
    required: ["message"],
    additionalProperties: false,
  },
}

/** The layout of Nova. */
export const nova: Profile = {
  name: "nova",
  order: "declared",
  markup: novaTags,
  sealed: true,
  tools: [NOTIFY_USER],
  sections: [
    identity,
    role,
    instructions,
    responsibilities,
    directories,
    storage,
    formatting,
    context,
    memories,
    task,
    background,
  ],
}

/** Without the file, the gate says where it would be. */
function whyNoField(file: SourceFile | undefined, ...fields: readonly string[]): Unused | undefined {
  return file && unused({ kind: "no-field", path: file.path, fields })
}

function whyNoMemories({ files }: AgentView, session: SessionView): Unused | undefined {
  if (readInput(session, memoriesInput) !== undefined) return notFed(session.inputs, memoriesInput)
  const file = firstOf(files, "memories")
  return file && unused({ kind: "empty", paths: [file.path] })
}
