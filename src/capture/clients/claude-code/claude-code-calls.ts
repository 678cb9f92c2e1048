// The calls of a transcript with their requests. Exact where the client wrote down what each request was made of and the
// result has the digest that it wrote; else the part that the conversation tells.
import type { JsonObject } from "../../../record/write/request-marks.ts"
import type { CalledUsage, CapturedCall } from "../../call.ts"
import { createSkipped, type JsonRow, jsonRows } from "../json-rows.ts"
import type { CaptureFile, Read } from "../reader.ts"
import { objectAt, textAt } from "../row-fields.ts"
import { type Conversation, createConversation } from "./claude-code-conversation.ts"
import { createKnownMessages } from "./claude-code-messages.ts"
import { createOpenCalls } from "./claude-code-open-calls.ts"
import { createRebuiltRequests } from "./claude-code-requests.ts"
import { type AnswerRow, answerIn, USAGE, versionNote } from "./claude-code-rows.ts"
import { BROKEN } from "./claude-code-usage.ts"

/** Completes the sentence about requests that are not exact. */
const FIX =
  'To make them exact from now on, add "OTEL_LOG_RAW_API_BODIES": "file:DIR" to "env" in Claude Code\'s settings.json, with the full path of a folder.'

/** Rows that say what was sent. All others are passed over. */
const CONTAINING = [
  USAGE,
  ...["user", "assistant", "attachment", "api-request", "api-request-blob", "api-request-shape"].map(
    (type) => `"type":"${type}"`,
  ),
  '"subtype":"compact_boundary"',
]

export async function* callsOf(file: CaptureFile, session: string): AsyncGenerator<Read<CapturedCall>> {
  const skipped = createSkipped(file)
  const open = createOpenCalls<CapturedCall>()
  const requests = createSessionRequests()
  let version: string | undefined
  for await (const line of jsonRows(file, { containing: CONTAINING }, skipped)) {
    const answer = answerIn(line.row, session)
    if (answer === "broken") skipped.add(BROKEN)
    if (typeof answer === "object") {
      version ??= answer.version
      yield* open.add(answer, line, () => requests.callOf(answer, line.row))
      for (const called of answer.advisors)
        yield* open.add({ ...answer, called }, line, () => advisorCall(called, answer))
    }
    requests.add(line)
  }
  yield* open.takeAll()
  yield* versionNote(file, version)
  const count = requests.estimated()
  if (count > 0)
    yield { kind: "note", diagnostic: { code: "capture-not-exact", path: file.path, count, fix: FIX } }
  yield* skipped.notes()
}

function advisorCall(called: CalledUsage, { version }: AnswerRow): CapturedCall {
  return { ...called, version, thread: "advisor", format: "anthropic", coverage: "none", files: [] }
}

interface SessionRequests {
  /** The call that a row is the first of. */
  callOf(answer: AnswerRow, row: JsonObject): CapturedCall
  add(line: JsonRow): void
  /** How many calls have no exact request. */
  estimated(): number
}

function createSessionRequests(): SessionRequests {
  const messages = createKnownMessages()
  const rebuilt = createRebuiltRequests(messages)
  const conversations = new Map<string, Conversation>()
  const threadOf = createThreads()
  let estimated = 0
  const conversationOf = (thread: string) => {
    const known = conversations.get(thread) ?? createConversation()
    conversations.set(thread, known)
    return known
  }
  return {
    callOf: ({ called, version }, row) => {
      const thread = threadOf(row)
      const conversation = conversationOf(thread)
      const ref = textAt(row, "requestRef")
      const request = rebuilt.get(ref ?? "") ?? told(called, conversation)
      // Answers that were copied from another session come first. They are read where they were given.
      const isCopied = ref !== undefined && rebuilt.isEmpty
      if (request.coverage !== "exact" && !isCopied) estimated += 1
      const files = conversation.files()
      return { ...called, version, thread, format: "anthropic", ...request, files }
    },
    add: (line) => {
      const { row } = line
      if (rebuilt.add(row)) return
      const message = objectAt(row, "message")
      const isMessage = row.type === "user" || row.type === "assistant"
      if (isMessage && !BEFORE_REQUESTS.test(textAt(row, "version") ?? ""))
        messages.addRow(row.type === "user" ? "user" : "assistant", message.content, textAt(message, "id"))
      conversationOf(threadOf(row)).add(line)
    },
    estimated: () => estimated,
  }
}

/** Versions that do not write down what requests are made of: their messages need no digests. */
const BEFORE_REQUESTS = /^(?:[01]\.|2\.0\.|2\.1\.(?:\d{1,2}|1\d\d|2[0-5]\d)(?!\d))/

/** What the conversation tells. */
function told(
  { model }: CalledUsage,
  conversation: Conversation,
): Pick<CapturedCall, "coverage" | "request"> {
  const messages = conversation.messages()
  return messages === undefined ? { coverage: "none" } : { coverage: "partial", request: { model, messages } }
}

/** Each sub-agent has a conversation of its own. Older versions name none: there, its first row tells them apart. */
function createThreads(): (row: JsonObject) => string {
  const firsts = new Map<string, string>()
  return (row) => {
    const agent = textAt(row, "agentId") ?? textAt(objectAt(row, "data"), "agentId")
    if (agent !== undefined) return `agent:${agent}`
    if (row.isSidechain !== true) return "main"
    const parent = textAt(row, "parentUuid")
    const own = textAt(row, "uuid") ?? ""
    const first = parent === undefined ? own : (firsts.get(parent) ?? parent)
    firsts.set(own, first)
    return `agent:${first}`
  }
}
