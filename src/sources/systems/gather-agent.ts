// Gathers what changes only when the workspace changes: its files, rules, skills and memory. Only reads; who may see
// what is decided later.

import type { Agent, Extension, MemoryFile, Tool, ToolFormat } from "../../core/model/inputs.ts"
import type { AbsentFile } from "../../core/model/source.ts"
import { gatherMemory } from "../memory-files.ts"
import type { Gathered, Workspace } from "../workspace.ts"
import { incipitSystem } from "./incipit-system.ts"
import type { System } from "./system.ts"

/** What a program adds to an agent's files: tools, extensions, the system whose files are read. */
export interface Registered {
  readonly tools?: readonly Tool[]
  readonly extensions?: readonly Extension[]
  readonly toolFormat?: ToolFormat
  /** Whose files to read. Default: Incipit's own. */
  readonly system?: System
  /**
   * Real paths of folders outside the workspace that the user has approved. A running agent's prompt names no others.
   */
  readonly approved?: ReadonlySet<string>
  /** The files of long-term memory, for a system whose prompt lists them. Default: those of the workspace. */
  readonly memory?: Gathered<readonly MemoryFile[]>
}

export const NO_MEMORY: Gathered<readonly MemoryFile[]> = { value: [], diagnostics: [] }

/** Reads the agent of a workspace: its files and skills, with the tools that you register. */
export function gatherAgent(workspace: Workspace, registered: Registered = {}): Gathered<Agent> {
  const { tools = [], extensions = [], toolFormat, system = incipitSystem, approved } = registered
  const { value, diagnostics } = system.agent(workspace, approved)
  const memory = system.listsMemory ? (registered.memory ?? gatherMemory(workspace)) : NO_MEMORY
  const noMemory: readonly AbsentFile[] =
    system.listsMemory && memory.value.length === 0
      ? ["MEMORY.md", "memory/*/*.md"].map((path) => ({ role: "memory", path }))
      : []
  return {
    value: {
      ...{ id: workspace.id, ...value, memory: memory.value, tools, extensions },
      absent: [...(value.absent ?? []), ...noMemory],
      ...(toolFormat && { toolFormat }),
    },
    diagnostics: [...workspace.diagnostics, ...diagnostics, ...memory.diagnostics],
  }
}
