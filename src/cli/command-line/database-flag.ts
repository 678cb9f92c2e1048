// The database that a command uses: the flag, else the variable, else incipit.yaml.
import { openWorkspace } from "../../sources/workspace.ts"
import { chosenDatabase } from "../../workspace/chosen-database.ts"
import type { Terminal } from "../terminal.ts"
import { homeFolder, type MachineFlags, withVariables, workspaceFolder } from "./variables.ts"

/** Returns undefined if the state is in files. */
export function databaseOf(flags: MachineFlags, terminal: Terminal): string | undefined {
  // Without reading the folder, if it is not asked: what it says may be wrong, and somebody wants to know that.
  const { database: given } = withVariables(flags, terminal)
  if (given !== undefined) return given
  const workspace = openWorkspace(workspaceFolder(flags, terminal))
  return chosenDatabase({ given, env: terminal.env, workspace, home: homeFolder(flags, terminal) })
}
