// How the program is called on this machine, for lines that people copy: `incipit` if their shell finds it, else by way
// of npm.
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import type { Terminal } from "../terminal.ts"

const NAMES = ["incipit", "incipit.cmd"]
/** Folders that npm adds to the path of what it starts, and that the user's own shell does not have. */
const OF_NPM = /[\\/]node_modules[\\/]\.bin[\\/]?$/

export function programName(terminal: Pick<Terminal, "env">): string {
  return isOnPath(terminal) ? "incipit" : "npx incipit"
}

/** Whether the user's own shell finds it. */
export function isOnPath({ env }: Pick<Terminal, "env">): boolean {
  const folders = (env.PATH ?? env.Path ?? "").split(delimiter)
  return folders.some(
    (folder) => folder !== "" && !OF_NPM.test(folder) && NAMES.some((name) => existsSync(join(folder, name))),
  )
}
