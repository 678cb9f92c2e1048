// A folder of body files, as Claude Code and the Agent SDK write them: a file for each request, one for each response,
// and an index that says which belong together. The last calls of a process may be missing in the index: a request and
// the response right after it are one call if no other was under way.
import { dirname, join } from "node:path"
import { isDeeperThan, MAX_JSON_DEPTH } from "../../../base/json-depth.ts"
import { byCodePoint } from "../../../base/order.ts"
import { namesIn } from "../../../files/names-in.ts"
import { readRegular } from "../../../files/read-regular.ts"
import type { JsonObject } from "../../../record/write/request-marks.ts"
import { jsonObject } from "../../json-object.ts"
import { captureFile } from "../client-files.ts"
import { createSkipped, jsonRows } from "../json-rows.ts"
import type { CaptureFile } from "../reader.ts"
import { textAt, timeAt } from "../row-fields.ts"

export const INDEX = "index.jsonl"
export const REQUEST = ".request.json"
export const RESPONSE = ".response.json"

/** One call: its files, and what the index says about it. */
export interface BodyPair {
  readonly at: number
  /** Paths. */
  readonly response: string
  readonly request: string | undefined
  readonly requestId: string | undefined
  readonly session: string | undefined
  readonly source: string | undefined
}

/** The folder of a file that stands for it: its index, or one of its requests if there is none. */
export function bodyFolder({ path }: Pick<CaptureFile, "path">): string {
  return dirname(path)
}

export function firstRequest(file: CaptureFile): JsonObject | undefined {
  const folder = bodyFolder(file)
  const name = namesIn(folder).find((one) => one.endsWith(REQUEST))
  return name === undefined ? undefined : bodyJson(join(folder, name))
}

/** All calls of a folder, in the order of their time. */
export async function bodyPairs(file: CaptureFile): Promise<readonly BodyPair[]> {
  const folder = bodyFolder(file)
  const names = new Set(namesIn(folder).filter((name) => name.endsWith(REQUEST) || name.endsWith(RESPONSE)))
  const pairs: BodyPair[] = []
  // Half lines and lines of other programs are no failure here: their files are paired below.
  const index = join(folder, INDEX)
  for await (const { row } of jsonRows({ path: index }, {}, createSkipped({ path: index }))) {
    const [request, response] = [textAt(row, "request_file"), textAt(row, "response_file")]
    if (response === undefined || !names.delete(response)) continue
    const isThere = request !== undefined && names.delete(request)
    pairs.push(indexed(row, join(folder, response), isThere ? join(folder, request) : undefined))
  }
  return [...pairs, ...unindexed(folder, names)].sort(
    (a, b) => a.at - b.at || byCodePoint(a.response, b.response),
  )
}

function indexed(row: JsonObject, response: string, request: string | undefined): BodyPair {
  return {
    at: timeAt(row, "timestamp") ?? 0,
    response,
    request,
    requestId: textAt(row, "request_id"),
    session: textAt(row, "session_id"),
    source: textAt(row, "query_source"),
  }
}

/** By the times of the files. */
function unindexed(folder: string, names: ReadonlySet<string>): readonly BodyPair[] {
  const files = [...names]
    .flatMap((name) => captureFile(join(folder, name), "claude-code") ?? [])
    .sort((a, b) => a.changedAt - b.changedAt || byCodePoint(a.path, b.path))
  return files.flatMap(({ path, changedAt }, at) => {
    if (!path.endsWith(RESPONSE)) return []
    const before = files[at - 1]?.path
    const isAlone = before?.endsWith(REQUEST) === true && files[at - 2]?.path.endsWith(REQUEST) !== true
    const name = path.slice(folder.length + 1, -RESPONSE.length)
    const requestId = name.startsWith("req_") ? name : undefined
    const request = isAlone ? before : undefined
    return [{ at: changedAt, response: path, request, requestId, session: undefined, source: undefined }]
  })
}

/** No body is longer: providers refuse them. */
const MOST_BYTES = 64 << 20

/** Undefined if it cannot be read. */
export function bodyText(path: string): string | undefined {
  const read = readRegular(path, MOST_BYTES)
  return read.kind === "read" ? read.bytes.toString("utf8") : undefined
}

export function bodyJson(path: string | undefined): JsonObject | undefined {
  const value = path === undefined ? undefined : jsonObject(bodyText(path) ?? "")
  return value === undefined || isDeeperThan(value, MAX_JSON_DEPTH) ? undefined : value
}
