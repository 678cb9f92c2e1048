// Incipit's own system: its places for files, used where no profile brings another system.
import { INCIPIT_FOLDER } from "../../files/paths.ts"
import { incipitAgent } from "./incipit-agent.ts"
import { incipitSession } from "./incipit-session.ts"
import type { System } from "./system.ts"

/** Where Incipit's own workspaces keep their files. */
export const incipitSystem: System = {
  homes: [INCIPIT_FOLDER],
  listsMemory: true,
  agent: incipitAgent,
  session: incipitSession,
}
