// What the record writes, as jobs: each with its texts, which are redacted before it is written.
import type { Database } from "../../database/sqlite/database.ts"
import { isAboutData } from "../../database/sqlite/failure.ts"
import type { RecordEvent } from "./event.ts"
import { insertEvent } from "./insert.ts"
import { jsonTexts } from "./json-texts.ts"

/** Something to write: its texts pass through the redactor first. */
export interface Job {
  readonly texts: readonly string[]
  readonly write: (database: Database, texts: readonly string[]) => void
  /** It is still useful with `UNCHECKED` for each text, if the process ends before they are redacted. */
  readonly withoutTexts?: boolean
}

export function eventJob(event: RecordEvent, isRedacted: boolean): Job {
  const error = event.error ?? ""
  // Now, since the data may change before it is written.
  const json = event.data === undefined ? "" : JSON.stringify(event.data)
  if (!isRedacted) return { texts: [], write: (database) => insertEvent(database, event, error, json) }
  const inData = json === "" ? undefined : jsonTexts(json)
  return {
    texts: [error, ...(inData?.texts ?? [])],
    write: (database, [shownError = "", ...shown]) =>
      insertEvent(database, event, error === "" ? "" : shownError, inData?.fill(shown) ?? ""),
    withoutTexts: true,
  }
}

/** Writes jobs for about `limitMs`, at least one. Returns how many were written. */
export function writeJobs(
  jobs: readonly Job[],
  texts: readonly string[],
  database: Database,
  limitMs: number,
): number {
  const start = performance.now()
  let next = 0
  for (const [at, job] of jobs.entries()) {
    if (at > 0 && performance.now() - start > limitMs) return at
    job.write(database, texts.slice(next, next + job.texts.length))
    next += job.texts.length
  }
  return jobs.length
}

/** Slower, but a job that cannot be written fails alone. Returns the failed jobs. */
export function writeEach(
  jobs: readonly Job[],
  texts: readonly string[],
  database: Database,
): readonly unknown[] {
  const failures: unknown[] = []
  let next = 0
  for (const job of jobs) {
    const own = texts.slice(next, next + job.texts.length)
    next += job.texts.length
    database.run("SAVEPOINT job")
    try {
      job.write(database, own)
    } catch (error) {
      if (!isAboutData(error)) throw error
      failures.push(error)
      database.run("ROLLBACK TO job")
    }
    database.run("RELEASE job")
  }
  return failures
}
