// Folders that only the user may read: created with mode 0700, and tightened if their mode is wider. A folder that
// belongs to another user is refused, because that user could put anything into it.
import { chmodSync, mkdirSync, statSync } from "node:fs"
import process from "node:process"
import { IncipitError } from "../base/error.ts"
import { unwritable } from "../base/system-error.ts"

const OWN_MODE = 0o700

/** Throws if the folder cannot be created or belongs to another user. */
export function makeOwnFolder(path: string): void {
  try {
    // Creates missing parent folders with the same mode.
    mkdirSync(path, { recursive: true, mode: OWN_MODE })
    const { uid, mode } = statSync(path)
    const user = process.getuid?.()
    if (user !== undefined && user !== 0 && uid !== user)
      throw new IncipitError("unwritable-file", `${path} belongs to another user`)
    if ((mode & 0o077) !== 0) chmodSync(path, OWN_MODE)
  } catch (error) {
    if (error instanceof IncipitError) throw error
    throw unwritable(path, error)
  }
}

/** The same for a folder in which state is kept, with what to do if the home folder cannot be written to. */
export function makeStateFolder(path: string): void {
  try {
    makeOwnFolder(path)
  } catch (error) {
    if (!(error instanceof IncipitError)) throw error
    throw new IncipitError("unwritable-state", error.message, { cause: error })
  }
}
