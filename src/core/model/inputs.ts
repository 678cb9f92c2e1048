// The inputs of a prompt, by how fast they change: the agent, its session and the turn.
import type { Digest } from "../../base/digest.ts"
import type { Trust } from "../../base/trust.ts"
import type { Mode } from "./mode.ts"
import type { GivenInputs } from "./section-input.ts"
import type { AbsentFile, SourceFile } from "./source.ts"

/** Who a prompt is made for. `trust` is the effective one: the lower of the person's and the situation's. */
export interface Audience {
  readonly trust: Trust
  readonly situation: string
  readonly mode: Mode
}

/** `fallback`: for a model without tool calling; the definitions are written into the prompt. */
export const TOOL_FORMATS = ["native", "fallback"] as const
/** How tools are called: by the provider's own way, or in the text. */
export type ToolFormat = (typeof TOOL_FORMATS)[number]

/** How much a model thinks before it answers. Providers name it differently; the AI SDK translates these. */
export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const
/** How much a model thinks before it answers. */
export type Effort = (typeof EFFORTS)[number]

/** A tool definition: the first bytes of every prefix. */
export interface Tool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. To change it, replace it: changes inside it are not noticed. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** One line for the list of tools in the prompt. */
  readonly promptSnippet?: string
  /** Advice on using it, which the prompt contains while the tool is registered. */
  readonly promptGuidelines?: readonly string[]
  /** Who may call it; everyone if absent. */
  readonly trust?: Trust
  /** It changes nothing, so it may run in plan mode. Other tools are refused there. */
  readonly isReadOnly?: boolean
  /** Running it twice has the same effect as running it once, so it may be repeated after a crash. */
  readonly isRepeatable?: boolean
}

/** A provider of tools that may come with instructions, such as an MCP server. */
export interface Extension {
  readonly name: string
  readonly instructions: string
  readonly trust?: Trust
}

/** Instructions for a kind of task, which the model loads when it needs them. Only listed in the prompt. */
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
  /** Only a person can start it; the model doesn't see it. */
  readonly manual?: true
  /** Belongs to the person in the conversation. A shared skill of the same name doesn't replace it. */
  readonly isPersonal?: true
  /** Only in these situations and modes; in all if absent. */
  readonly situations?: readonly string[]
  readonly modes?: readonly Mode[]
}

/** A file of long-term memory as the menu lists it: what it is, and what loading it costs. */
export interface MemoryFile {
  /** Relative to the memory folder, such as "shared/RECENT.md". */
  readonly path: string
  readonly store: string
  readonly identity: string
  readonly trust: Trust
  readonly tokens: number
  readonly description: string
}

/** Inputs that change only with the workspace. */
export interface Agent {
  readonly id: string
  readonly files: readonly SourceFile[]
  /** In order of precedence. Of two with the same name, the first that the audience may see wins. */
  readonly skills?: readonly Skill[]
  readonly memory?: readonly MemoryFile[]
  readonly tools: readonly Tool[]
  /** How tools reach the model; native if absent. */
  readonly toolFormat?: ToolFormat
  readonly extensions: readonly Extension[]
  /** Files that were looked for and not found, for the reasons in the plan. No section sees them. */
  readonly absent?: readonly AbsentFile[]
}

/** Inputs that are fixed for one conversation. */
export interface Session {
  readonly id: string
  readonly audience: Audience
  /** Files that belong to the person, the situation, the channel or the working directory. */
  readonly files: readonly SourceFile[]
  /** Skills that belong to the working directory. */
  readonly skills?: readonly Skill[]
  readonly person?: string
  /** Whether the workspace's text about its user is about this person. Assumed if no person is named. */
  readonly isOwner?: boolean
  readonly room?: string
  readonly channel?: string
  readonly model?: string
  readonly directory?: string
  /** Folders that it may use in addition to `directory`. */
  readonly directories?: readonly string[]
  /** What the agent is responsible for. */
  readonly responsibilities?: readonly Responsibility[]
  /** Facts about the machine, in the order in which the prompt lists them. */
  readonly environment?: Readonly<Record<string, string>>
  /** Where commands run, if not on the machine itself. */
  readonly sandbox?: Readonly<Record<string, string>>
  /** The identity of the task that the conversation is about. */
  readonly task?: string
  /** Nobody reads the answer while it is being written. */
  readonly background?: boolean
  /** Values for sections, by name: see `section-input.ts`. */
  readonly inputs?: GivenInputs<"session">
  /** Files that were looked for and not found, for the reasons in the plan. No section sees them. */
  readonly absent?: readonly AbsentFile[]
}

/** One responsibility of an agent, with its instructions. */
export interface Responsibility {
  readonly title: string
  readonly content: string
}

/** The repository around the working directory. */
export interface GitState {
  readonly branch: string
  /** The number of files that differ from the last commit. */
  readonly dirty: number
  /** The last few, newest first: short hash and subject. */
  readonly commits: readonly string[]
}

/** Inputs that may change with every message. */
export interface Turn {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** An IANA name such as "Europe/Stockholm". The host's zone, unless the user's file or the environment names one. */
  readonly timeZone: string
  readonly message?: string
  readonly planMode?: boolean
  readonly git?: GitState
  /** Values for sections, by name: see `section-input.ts`. */
  readonly inputs?: GivenInputs<"turn">
}
