// Reads the sessions of OpenClaw, whose entries are those of pi: from the database of each agent, and from the JSON Lines
// files that versions before it wrote, those that were reset or deleted included. Usage is exact; requests are partial.
import { basename, join } from "node:path"
import { zstdDecompressSync } from "node:zlib"
import type { Row } from "../../../database/sqlite/database.ts"
import type { ForeignDatabase } from "../../../database/sqlite/foreign-copy.ts"
import type { JsonObject } from "../../../record/write/request-marks.ts"
import type { CalledUsage, CapturedCall } from "../../call.ts"
import { readingDatabase } from "../client-database.ts"
import { clientFiles } from "../client-files.ts"
import { createSkipped, jsonRows, parsedRow, type Skipped } from "../json-rows.ts"
import type { CaptureFile, CaptureReader, Place, Read, ReaderMachine } from "../reader.ts"
import { capturedPiCall } from "./pi.ts"
import { createPiRequests } from "./pi-request.ts"
import { createPiUsage, PI_USAGE_WORDS } from "./pi-usage.ts"

export const OPENCLAW: CaptureReader = {
  client: "openclaw",
  title: "OpenClaw",
  folders: ({ home, variables }: ReaderMachine) => [
    join(variables.OPENCLAW_STATE_DIR || join(home, ".openclaw"), "agents"),
  ],
  files: async (folder, note) => clientFiles(folder, { client: "openclaw", isOne, note }),
  usage,
  calls,
}

function isOne(way: string): boolean {
  return /(?:^|\/)openclaw-agent\.sqlite$|(?:^|\/)[^/]+\/sessions\/[^/]+(?<!\.trajectory)\.jsonl(?:\.(?:deleted|reset)\.[^/]+)?$/.test(
    way,
  )
}

/** One session after the other. The place in a database is 0: entries are rewritten there, so it is read anew. */
async function* usage(file: CaptureFile, from: Place = 0): AsyncGenerator<Read<CalledUsage>> {
  const skipped = createSkipped(file)
  let session = ""
  let state = createPiUsage("openclaw")
  for await (const entry of entriesIn(file, PI_USAGE_WORDS, skipped)) {
    if (entry.session !== session) state = createPiUsage("openclaw", { id: entry.session })
    session = entry.session
    const found = state.take(entry.row)
    if (found !== undefined && entry.end > from) yield { kind: "call", call: found.call, after: entry.end }
  }
  yield* skipped.notes()
}

async function* calls(file: CaptureFile): AsyncGenerator<Read<CapturedCall>> {
  const skipped = createSkipped(file)
  let session = ""
  let state = createPiUsage("openclaw")
  let requests = createPiRequests()
  for await (const entry of entriesIn(file, undefined, skipped)) {
    if (entry.session !== session) {
      state = createPiUsage("openclaw", { id: entry.session })
      requests = createPiRequests()
    }
    session = entry.session
    requests.take(entry.row)
    const found = state.take(entry.row)
    if (found !== undefined)
      yield { kind: "call", call: capturedPiCall(found, entry.row, requests), after: entry.end }
  }
  yield* skipped.notes()
}

interface SessionEntry {
  readonly session: string
  readonly row: JsonObject
  readonly end: Place
}

async function* entriesIn(
  file: CaptureFile,
  containing: readonly string[] | undefined,
  skipped: Skipped,
): AsyncGenerator<SessionEntry> {
  if (file.path.endsWith(".sqlite")) {
    yield* readingDatabase(file, skipped, (database) => storedEntries(database, skipped))
    return
  }
  const session = basename(file.path).replace(/\.jsonl.*$/, "")
  for await (const { row, end } of jsonRows(file, containing === undefined ? {} : { containing }, skipped))
    yield { session, row, end }
}

function* storedEntries(database: ForeignDatabase, skipped: Skipped): Iterable<SessionEntry> {
  if (!database.has("transcript_events")) {
    skipped.fail("its tables are not those of a version that is known")
    return
  }
  let end = 0
  for (const stored of database.each("SELECT * FROM transcript_events ORDER BY session_id, seq")) {
    end += 1
    const row = entryOf(stored, skipped)
    if (row !== undefined) yield { session: String(stored.session_id), row, end }
  }
}

/** Long entries are compressed. */
const MOST_BYTES = 64 * 1024 ** 2

function entryOf({ event_json: json, event_zstd: packed }: Row, skipped: Skipped): JsonObject | undefined {
  if (typeof json === "string") return parsedRow(json, skipped)
  if (!(packed instanceof Uint8Array)) return undefined
  try {
    return parsedRow(zstdDecompressSync(packed, { maxOutputLength: MOST_BYTES }).toString("utf8"), skipped)
  } catch {
    // Whatever is wrong with it, it is one entry that cannot be read.
    skipped.add("compressed in a way that is not known")
    return undefined
  }
}
