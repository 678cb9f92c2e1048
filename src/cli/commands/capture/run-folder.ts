// A private folder for one run of `incipit wrap`. Its name has the process in it, so that the next run can remove what a
// process left that was killed.
import { randomUUID } from "node:crypto"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { errorCode } from "../../../base/system-error.ts"
import { namesIn } from "../../../files/names-in.ts"
import { makeOwnFolder } from "../../../files/own-folder.ts"

export interface RunFolder {
  readonly path: string
  write(files: Readonly<Record<string, string>>): void
  remove(): void
}

export function makeRunFolder(runs: string): RunFolder {
  makeOwnFolder(runs)
  for (const name of namesIn(runs)) if (!isRunning(name)) removeAll(join(runs, name))
  const path = join(runs, `${process.pid}-${randomUUID()}`)
  makeOwnFolder(path)
  return {
    path,
    write(files) {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text, { mode: 0o600 })
    },
    remove: () => removeAll(path),
  }
}

function removeAll(path: string): void {
  rmSync(path, { recursive: true, force: true })
}

/** Of a name that is not ours, nothing is known. */
function isRunning(name: string): boolean {
  const pid = Number(/^(\d+)-/.exec(name)?.[1])
  if (!Number.isSafeInteger(pid) || pid <= 0) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It belongs to another user, so it is there.
    return errorCode(error) === "EPERM"
  }
}
