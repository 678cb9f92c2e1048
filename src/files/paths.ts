// Every name that Incipit itself gives to files: the folder in a workspace that is its own, and what is in it.
// Nothing here opens a file; whoever needs one of these paths gets it from here.
import { join } from "node:path"

/** The folder of a workspace, and of the home folder, that belongs to Incipit. */
export const INCIPIT_FOLDER = ".incipit"

/** The base that a workspace or the user brings in place of the bundled one, and what follows it. */
export const SYSTEM_FILE = `${INCIPIT_FOLDER}/SYSTEM.md`
export const APPEND_SYSTEM_FILE = `${INCIPIT_FOLDER}/APPEND_SYSTEM.md`

/** What a user approved: in the home folder, where no workspace can write it. */
export function approvalsFile(home: string): string {
  return join(home, INCIPIT_FOLDER, "approvals.db")
}
