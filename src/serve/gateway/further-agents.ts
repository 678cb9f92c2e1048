// The agents of a workspace besides the main one: each folder below agents/.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { byCodePoint } from "../../base/order.ts"
import { errorCode } from "../../base/system-error.ts"
import { MAIN_AGENT } from "../../files/paths.ts"
import { segment } from "../../sources/workspace.ts"

/** Their ids, in order. */
export function furtherAgents(workspace: string): readonly string[] {
  try {
    const entries = readdirSync(join(workspace, "agents"), { withFileTypes: true })
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    return folders.filter((id) => segment(id) !== undefined && id !== MAIN_AGENT).toSorted(byCodePoint)
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return []
    throw error
  }
}
