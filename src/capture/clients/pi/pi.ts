// Reads the sessions of pi: one JSON Lines file for each, in a folder for each project. Usage is exact; requests are
// partial.
import { join } from "node:path"
import type { JsonObject } from "../../../record/write/request-marks.ts"
import type { CalledUsage, CapturedCall } from "../../call.ts"
import { clientFiles } from "../client-files.ts"
import { createSkipped, jsonRows } from "../json-rows.ts"
import type { CaptureFile, CaptureReader, Place, Read, ReaderMachine } from "../reader.ts"
import { createPiRequests, type PiRequests } from "./pi-request.ts"
import { createPiUsage, PI_USAGE_WORDS, type PiCall } from "./pi-usage.ts"

export const PI: CaptureReader = {
  client: "pi",
  title: "pi",
  folders,
  files: async (folder, note) => clientFiles(folder, { client: "pi", isOne, note }),
  usage,
  calls,
}

function folders({ home, variables }: ReaderMachine): readonly string[] {
  return [join(variables.PI_CODING_AGENT_DIR || join(home, ".pi", "agent"), "sessions")]
}

/** `2026-11-18T17-05-16-544Z_<id>.jsonl`. */
function isOne(way: string): boolean {
  return /(?:^|\/)\d{4}-\d\d-\d\dT[\dZ-]+_[^/]+\.jsonl$/.test(way)
}

/** Rows before the place are read too, since they name the session. */
async function* usage(file: CaptureFile, from: Place = 0): AsyncGenerator<Read<CalledUsage>> {
  const skipped = createSkipped(file)
  const state = createPiUsage("pi")
  for await (const { row, end } of jsonRows(file, { containing: PI_USAGE_WORDS }, skipped)) {
    const found = state.take(row)
    if (found !== undefined && end > from) yield { kind: "call", call: found.call, after: end }
  }
  yield* skipped.notes()
}

/** A longer session is not kept in memory: its calls come without their requests. */
const MOST_BYTES = 512 * 1024 ** 2

async function* calls(file: CaptureFile): AsyncGenerator<Read<CapturedCall>> {
  const skipped = createSkipped(file)
  const state = createPiUsage("pi")
  const requests = createPiRequests()
  const isKept = file.bytes <= MOST_BYTES
  for await (const { row, end } of jsonRows(file, {}, skipped)) {
    if (isKept) requests.take(row)
    const found = state.take(row)
    if (found === undefined) continue
    const call = capturedPiCall(found, row, isKept ? requests : undefined)
    yield { kind: "call", call, after: end }
  }
  yield* skipped.notes()
}

/** A summary is asked for with a prompt that is not kept. */
export function capturedPiCall(
  { kind, call }: PiCall,
  row: JsonObject,
  requests: PiRequests | undefined,
): CapturedCall {
  const thread = kind === "answer" ? call.session : `${call.session}/${kind}`
  const known = kind === "answer" ? requests : undefined
  if (known === undefined) return { ...call, thread, format: "anthropic", coverage: "none", files: [] }
  const request = known.request(row, call.model)
  return { ...call, thread, format: "anthropic", coverage: "partial", request, files: known.files(row) }
}
