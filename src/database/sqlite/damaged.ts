// Moves a damaged file aside, with its log, so that another can begin. Nothing is ever deleted. Several processes may
// find the same damage at once: only the file that was found damaged is moved, never the one that replaced it.
import { existsSync, linkSync, renameSync, statSync, unlinkSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { isDamaged } from "./failure.ts"

/** Where it went; nothing if the file that is there now is sound, or none is. */
export function moveAside(path: string): string | undefined {
  const found = inodeOf(path)
  if (found === undefined || !isDamagedFile(path) || inodeOf(path) !== found) return undefined
  const aside = freeName(path)
  // The log goes first: beside a new file, it would be taken for that file's own.
  for (const end of ["-wal", "-shm"]) if (existsSync(path + end)) renameSync(path + end, aside + end)
  renameSync(path, aside)
  if (inodeOf(aside) === found) return aside
  // Another process was faster, and this is its new file.
  putBack(aside, path)
  return undefined
}

/** What SQLite says when it looks at the whole file, which a single failure may not have been about. */
function isDamagedFile(path: string): boolean {
  let driver: DatabaseSync | undefined
  try {
    // For reading: whoever may write also tidies up the log, in which there may still be something.
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

/** Files that were moved aside, oldest first. */
export function asideNames(path: string): readonly string[] {
  const names: string[] = []
  while (existsSync(`${path}.damaged-${names.length + 1}`)) names.push(`${path}.damaged-${names.length + 1}`)
  return names
}

function putBack(aside: string, path: string): void {
  for (const end of ["", "-wal", "-shm"])
    if (existsSync(aside + end) && !existsSync(path + end)) {
      // A link fails where a rename would replace what came meanwhile.
      linkSync(aside + end, path + end)
      unlinkSync(aside + end)
    }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}
