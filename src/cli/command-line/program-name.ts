// How the program is called on this machine: `incipit` if a shell finds it, else by way of npm in lines that people copy, and
// by its path in what other programs start.
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import process from "node:process"
import { packageFile } from "../../files/package-file.ts"
import type { Terminal } from "../terminal.ts"

const NAMES = ["incipit", "incipit.cmd"]
/** Folders that npm adds to the path of what it starts, and that the user's own shell does not have. */
const OF_NPM = /[\\/]node_modules[\\/]\.bin[\\/]?$/

export function programName({ env }: Pick<Terminal, "env">): string {
  return isOnPath({ env }) ? "incipit" : "npx incipit"
}

/** The same for a program that starts it without a shell, from any folder: a command and its first arguments. */
export function programCommand({ env }: Pick<Terminal, "env">): readonly string[] {
  // On Windows, npm puts a .cmd file on the path, and only a shell runs one.
  const isFound = process.platform !== "win32" && isOnPath({ env })
  return isFound ? ["incipit"] : [process.execPath, packageFile("bin/incipit.js")]
}

function isOnPath({ env }: Pick<Terminal, "env">): boolean {
  const folders = (env.PATH ?? env.Path ?? "").split(delimiter)
  return folders.some(
    (folder) => folder !== "" && !OF_NPM.test(folder) && NAMES.some((name) => existsSync(join(folder, name))),
  )
}
