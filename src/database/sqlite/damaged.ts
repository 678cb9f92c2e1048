// Moves a damaged database file aside, with its write-ahead log, so that a new one can be created. Never deletes
// anything. Several processes may find the same damage at once: only the damaged file is moved, never its replacement.
import { existsSync, linkSync, renameSync, unlinkSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { identityAt } from "../../files/identity.ts"
import { isDamaged } from "./failure.ts"

/** Returns the new path, or undefined if the current file is sound or missing. */
export function moveAside(path: string): string | undefined {
  const found = identityAt(path)
  if (found === undefined || !isDamagedFile(path) || identityAt(path) !== found) return undefined
  const aside = freeName(path)
  // Move the log first: next to a new file, SQLite would take it for that file's log.
  for (const end of ["-wal", "-shm"]) if (existsSync(path + end)) renameSync(path + end, aside + end)
  renameSync(path, aside)
  if (identityAt(aside) === found) return aside
  // Another process was faster, and this is its new file.
  putBack(aside, path)
  return undefined
}

/** Runs SQLite's check of the whole file; a single failure may have had another cause. */
function isDamagedFile(path: string): boolean {
  let driver: DatabaseSync | undefined
  try {
    // Open read-only: a writer also cleans up the log, which may still hold data.
    driver = new DatabaseSync(path, { readOnly: true })
    driver.exec("PRAGMA busy_timeout = 5000")
    const [first] = driver.prepare("PRAGMA quick_check(1)").all()
    return first?.quick_check !== "ok"
  } catch (error) {
    return isDamaged(error)
  } finally {
    if (driver?.isOpen) driver.close()
  }
}

function freeName(path: string): string {
  return `${path}.damaged-${asideNames(path).length + 1}`
}

/** Files moved aside, oldest first. */
export function asideNames(path: string): readonly string[] {
  const names: string[] = []
  while (existsSync(`${path}.damaged-${names.length + 1}`)) names.push(`${path}.damaged-${names.length + 1}`)
  return names
}

function putBack(aside: string, path: string): void {
  for (const end of ["", "-wal", "-shm"])
    if (existsSync(aside + end) && !existsSync(path + end)) {
      // `link` fails if a file was created in the meantime; `rename` would replace it.
      linkSync(aside + end, path + end)
      unlinkSync(aside + end)
    }
}
