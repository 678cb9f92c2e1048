// The file of the index while a memory is open. It may be deleted, replaced or damaged at any time: the documents have
// everything that is in it.
import { rmSync } from "node:fs"
import { IncipitError } from "../../base/error.ts"
import type { Database } from "../../database/sqlite/database.ts"
import { isDamaged } from "../../database/sqlite/failure.ts"
import { openDatabase } from "../../database/sqlite/open-database.ts"
import { identityAt } from "../../files/identity.ts"
import { MEMORY_MIGRATIONS, memoryTable } from "./schema.ts"

export class IndexFile {
  readonly #path: string
  #database: Database | undefined
  #identity: string | undefined
  #isClosed = false

  constructor(path: string) {
    this.#path = path
  }

  /** Runs `work` on the index. Recreates a damaged index once, since the files have everything that is in it. */
  sound<T>(work: (database: Database) => T): T {
    try {
      return work(this.#opened())
    } catch (error) {
      if (!isDamaged(error)) throw error
      this.close()
      for (const end of ["", "-wal", "-shm"]) rmSync(this.#path + end, { force: true })
      return work(this.#opened())
    }
  }

  /** Whether work on this database still counts. */
  isOpen(database: Database): boolean {
    return !this.#isClosed && this.#database === database
  }

  /** From now on, nothing begins; what is under way may end. */
  refuse(): void {
    this.#isClosed = true
  }

  close(): void {
    this.#database?.close()
    this.#database = undefined
  }

  /** The file may have been deleted or replaced by another process since it was opened. */
  #opened(): Database {
    if (this.#isClosed) throw new IncipitError("unusable-database", `${this.#path} was closed`)
    if (this.#database !== undefined && identityAt(this.#path) === this.#identity) return this.#database
    this.close()
    this.#database = openDatabase(this.#path, { migrations: MEMORY_MIGRATIONS, also: memoryTable })
    this.#database.run("PRAGMA secure_delete = ON")
    this.#identity = identityAt(this.#path)
    return this.#database
  }
}
