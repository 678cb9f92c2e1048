// Reads body files: what Claude Code and the Agent SDK write with `OTEL_LOG_RAW_API_BODIES=file:DIR`. Every call is
// exact. A file of this reader stands for its whole folder; places count its calls.
import { hash } from "node:crypto"
import { basename, dirname, join } from "node:path"
import type { Diagnostic } from "../../../base/diagnostic.ts"
import { canonicalJson } from "../../../base/digest.ts"
import { fromHome } from "../../../files/real-path.ts"
import { isObject, type Json, type JsonObject, liftMarks } from "../../../record/write/request-marks.ts"
import type { CalledUsage, CapturedCall, Client } from "../../call.ts"
import { jsonObject } from "../../json-object.ts"
import { anthropicAnswer } from "../anthropic-answer.ts"
import { anthropicCallId, anthropicUsage } from "../anthropic-usage.ts"
import { clientFiles } from "../client-files.ts"
import { createSkipped, type Skipped } from "../json-rows.ts"
import type { CaptureFile, CaptureReader, Place, Read, ReaderMachine } from "../reader.ts"
import { listAt, objectAt, textAt } from "../row-fields.ts"
import {
  type BodyPair,
  bodyFolder,
  bodyJson,
  bodyPairs,
  bodyText,
  firstRequest,
  INDEX,
  REQUEST,
  RESPONSE,
} from "./body-folder.ts"
import { CLAUDE_CODE } from "./claude-code.ts"

export const CLAUDE_CODE_BODIES = bodyFilesReader("claude-code", "Claude Code")
export const AGENT_SDK = bodyFilesReader("agent-sdk", "Claude Agent SDK")

function bodyFilesReader(client: Client, title: string): CaptureReader {
  return {
    client,
    title,
    folders,
    files: (folder, note) => Promise.resolve(filesOf(folder, client, note)),
    usage: (file, from) => readBodies(file, from, ({ called }) => called),
    calls: (file) => readBodies(file, 0, callOf),
  }
}

const VARIABLE = "OTEL_LOG_RAW_API_BODIES"

/** Where the environment or the client's settings say that bodies are written to. */
function folders(machine: ReaderMachine): readonly string[] {
  const settings = CLAUDE_CODE.folders(machine).map((folder) =>
    bodyJson(join(dirname(folder), "settings.json")),
  )
  const values = [
    machine.variables[VARIABLE],
    ...settings.map((one) => one && textAt(objectAt(one, "env"), VARIABLE)),
  ]
  const named = values.flatMap((value) => (value?.startsWith("file:") ? [value.slice("file:".length)] : []))
  return [...new Set(named.map((path) => fromHome(path, machine.home)))]
}

/**
 * The index of each folder with bodies, or its first request if there is none. It has changed when one of the folder's
 * files has: the last calls may be in no index.
 */
function filesOf(
  folder: string,
  client: Client,
  note: ((diagnostic: Diagnostic) => void) | undefined,
): readonly CaptureFile[] {
  const found = clientFiles(folder, { client, isOne: isBodyFile, note })
  return [...Map.groupBy(found, bodyFolder).values()].flatMap((files): readonly CaptureFile[] => {
    const standing = files.find(({ path }) => basename(path) === INDEX) ?? files.find(isRequest)
    if (standing === undefined || writerOf(firstRequest(standing)) !== client) return []
    return [{ ...standing, changedAt: files.reduce((last, { changedAt }) => Math.max(last, changedAt), 0) }]
  })
}

function isBodyFile(way: string): boolean {
  return basename(way) === INDEX || way.endsWith(REQUEST) || way.endsWith(RESPONSE)
}

function isRequest({ path }: CaptureFile): boolean {
  return path.endsWith(REQUEST)
}

/** Who writes into a folder: its first request tells. Undefined if there is none. */
function writerOf(request: JsonObject | undefined): Client | undefined {
  if (request === undefined) return undefined
  return /\bcc_entrypoint=sdk-(?!cli)/.test(billingLine(request)) ? "agent-sdk" : "claude-code"
}

/** The client's own line about a call, which is no part of the prompt. */
function billingLine(request: JsonObject): string {
  const [first] = listAt(request, "system")
  const line = isObject(first) ? textAt(first, "text") : undefined
  return line?.startsWith("x-anthropic-billing-header:") === true ? line : ""
}

/** A call that was read, where its request is, and what could not be read. */
interface BodyCall {
  readonly called: CalledUsage
  readonly pair: BodyPair
  readonly skipped: Skipped
}

async function* readBodies<T>(
  file: CaptureFile,
  from: Place = 0,
  make: (call: BodyCall) => T,
): AsyncGenerator<Read<T>> {
  const skipped = createSkipped(file)
  let unwritten = 0
  for (const [at, pair] of (await bodyPairs(file)).entries()) {
    if (at < from) continue
    const called = calledOf(file, pair)
    if (called === "unwritten") unwritten += 1
    else if (called === "broken") skipped.add("their response is not an answer")
    else if (called !== "error") yield { kind: "call", call: make({ called, pair, skipped }), after: at + 1 }
  }
  if (unwritten > 0)
    yield {
      kind: "note",
      diagnostic: { code: "capture-bodies-unwritten", path: file.path, count: unwritten },
    }
  yield* skipped.notes()
}

/** `unwritten`: a client that ends soon after an answer leaves it empty. `error`: an answer without a call. */
function calledOf(file: CaptureFile, pair: BodyPair): CalledUsage | "unwritten" | "error" | "broken" {
  const body = bodyText(pair.response)
  if (body === "") return "unwritten"
  const message = body === undefined ? undefined : anthropicAnswer(body)
  const usage = anthropicUsage(message?.usage)
  const id = message && textAt(message, "id")
  if (message === undefined || usage === undefined || id === undefined)
    return body?.includes('"error"') === true ? "error" : "broken"
  return {
    id: anthropicCallId(id, pair.requestId),
    client: file.client,
    session: pair.session ?? sessionIn(bodyJson(pair.request)) ?? bodyFolder(file),
    at: pair.at,
    model: textAt(message, "model") ?? "unknown",
    usage,
  }
}

/** The client writes it into the request, for the provider. */
function sessionIn(request: JsonObject | undefined): string | undefined {
  const user = request && jsonObject(textAt(objectAt(request, "metadata"), "user_id") ?? "")
  return user && textAt(user, "session_id")
}

function callOf({ called, pair, skipped }: BodyCall): CapturedCall {
  const body = bodyJson(pair.request)
  if (body === undefined) {
    skipped.add("their request is missing")
    return { ...called, thread: threadOf(pair.source, {}), format: "anthropic", coverage: "none", files: [] }
  }
  // Betas are sent as a header, and metadata is about the user.
  const { betas: _, metadata: __, ...request } = body
  const thread = threadOf(pair.source, request)
  const version = /\bcc_version=(\d+\.\d+\.\d+)/.exec(billingLine(request))?.[1]
  return { ...called, version, thread, format: "anthropic", coverage: "exact", request, files: [] }
}

/** How the client calls the conversation itself. */
const MAIN = /^(?:sdk|repl_main_thread.*)$/

/** A sub-agent is told by its first message, which stays the same. */
function threadOf(source: string | undefined, request: JsonObject): string {
  const isAgent = source?.startsWith("agent:") ?? billingLine(request).includes("cc_is_subagent=true")
  if (isAgent) return `agent:${hash("sha256", canonicalJson(unmarked(request)), "hex").slice(0, 16)}`
  return source === undefined || MAIN.test(source) ? "main" : source
}

function unmarked(request: JsonObject): Json {
  const [first] = listAt(request, "messages")
  return liftMarks(first ?? null).value
}
