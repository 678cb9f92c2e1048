// Stands in for the workspace of an agent that has none: no configuration, and no files.
import { homedir } from "node:os"
import process from "node:process"
import { MAIN_AGENT, stateFolders } from "../files/paths.ts"
import { existingPathOf } from "../files/real-path.ts"
import { newReadCache, type Workspace, type WorkspaceOptions } from "./workspace.ts"

/** `directory`: the working directory, for code that needs a path. Nothing in it describes the agent. */
export function emptyWorkspace(
  directory: string,
  { home, state, env = process.env }: Pick<WorkspaceOptions, "home" | "state" | "env"> = {},
): Workspace {
  return {
    root: directory,
    folder: directory,
    isFolder: false,
    home: home === undefined ? undefined : existingPathOf(home),
    homes: [],
    state: stateFolders({ state, home: home ?? homedir(), env }),
    id: MAIN_AGENT,
    revision: 1,
    config: {},
    lines: new Map(),
    cache: newReadCache(),
    diagnostics: [],
  }
}
