// Compiles what a system would send from a folder and a home folder, for the tests of profiles.

import type { Budget } from "../../src/core/budget.ts"
import { createCompiler } from "../../src/core/compiler.ts"
import type { Edit } from "../../src/core/edit.ts"
import type { Profile } from "../../src/core/profile.ts"
import type { Prompt } from "../../src/core/prompt.ts"
import type { Extension, Tool, ToolFormat, Turn } from "../../src/core/scope.ts"
import { gatherAgent } from "../../src/sources/gather-agent.ts"
import { gatherSession, type SessionOptions } from "../../src/sources/gather-session.ts"
import type { System } from "../../src/sources/system.ts"
import { openWorkspace } from "../../src/sources/workspace.ts"
import { o200k } from "../../src/tokens/o200k.ts"

export interface FolderOptions {
  readonly profile: Profile
  readonly system: System
  readonly root: string
  readonly home?: string
  /** A further agent, in `agents/<id>`. */
  readonly agent?: string
  readonly tools?: readonly Tool[]
  readonly extensions?: readonly Extension[]
  readonly toolFormat?: ToolFormat
  readonly session?: SessionOptions
  readonly turn?: Partial<Turn>
  readonly budget?: Budget
  readonly conversationTokens?: number
  readonly edits?: readonly Edit[]
}

export function compileFolder(options: FolderOptions): Prompt {
  const { profile, system, root, home, agent, tools, extensions, toolFormat, budget, edits } = options
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
  const head = createCompiler({ profile, counter: o200k }).head(gathered.value, session.value, {
    diagnostics: [...gathered.diagnostics, ...session.diagnostics],
    ...(budget && { budget }),
  })
  const turn = { id: "turn-1", now: Date.UTC(2026, 2, 7, 14, 55, 5), timeZone: "UTC", ...options.turn }
  return head.step(turn, {
    ...(options.conversationTokens !== undefined && { conversationTokens: options.conversationTokens }),
    ...(edits && { edits }),
  })
}
