// Gathers what changes only when the workspace changes: its files, rules, skills and memory. Only reads; who may see
// what is decided later.
import type { Agent, Extension, Tool, ToolFormat } from "../../core/model/scope.ts"
import type { Gathered, Workspace } from "../workspace.ts"
import { incipitSystem } from "./incipit-system.ts"
import type { System } from "./system.ts"

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
}

export function gatherAgent(workspace: Workspace, registered: Registered = {}): Gathered<Agent> {
  const { tools = [], extensions = [], toolFormat, system = incipitSystem, approved } = registered
  const { value, diagnostics } = system.agent(workspace, approved)
  return {
    value: { id: workspace.id, ...value, tools, extensions, ...(toolFormat && { toolFormat }) },
    diagnostics: [...workspace.diagnostics, ...diagnostics],
  }
}
