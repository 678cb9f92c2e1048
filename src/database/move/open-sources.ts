// Opens the files of a state folder for a move, so that nobody else has them meanwhile.
import { existsSync, statSync } from "node:fs"
import { hostname } from "node:os"
import { dirname } from "node:path"
import { IncipitError } from "../../base/error.ts"
import { requireRealPath } from "../../files/real-path.ts"
import type { Database } from "../sqlite/database.ts"
import { isBusy } from "../sqlite/failure.ts"
import { openDatabase } from "../sqlite/open-database.ts"
import type { MovePart } from "./move-part.ts"
import type { SourceIdentity } from "./progress.ts"

export interface Source {
  readonly part: MovePart
  readonly database: Database
}

export interface Sources {
  readonly all: readonly Source[]
  readonly identity: SourceIdentity
  /** Undoes what was done in the files. */
  close(): void
}

/** Each of a few attempts waits this long. */
const WAIT_MS = 50

/** The files that exist. Throws if there are none, or if another process has one open. */
export function openSources(files: readonly (readonly [path: string, part: MovePart])[]): Sources {
  const found = files.filter(([path]) => existsSync(path))
  const [first] = found
  if (first === undefined) throw new IncipitError("no-state", "there are no conversations in files to move")
  const all: Source[] = []
  const close = () => {
    for (const { database } of all) database.close()
  }
  try {
    for (const [path, part] of found) all.push({ part, database: openAlone(path, part) })
    for (const { part, database } of all) part.complete?.(database)
    const place = `${hostname()}:${requireRealPath(dirname(first[0]))}`
    return { all, identity: { place, version: found.map(([path]) => versionOf(path)).join(", ") }, close }
  } catch (error) {
    close()
    throw error
  }
}

function openAlone(path: string, { migrations }: MovePart): Database {
  try {
    return openDatabase(path, { migrations, alone: true, wait: WAIT_MS })
  } catch (error) {
    if (!isBusy(error)) throw error
    throw new IncipitError("files-in-use", `another process has ${path} open`, { cause: error })
  }
}

/** Once a file is open alone, all that was written to it is in it, and nothing that a move does changes it. */
function versionOf(path: string): string {
  const { size, mtimeNs } = statSync(path, { bigint: true })
  return `${size}@${mtimeNs}`
}
