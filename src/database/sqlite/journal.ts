// Checks the rollback journal next to a database file. A journal that ends with the name of another file belongs to a
// transaction over several databases, and SQLite deletes the named file after rolling back. Our transactions cover one
// file, so a journal with a name in it was planted.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"
import { IncipitError } from "../../base/error.ts"
import { errorCode } from "../../base/system-error.ts"

/** The last eight bytes of such a journal: https://sqlite.org/fileformat2.html#the_rollback_journal */
const MAGIC = Buffer.from("d9d505f920a163d7", "hex")

export function refuseNamedJournal(path: string): void {
  const journal = `${path}-journal`
  if (lastBytes(journal).equals(MAGIC))
    throw new IncipitError("unusable-database", `cannot open ${path}: ${journal} names another file`)
}

function lastBytes(path: string): Buffer {
  let file: number | undefined
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const { size } = fstatSync(file)
    const bytes = Buffer.alloc(MAGIC.length)
    if (size >= bytes.length) readSync(file, bytes, 0, bytes.length, size - bytes.length)
    return bytes
  } catch (error) {
    // There is no journal, or SQLite cannot read it either.
    if (errorCode(error) === undefined) throw error
    return Buffer.alloc(0)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
