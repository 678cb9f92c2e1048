// Reads the chats of Gemini CLI: JSON Lines in which a message is written again when it changes; older versions wrote one
// JSON document. A resumed session is written to a new file with everything before it, so the message's id is the call's.
// Usage is exact; requests are partial: neither the system text nor tools are written.
import { basename, isAbsolute, join, sep } from "node:path"
import { readRegular } from "../../files/read-regular.ts"
import { isObject, type Json, type JsonObject } from "../../record/write/request-marks.ts"
import type { CalledUsage, CapturedCall } from "../call.ts"
import { clientFiles } from "./client-files.ts"
import { createSkipped, type JsonRow, jsonDocument, jsonRows, type Skipped } from "./json-rows.ts"
import type { CaptureFile, CaptureReader, Place, Read, ReaderMachine } from "./reader.ts"
import { listAt, objectAt, textAt, timeAt, tokensAt } from "./row-fields.ts"

export const GEMINI_CLI: CaptureReader = {
  client: "gemini-cli",
  title: "Gemini CLI",
  folders: ({ home, variables }: ReaderMachine) => [
    join(variables.GEMINI_CLI_HOME || home, ".gemini", "tmp"),
  ],
  files: async (folder, note) => clientFiles(folder, { client: "gemini-cli", isOne, note }),
  usage,
  calls,
}

/** Those of sub-agents are in a folder of their session. */
function isOne(way: string): boolean {
  return /(?:^|\/)chats\/(?:[^/]+\/)?[^/]+\.jsonl?$|^session-[^/]+\.jsonl?$/.test(way)
}

const USAGE_WORDS = ['"sessionId"', '"tokens"'] as const

async function* usage(file: CaptureFile, from: Place = 0): AsyncGenerator<Read<CalledUsage>> {
  const skipped = createSkipped(file)
  const chat = createChat(file)
  for await (const { row, end } of rowsOf(file, USAGE_WORDS, skipped)) {
    const call = chat.take(row)
    if (call !== undefined && end > from) yield { kind: "call", call, after: end }
  }
  yield* skipped.notes()
}

async function* calls(file: CaptureFile): AsyncGenerator<Read<CapturedCall>> {
  const skipped = createSkipped(file)
  const chat = createChat(file)
  for await (const { row, end } of rowsOf(file, undefined, skipped)) {
    const call = chat.take(row)
    if (call !== undefined) yield { kind: "call", call: { ...call, ...chat.request(call) }, after: end }
    chat.add(row)
  }
  yield* skipped.notes()
}

/** A document is read as if it were written in lines: its messages behind its other fields. */
async function* rowsOf(
  file: CaptureFile,
  containing: readonly string[] | undefined,
  skipped: Skipped,
): AsyncGenerator<JsonRow> {
  if (!file.path.endsWith(".json")) {
    yield* jsonRows(file, containing === undefined ? {} : { containing }, skipped)
    return
  }
  const { messages, ...rest } = jsonDocument(file, skipped) ?? {}
  const list = Array.isArray(messages) ? messages.filter(isObject) : []
  for (const [at, row] of [rest, ...list].entries()) yield { row, start: at, end: at + 1 }
}

interface Chat {
  /** The call that the row completes, if it does. */
  take(row: JsonObject): CalledUsage | undefined
  /** What the rows before it say that it was sent. */
  request(call: CalledUsage): Omit<CapturedCall, keyof CalledUsage>
  /** The row as part of what is sent later. */
  add(row: JsonObject): void
}

function createChat({ path }: CaptureFile): Chat {
  let session = basename(path).replace(/\.jsonl?$/, "")
  let project = projectOf(path)
  let isAside = false
  const counted = new Set<string>()
  /** What each message adds to a request. */
  const messages = new Map<string, readonly JsonObject[]>()
  return {
    take(row) {
      const fields = isObject(row.$set) ? row.$set : row
      session = textAt(fields, "sessionId") ?? session
      isAside ||= fields.kind === "subagent"
      const [folder] = listAt(fields, "directories")
      if (typeof folder === "string") project ??= folder
      const id = textAt(row, "id")
      if (id === undefined || counted.has(id)) return undefined
      const call = callOf(row, { id, session, project })
      if (call !== undefined) counted.add(id)
      return call
    },
    request: ({ model, session: own }) => ({
      thread: isAside ? `${own}/${basename(path)}` : own,
      format: "google",
      coverage: "partial",
      request: { model, contents: [...messages.values()].flat() },
      files: [],
    }),
    add: (row) => addTo(messages, row),
  }
}

/** `tmp/<project>/.project_root` names the folder that `tmp/<project>/chats` is about. */
function projectOf(path: string): string | undefined {
  const at = path.split(sep).lastIndexOf("chats")
  const file = join(path.split(sep).slice(0, at).join(sep), ".project_root")
  const read = at === -1 ? undefined : readRegular(file, MOST_PATH)
  const text = read?.kind === "read" ? read.bytes.toString("utf8").trim() : ""
  return isAbsolute(text) && !text.includes("\n") ? text : undefined
}

const MOST_PATH = 4096

interface Where {
  readonly id: string
  readonly session: string
  readonly project: string | undefined
}

function callOf(row: JsonObject, { id, session, project }: Where): CalledUsage | undefined {
  const tokens = objectAt(row, "tokens")
  const at = timeAt(row, "timestamp")
  if (row.type !== "gemini" || at === undefined) return undefined
  const input = tokensAt(tokens, "input")
  const read = Math.min(tokensAt(tokens, "cached"), input)
  const output = tokensAt(tokens, "output") + tokensAt(tokens, "thoughts")
  // Results of the provider's own tools are input that is counted apart.
  const uncached = input - read + tokensAt(tokens, "tool")
  if (uncached + read + output === 0) return undefined
  return {
    id,
    client: "gemini-cli",
    session,
    project,
    at,
    model: `google/${textAt(row, "model") ?? "unknown"}`,
    usage: { uncached, read, write: {}, output },
  }
}

function addTo(messages: Map<string, readonly JsonObject[]>, row: JsonObject): void {
  const target = textAt(row, "$rewindTo")
  if (target !== undefined) rewind(messages, target)
  // The whole conversation is written anew when it is compressed.
  const written = isObject(row.$set) ? row.$set.messages : undefined
  if (Array.isArray(written)) {
    messages.clear()
    for (const message of written.filter(isObject)) addTo(messages, message)
  }
  const id = textAt(row, "id")
  if (id !== undefined) messages.set(id, contentsOf(row))
}

/** Takes back this message and everything after it; all, if it is not there. */
function rewind(messages: Map<string, readonly JsonObject[]>, target: string): void {
  const ids = [...messages.keys()]
  for (const id of ids.slice(Math.max(0, ids.indexOf(target)))) messages.delete(id)
}

function contentsOf(row: JsonObject): readonly JsonObject[] {
  if (row.type === "user") return [{ role: "user", parts: partsOf(row.content) }]
  if (row.type !== "gemini") return []
  const called = listAt(row, "toolCalls").filter(isObject)
  const parts = [
    ...partsOf(row.content),
    ...called.map((call) => ({
      functionCall: { name: textAt(call, "name") ?? "", args: objectAt(call, "args") },
    })),
  ]
  return parts.length === 0 ? [] : [{ role: "model", parts }]
}

function partsOf(content: Json | undefined): readonly JsonObject[] {
  if (typeof content === "string") return content === "" ? [] : [{ text: content }]
  return Array.isArray(content) ? content.filter(isObject) : []
}
