// Reads our own records: calls that were captured, and those of our own agent in any workspace.
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { IncipitError } from "../../base/error.ts"
import { systemReason } from "../../base/system-error.ts"
import type { RecordStore } from "../../database/contract/record/record-store.ts"
import { type PrivateCopy, privateCopy } from "../../database/sqlite/foreign-copy.ts"
import { checkRecordFile, openRecordFile } from "../../database/sqlite/record/open-record.ts"
import { namesIn } from "../../files/names-in.ts"
import { stateFiles, stateHome } from "../../files/paths.ts"
import { findReceipt, type Receipt, replayOf, reportOf } from "../../record/ask/replay.ts"
import type { StoredEvent } from "../../record/write/event.ts"
import { isObject, type JsonObject } from "../../record/write/request-marks.ts"
import { storedEvent } from "../../record/write/stored-event.ts"
import type { CalledUsage, CapturedCall, Coverage, SeenFile } from "../call.ts"
import { factsFrom, usageFrom } from "../keep/call-event.ts"
import { formatOf } from "../split/own-format.ts"
import { captureFile } from "./client-files.ts"
import type { CaptureFile, CaptureReader, Place, Read } from "./reader.ts"

export const INCIPIT_RECORD: CaptureReader = {
  client: "incipit",
  title: "Incipit",
  folders: ({ home, variables }) => [stateHome({ home, env: variables })],
  files: async (folder) => recordsIn(folder),
  usage: (file, from = 0) => reading(file, from, async (_store, event) => usageFrom(event)),
  calls: (file) => reading(file, 0, callFrom),
}

/**
 * The same for a folder that somebody names. It may have come from elsewhere: its records are read from private copies,
 * because opening one would write files beside it, and links lead nowhere.
 */
export const NAMED_RECORD: CaptureReader = {
  ...INCIPIT_RECORD,
  usage: (file, from = 0) => reading(file, from, async (_store, event) => usageFrom(event), asCopy),
  calls: (file) => reading(file, 0, callFrom, asCopy),
}

/**
 * The same for calls that are kept after a place, and of which these are wanted. Of each conversation that goes on, the
 * last call before is read as well, because a miss is found by comparing.
 */
export function recordAfter(after: Place, isWanted: (id: string) => boolean): CaptureReader {
  const wanted = async <T extends CalledUsage>(call: Promise<T | undefined>) => {
    const found = await call
    return found !== undefined && isWanted(found.id) ? found : undefined
  }
  return {
    ...INCIPIT_RECORD,
    usage: (file, from = after) =>
      reading(file, from, (_store, event) => wanted(Promise.resolve(usageFrom(event)))),
    async *calls(file) {
      const last = await lastBefore(file, after)
      if (last.size > 0)
        yield* reading(file, Math.min(...last) - 1, async (store, event) =>
          last.has(event.id) ? callFrom(store, event) : undefined,
        )
      yield* reading(file, after, (store, event) => wanted(callFrom(store, event)))
    },
  }
}

/** Numbers of the last events of conversations before a place, of those that go on after it. */
async function lastBefore(file: CaptureFile, place: Place): Promise<ReadonlySet<number>> {
  const last = new Map<string, number>()
  const on = new Set<string>()
  const looking = reading(file, 0, async (_store, { id, session = "" }) => {
    if (id <= place) last.set(session, id)
    else on.add(session)
    return undefined
  })
  for await (const _read of looking);
  return new Set([...on].flatMap((session) => last.get(session) ?? []))
}

/** The record of each workspace, and the one of captured calls; also a folder with a record of its own, or a record. */
function recordsIn(folder: string): readonly CaptureFile[] {
  if (stateFiles(dirname(folder)).record === folder) return recordAt(folder)
  const folders = [folder, ...namesIn(folder).map((name) => join(folder, name))]
  return folders.flatMap((one) => recordAt(stateFiles(one).record))
}

/** What was written last may still be in the log beside it. */
function recordAt(path: string): readonly CaptureFile[] {
  const file = captureFile(path, "incipit")
  if (file === undefined) return []
  const { changedAt = 0 } = captureFile(`${path}-wal`, "incipit") ?? {}
  return [{ ...file, changedAt: Math.max(file.changedAt, changedAt) }]
}

const PAGE = 500

type Opening = (path: string) => PrivateCopy

const inPlace: Opening = (path) => ({ path, remove: () => {} })
const asCopy: Opening = (path) => privateCopy(path, tmpdir())

/** The place is the number of the last event. */
async function* reading<T extends CalledUsage>(
  { path }: CaptureFile,
  from: number,
  read: (store: RecordStore, event: StoredEvent) => Promise<T | undefined>,
  opening = inPlace,
): AsyncGenerator<Read<T>> {
  let opened: PrivateCopy | undefined
  let store: RecordStore | undefined
  try {
    opened = opening(path)
    await checkRecordFile(opened.path)
    store = openRecordFile(opened.path, { readOnly: true })
    for (let after = from; ; ) {
      const range = { after, upTo: Number.MAX_SAFE_INTEGER, limit: PAGE }
      const rows = await store.events.written({ types: ["api_call"] }, range)
      for (const row of rows) {
        after = row.id
        const call = await read(store, storedEvent(row))
        if (call !== undefined) yield { kind: "call", call, after }
      }
      if (rows.length < PAGE) return
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const why = reasonFor(error).replaceAll(opened?.path ?? path, path)
    yield { kind: "note", diagnostic: { code: "capture-unreadable", path, why } }
  } finally {
    await store?.close()
    opened?.remove()
  }
}

function reasonFor(error: Error): string {
  return error instanceof IncipitError && error.cause !== undefined
    ? systemReason(error.cause)
    : error.message
}

async function callFrom(store: RecordStore, event: StoredEvent): Promise<CapturedCall | undefined> {
  const used = usageFrom(event)
  if (used === undefined) return undefined
  const receipt = await findReceipt(store, event.turn ?? "", event.step)
  const sent = receipt && (await requestOf(store, receipt))
  const facts = factsFrom(event)
  const coverage = facts?.coverage ?? (sent === undefined ? "none" : "exact")
  const isKnown = sent !== undefined && coverage !== "none"
  return {
    ...used,
    ...(facts?.version !== undefined && { version: facts.version }),
    thread: facts?.thread ?? used.session,
    format: facts?.format ?? formatOf(sent?.request ?? {}),
    coverage: isKnown ? coverageOf(coverage, sent.isWhole) : "none",
    ...(isKnown && { request: sent.request }),
    files: isKnown ? sent.files : [],
  }
}

/** A text that is damaged was part of the request. */
function coverageOf(coverage: Coverage, isWhole: boolean): Coverage {
  return isWhole ? coverage : "partial"
}

interface Sent {
  readonly request: JsonObject
  readonly isWhole: boolean
  readonly files: readonly SeenFile[]
}

async function requestOf(store: RecordStore, receipt: Receipt): Promise<Sent | undefined> {
  const { request, damaged } = await replayOf(store, receipt)
  if (!isObject(request)) return undefined
  const files: unknown = (await reportOf(store, receipt))?.plan.about?.files
  return {
    request,
    isWhole: damaged.length === 0,
    files: Array.isArray(files) ? files.flatMap(fileFrom) : [],
  }
}

function fileFrom(value: unknown): readonly SeenFile[] {
  if (typeof value !== "object" || value === null || !("path" in value) || !("text" in value)) return []
  const { path, text } = value
  return typeof path === "string" && typeof text === "string" ? [{ path, text }] : []
}
