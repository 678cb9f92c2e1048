// Jobs on their way from the queue into the store.
import type { RecordEntry } from "../../database/contract/record/batch.ts"
import type { Job } from "./record-jobs.ts"

/** A job with its texts redacted, and what will be written once it is computed. */
export interface InHand {
  readonly job: Job
  readonly texts: readonly string[]
  entry?: RecordEntry
}

/** `texts`: those of all jobs, in order. */
export function withTexts(jobs: readonly Job[], texts: readonly string[]): readonly InHand[] {
  let next = 0
  return jobs.map((job) => {
    const from = next
    next += job.texts.length
    return { job, texts: texts.slice(from, next) }
  })
}

/** Computes what will be written; throws if the job cannot be written. */
export function isPrepared(item: InHand): boolean {
  item.entry = item.job.entry(item.texts)
  return true
}
