// Reads new calls of clients' files into the record of captures, and remembers how far each file was read. A file is
// known by what it is, not by its name: one that was replaced or cut starts over, and calls that are there stay once.
import { z } from "zod"
import type { Diagnostic } from "../../base/diagnostic.ts"
import { identityAt } from "../../files/identity.ts"
import { readRegular } from "../../files/read-regular.ts"
import { replaceFile } from "../../files/replace-file.ts"
import { storedEvent } from "../../record/write/stored-event.ts"
import type { CaptureFile, CaptureReader, Place } from "../clients/reader.ts"
import { createTwins, type Twins } from "../twins.ts"
import { usageFrom } from "./call-event.ts"
import type { Captures } from "./open-captures.ts"

const PLACE = z.object({ bytes: z.number(), changedAt: z.number(), place: z.number() })
const PLACES = z.record(z.string(), PLACE)
type Places = z.infer<typeof PLACES>

export interface KeepFilesOptions {
  readonly captures: Captures
  /** The file with the places. */
  readonly placesFile: string
  /** Calls before this moment are left out. */
  readonly since: number
}

export interface FoundFile {
  readonly reader: CaptureReader
  readonly file: CaptureFile
}

export interface KeptFiles {
  readonly calls: number
  readonly filesRead: number
  readonly filesUnchanged: number
  readonly diagnostics: readonly Diagnostic[]
}

const MOST_BYTES = 64 << 20

export async function keepFiles(found: readonly FoundFile[], options: KeepFilesOptions): Promise<KeptFiles> {
  const { captures, placesFile } = options
  const places = readPlaces(placesFile)
  const twins = await twinsIn(captures)
  const diagnostics: Diagnostic[] = []
  let calls = 0
  let filesRead = 0
  for (const { reader, file } of found) {
    const key = `${reader.client} ${identityAt(file.path) ?? file.path}`
    const known = places[key]
    if (known?.bytes === file.bytes && known.changedAt === file.changedAt) continue
    filesRead += 1
    const from = known === undefined || known.bytes > file.bytes ? 0 : known.place
    const read = await keepFile({ reader, file }, from, { ...options, twins })
    calls += read.calls
    diagnostics.push(...read.diagnostics)
    places[key] = { bytes: file.bytes, changedAt: file.changedAt, place: read.place }
  }
  // What is not in the record yet must be read again after a crash.
  await captures.recorder.flush()
  writePlaces(placesFile, places)
  return { calls, filesRead, filesUnchanged: found.length - filesRead, diagnostics }
}

const PAGE = 500

/** Calls that a proxy has captured before. */
async function twinsIn({ recorder }: Captures): Promise<Twins> {
  const twins = createTwins()
  for (let after = 0, isMore = true; isMore; ) {
    const range = { after, upTo: Number.MAX_SAFE_INTEGER, limit: PAGE }
    const rows = await recorder.read((store) => store.events.written({ types: ["api_call"] }, range))
    for (const row of rows) {
      after = row.id
      const used = usageFrom(storedEvent(row))
      if (used !== undefined) twins.add(used)
    }
    isMore = rows.length === PAGE
  }
  return twins
}

interface KeepFileOptions extends KeepFilesOptions {
  readonly twins: Twins
}

async function keepFile({ reader, file }: FoundFile, from: Place, options: KeepFileOptions) {
  const { captures, since, twins } = options
  const diagnostics: Diagnostic[] = []
  let place = from
  let calls = 0
  for await (const read of reader.calls(file)) {
    if (read.kind === "note") {
      diagnostics.push(read.diagnostic)
      continue
    }
    if (read.after <= from) continue
    place = Math.max(place, read.after)
    if (read.call.at < since || twins.take(read.call)) continue
    if (await captures.keep(read.call)) calls += 1
  }
  return { calls, place, diagnostics }
}

/** Without places, everything is read again, and nothing is kept twice. */
function readPlaces(path: string): Places {
  const found = readRegular(path, MOST_BYTES)
  if (found.kind === "refused") return {}
  try {
    const parsed = PLACES.safeParse(JSON.parse(found.bytes.toString("utf8")))
    return parsed.success ? parsed.data : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function writePlaces(path: string, places: Places): void {
  replaceFile({ path, before: "any", after: Buffer.from(JSON.stringify(places)), mode: 0o600 })
}
