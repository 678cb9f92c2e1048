// What the record writes, as jobs: each with its texts, which are redacted before it is written.
import type { RecordEntry } from "../../database/contract/record/batch.ts"
import type { NodeName } from "../../database/contract/record/receipts.ts"
import type { RecordStore } from "../../database/contract/record/record-store.ts"
import type { RecordEvent } from "./event.ts"
import { eventRow } from "./event-row.ts"
import { jsonTexts } from "./json-texts.ts"

/** Something to write: its texts pass through the redactor first. */
export interface Job {
  readonly texts: readonly string[]
  /** What is written, given the redacted texts. If it throws, only this job is lost. */
  readonly entry: (texts: readonly string[]) => RecordEntry
  /** What it has to look up in the record first, if anything. */
  readonly ask?: ((store: RecordStore) => Promise<void>) | undefined
  /** Called with the nodes of a receipt's conversation once it is written. */
  readonly written?: (nodes: readonly NodeName[]) => void
  /** It is still useful with `UNCHECKED` for each text, if the process ends before they are redacted. */
  readonly withoutTexts?: boolean
}

export function eventJob(event: RecordEvent, isRedacted: boolean): Job {
  const error = event.error ?? ""
  // Now, since the data may change before it is written.
  const json = event.data === undefined ? "" : JSON.stringify(event.data)
  if (!isRedacted) return { texts: [], entry: () => eventEntry(event, error, json) }
  const inData = json === "" ? undefined : jsonTexts(json)
  return {
    texts: [error, ...(inData?.texts ?? [])],
    entry: ([shownError = "", ...shown]) =>
      eventEntry(event, error === "" ? "" : shownError, inData?.fill(shown) ?? ""),
    withoutTexts: true,
  }
}

export function eventEntry(event: RecordEvent, error: string, metadata: string): RecordEntry {
  return { kind: "event", row: eventRow(event, error, metadata) }
}
