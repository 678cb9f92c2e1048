// Finds a program on PATH. `npx` and `npm run` put the current folder's `node_modules/.bin` first on PATH, and a PATH
// may contain "." or an empty entry. A program inside a folder that the user merely opened must never be picked.
import { accessSync, constants, statSync } from "node:fs"
import { delimiter, isAbsolute, join } from "node:path"
import { errorCode } from "../base/system-error.ts"
import { isInside } from "./inside.ts"
import { existingPathOf } from "./real-path.ts"

export interface ProgramOptions {
  readonly path: string | undefined
  /** Real path of a folder whose programs are ignored. */
  readonly notIn: string
}

/** Returns the absolute path, or undefined if no folder on PATH has the program. */
export function findProgram(name: string, { path = "", notIn }: ProgramOptions): string | undefined {
  const endings = process.platform === "win32" ? [".exe"] : [""]
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue
    for (const ending of endings) {
      const real = existingPathOf(join(folder, name + ending))
      const home = existingPathOf(folder)
      if (real === undefined || home === undefined) continue
      if (isInside(real, notIn) || isInside(home, notIn) || !isProgram(real)) continue
      return join(folder, name + ending)
    }
  }
  return undefined
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
}
