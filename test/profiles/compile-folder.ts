// Compiles what a system would send from a folder and a home folder, for tests of profiles.
import type { Diagnostic } from "../../src/base/diagnostic.ts"
import { createCompiler } from "../../src/core/compile/compiler.ts"
import type { Budget } from "../../src/core/fit/budget.ts"
import type { Edit } from "../../src/core/model/edit.ts"
import type { Agent, Extension, Session, Tool, ToolFormat, Turn } from "../../src/core/model/inputs.ts"
import type { Profile } from "../../src/core/model/profile.ts"
import type { Prompt } from "../../src/core/model/prompt.ts"
import { noFiles } from "../../src/sources/context/no-files.ts"
import { gatherAgent } from "../../src/sources/systems/gather-agent.ts"
import { gatherSession, type SessionOptions } from "../../src/sources/systems/gather-session.ts"
import type { System } from "../../src/sources/systems/system.ts"
import { openWorkspace } from "../../src/sources/workspace.ts"
import { o200k } from "../../src/tokens/o200k.ts"

export interface FolderOptions {
  readonly profile: Profile
  readonly system: System
  readonly root: string
  readonly home?: string
  /** Another agent, in `agents/<id>`. */
  readonly agent?: string
  readonly tools?: readonly Tool[]
  readonly extensions?: readonly Extension[]
  readonly toolFormat?: ToolFormat
  readonly session?: SessionOptions
  /** What the commands of the session run in, as far as it was set up. */
  readonly sandbox?: Session["sandbox"]
  readonly turn?: Partial<Turn>
  readonly budget?: Budget
  readonly conversationTokens?: number
  readonly edits?: readonly Edit[]
}

/** What is gathered from a folder: everything that a profile gets. */
export interface FolderInput {
  readonly agent: Agent
  readonly session: Session
  readonly turn: Turn
  readonly diagnostics: readonly Diagnostic[]
}

export function compileFolder(options: FolderOptions): Prompt {
  const { profile, budget, edits } = options
  const { agent, session, turn, diagnostics } = gatherFolder(options)
  const head = createCompiler({ profile, counter: o200k }).head(agent, session, {
    diagnostics,
    ...(budget && { budget }),
  })
  return head.step(turn, {
    ...(options.conversationTokens !== undefined && { conversationTokens: options.conversationTokens }),
    ...(edits && { edits }),
  })
}

export function gatherFolder(options: Omit<FolderOptions, "profile">): FolderInput {
  const { system, root, home, agent, tools, extensions, toolFormat } = options
  const workspace = openWorkspace(root, {
    homes: system.homes,
    ...(home !== undefined && { home }),
    ...(agent !== undefined && { agent }),
  })
  const gathered = gatherAgent(workspace, {
    system,
    ...(tools && { tools }),
    ...(extensions && { extensions }),
    ...(toolFormat && { toolFormat }),
  })
  const session = gatherSession(workspace, { system, known: gathered.value.files, ...options.session })
  const turn = { id: "turn-1", now: Date.UTC(2026, 2, 7, 14, 55, 5), timeZone: "UTC", ...options.turn }
  const { sandbox } = options
  const values = { agent: gathered.value, session: { ...session.value, ...(sandbox && { sandbox }) } }
  const diagnostics = [
    ...gathered.diagnostics,
    ...session.diagnostics,
    ...noFiles(workspace, { ...values, system }),
  ]
  return { ...values, turn, diagnostics }
}
