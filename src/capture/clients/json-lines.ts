// Reads calls of any other program, in a plain form: one JSON object a line, one line a call. `CallLine` is that form. A
// line that does not keep to it is named with what is wrong; the others count.
import { z } from "zod"
import type { Diagnostic } from "../../base/diagnostic.ts"
import { digest } from "../../base/digest.ts"
import { isDeeperThan, MAX_JSON_DEPTH } from "../../base/json-depth.ts"
import { linesOf } from "../../files/lines-of.ts"
import type { JsonObject } from "../../record/write/request-marks.ts"
import { type CalledUsage, type CapturedCall, CLIENTS, FORMATS } from "../call.ts"
import { clientFiles } from "./client-files.ts"
import { createSkipped, jsonRows } from "./json-rows.ts"
import type { CaptureFile, CaptureReader, Place, Read } from "./reader.ts"
import { written } from "./row-fields.ts"

const tokens = z.int().nonnegative()

const CallLine = z
  .strictObject({
    id: z.string().min(1).optional().describe("The same for the same call wherever it is written."),
    client: z.enum(CLIENTS).optional(),
    session: z.string().min(1),
    thread: z.string().min(1).optional().describe("Calls that share a prefix; default: the session."),
    project: z.string().min(1).optional().describe("The folder that the program worked in."),
    at: z
      .union([z.number().positive(), z.iso.datetime({ offset: true })])
      .describe("When it was answered: milliseconds since 1970, or ISO 8601."),
    model: z.string().min(1).describe("provider/model, or the model alone."),
    usage: z
      .strictObject({
        uncached: tokens,
        read: tokens.default(0),
        write: z.union([tokens, z.record(z.string(), tokens)]).default(0),
        output: tokens,
      })
      .describe(
        "Tokens, each in one kind. `write`: by lifetime, such as 5m, or a number for the default one.",
      ),
    costUsd: z.number().nonnegative().optional().describe("What the program itself says that it cost."),
    format: z.enum(FORMATS).optional(),
    request: z.record(z.string(), z.json()).optional().describe("As sent, in the provider's format."),
    files: z.array(z.strictObject({ path: z.string(), text: z.string() })).default([]),
  })
  .refine(({ request, format }) => request === undefined || format !== undefined, {
    message: "a request needs its format",
    path: ["format"],
  })
type CallLine = z.infer<typeof CallLine>

export const JSON_LINES: CaptureReader = {
  client: "other",
  title: "other programs",
  folders: () => [],
  files,
  usage,
  calls,
}

async function files(
  folder: string,
  note?: (diagnostic: Diagnostic) => void,
): Promise<readonly CaptureFile[]> {
  const isOne = (way: string) => /^[^/]+\.(?:jsonl|ndjson)$/.test(way)
  const found = clientFiles(folder, { client: "other", isOne, note })
  const ours = await Promise.all(found.map(async ({ path }) => await isOurs(path)))
  return found.filter((_, at) => ours[at])
}

/** How many lines tell whether a file is one of another program. */
const LOOKED_AT = 20

/** The files of clients have a type in each row; a line of ours has none. */
async function isOurs(path: string): Promise<boolean> {
  let count = 0
  for await (const { row } of jsonRows({ path }, {}, createSkipped({ path }))) {
    if ("usage" in row && "session" in row && !("type" in row)) return true
    count += 1
    if (count === LOOKED_AT) return false
  }
  return false
}

async function* usage(file: CaptureFile, from: Place = 0): AsyncGenerator<Read<CalledUsage>> {
  for await (const read of linesIn(file)) {
    if (read.kind === "note") yield read
    else if (read.after > from) yield { ...read, call: usageOf(read.call) }
  }
}

async function* calls(file: CaptureFile): AsyncGenerator<Read<CapturedCall>> {
  for await (const read of linesIn(file)) {
    if (read.kind === "note") yield read
    else yield { ...read, call: callOf(read.call) }
  }
}

/** A line with its digest, which stands in for an id. */
type KnownLine = CallLine & { readonly key: string }

/** So many wrong lines are named one by one. */
const MOST_NAMED = 10

async function* linesIn(file: CaptureFile): AsyncGenerator<Read<KnownLine>> {
  const skipped = createSkipped(file)
  let line = 0
  let wrong = 0
  try {
    for await (const { text, end } of linesOf(file.path)) {
      line += 1
      if (text?.trim() === "") continue
      const read = text === undefined ? { why: "it is too long" } : readLine(text)
      if ("call" in read) yield { kind: "call", call: read.call, after: end }
      else {
        wrong += 1
        const { why } = read
        if (wrong <= MOST_NAMED)
          yield { kind: "note", diagnostic: { code: "capture-bad-line", path: file.path, line, why } }
        else skipped.add("they are wrong as well")
      }
    }
  } catch (error) {
    skipped.stop(error)
  }
  yield* skipped.notes()
}

function readLine(text: string): { readonly call: KnownLine } | { readonly why: string } {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { why: "it is not JSON" }
  }
  if (isDeeperThan(value, MAX_JSON_DEPTH)) return { why: "it is nested too deeply" }
  const result = CallLine.safeParse(value)
  if (result.success) return { call: { ...result.data, key: digest(text) } }
  const [issue] = result.error.issues
  const where = issue?.path.join(".") ?? ""
  return { why: `${where === "" ? "" : `${where}: `}${issue?.message ?? "it has another form"}` }
}

function usageOf({
  id,
  key,
  client = "other",
  session,
  project,
  at,
  model,
  usage: used,
  costUsd,
}: KnownLine): CalledUsage {
  const { write, ...rest } = used
  return {
    id: id ?? key,
    client,
    session,
    project,
    at: typeof at === "number" ? at : Date.parse(at),
    model,
    usage: { ...rest, write: typeof write === "number" ? written(model, write) : write },
    ...(costUsd !== undefined && { reportedUsd: costUsd }),
  }
}

function callOf(line: KnownLine): CapturedCall {
  const { request, format = "anthropic", thread = line.session, files: seen } = line
  const known = { ...usageOf(line), thread, format, files: seen }
  if (request === undefined) return { ...known, coverage: "none" }
  // The schema takes nothing but JSON.
  return { ...known, coverage: "exact", request: request as JsonObject }
}
