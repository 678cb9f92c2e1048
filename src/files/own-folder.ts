// Folders for what only the user may read: made with mode 0700, and tightened where they are wider. One that belongs to
// somebody else is not used: they could put anything into it.
import { chmodSync, mkdirSync, statSync } from "node:fs"
import process from "node:process"
import { IncipitError } from "../base/error.ts"
import { unwritable } from "../base/system-error.ts"

const OWN_MODE = 0o700

/** Throws if it cannot be made, or is another user's. */
export function makeOwnFolder(path: string): void {
  try {
    // Folders above it that are not there yet are made with the same mode.
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
