// The inputs of a prompt, by how fast they change: the agent, its session and the turn.
import type { Digest } from "../../base/digest.ts"
import type { Trust } from "../../base/trust.ts"
import type { Mode } from "./mode.ts"
import type { SourceFile } from "./source.ts"

/** Whom a prompt is made for. `trust` is the effective one: the least of the person's and the situation's. */
export interface Audience {
  readonly trust: Trust
  readonly situation: string
  readonly mode: Mode
}

/** `fallback`: for a model without tool calling, the definitions are written into the prompt. */
export const TOOL_FORMATS = ["native", "fallback"] as const
export type ToolFormat = (typeof TOOL_FORMATS)[number]

/** A tool definition: the first bytes of every prefix. */
export interface Tool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** One line for the prompt's own list of tools. */
  readonly promptSnippet?: string
  /** What the prompt says about using it, while it is registered. */
  readonly promptGuidelines?: readonly string[]
  /** Who may call it; everyone if absent. */
  readonly trust?: Trust
}

/** Something that brings tools and may say how to use them, such as an MCP server. */
export interface Extension {
  readonly name: string
  readonly instructions: string
  readonly trust?: Trust
}

/** Instructions for a kind of task that the model loads when it needs them. Listed, never loaded whole. */
export interface Skill {
  readonly name: string
  readonly description: string
  /** The path of its SKILL.md as a person would write it. */
  readonly path: string
  /** The absolute path that a tool can read. */
  readonly location: string
  readonly identity: string
  readonly digest: Digest
  readonly trust: Trust
  /** Only a person starts it; the model is not told of it. */
  readonly manual?: true
  /** Of the one who talks: a shared one of the same name doesn't take its place. */
  readonly isPersonal?: true
  /** Only in these situations and modes; in all if absent. */
  readonly situations?: readonly string[]
  readonly modes?: readonly Mode[]
}

/** A file of long-term memory, as the menu lists it: what it is and what loading it costs. */
export interface MemoryFile {
  /** From the folder of memory on, such as "shared/RECENT.md". */
  readonly path: string
  readonly store: string
  readonly identity: string
  readonly trust: Trust
  readonly tokens: number
  readonly description: string
}

/** What changes only when the workspace changes. */
export interface Agent {
  readonly id: string
  readonly files: readonly SourceFile[]
  /** In order of precedence; of two with one name, the first that the audience may see counts. */
  readonly skills?: readonly Skill[]
  readonly memory?: readonly MemoryFile[]
  readonly tools: readonly Tool[]
  /** How tools reach the model; native if absent. */
  readonly toolFormat?: ToolFormat
  readonly extensions: readonly Extension[]
}

/** What is fixed for one conversation. */
export interface Session {
  readonly id: string
  readonly audience: Audience
  /** Files that belong to the person, the situation, the channel or the working directory. */
  readonly files: readonly SourceFile[]
  /** Skills that belong to the working directory. */
  readonly skills?: readonly Skill[]
  readonly person?: string
  /** What the workspace says about its user is about this person. Taken for granted where nobody is named. */
  readonly isOwner?: boolean
  readonly room?: string
  readonly channel?: string
  readonly model?: string
  readonly directory?: string
  /** Folders that it may use besides its own. */
  readonly directories?: readonly string[]
  /** What the agent is there for. */
  readonly responsibilities?: readonly Responsibility[]
  /** Facts about the machine, in the order in which they are told. */
  readonly environment?: Readonly<Record<string, string>>
  /** Where commands run, if not on the machine itself. */
  readonly sandbox?: Readonly<Record<string, string>>
  /** The identity of the task that the conversation is about. */
  readonly task?: string
  /** Nobody reads the answer as it is written. */
  readonly background?: boolean
  /** Values for sections of one's own. */
  readonly inputs?: Readonly<Record<string, unknown>>
}

export interface Responsibility {
  readonly title: string
  readonly content: string
}

/** The repository around the working directory. */
export interface GitState {
  readonly branch: string
  /** How many files differ from the last commit. */
  readonly dirty: number
  /** The last few, newest first: short hash and subject. */
  readonly commits: readonly string[]
}

/** What may change with every message. */
export interface Turn {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** An IANA name such as "Europe/Stockholm": the host's, where neither the user's file nor the environment names one. */
  readonly timeZone: string
  readonly message?: string
  readonly planMode?: boolean
  readonly git?: GitState
  /** Values for sections of one's own. */
  readonly inputs?: Readonly<Record<string, unknown>>
}

/** Inputs by name that may change with every message; a host that has them in one bag sorts them by this. */
export const TURN_INPUTS: ReadonlySet<string> = new Set([
  "message",
  "signal",
  "plan",
  "git",
  "recall",
  "tasks",
  "workflow",
  "communication",
  "bulletin",
  "remaining",
])
