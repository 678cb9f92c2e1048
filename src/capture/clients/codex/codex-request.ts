// The requests of a Codex rollout, as far as it has them: the base instructions and the conversation, in the form of the
// Responses API. Tools are in it only where the client sends them as items of the conversation.
import { join } from "node:path"
import { isObject, type Json, type JsonObject } from "../../../record/write/request-marks.ts"
import type { SeenFile } from "../../call.ts"
import { listAt, objectAt, textAt, tokensAt } from "../row-fields.ts"

export interface CodexRequests {
  take(row: JsonObject): void
  /** Of the call whose answer the rows so far end with. Undefined if its beginning is in another file. */
  request(model: string): JsonObject | undefined
  /** The instruction files of the project, as the client read them. */
  files(): readonly SeenFile[]
}

interface Conversation {
  readonly instructions: string | undefined
  /** Grows in place: a request takes a copy of what it was sent. */
  readonly items: JsonObject[]
  /** How many of the items were sent: those behind them are the answer. */
  readonly sent: number
  /** How many items there were before each turn. */
  readonly turns: readonly number[]
  /** Whether it goes on from another thread whose rows are not here. */
  readonly isCut: boolean
  /** Where the instruction files are, and what they said last. */
  readonly folder: string | undefined
  readonly files: readonly SeenFile[]
}

export function createCodexRequests(): CodexRequests {
  let conversation: Conversation = {
    ...{ instructions: undefined, items: [], sent: 0, turns: [], isCut: false, folder: undefined, files: [] },
  }
  return {
    take: (row) => {
      conversation = after(conversation, row, objectAt(row, "payload"))
    },
    request: (model) => (conversation.isCut ? undefined : requestOf(conversation, model)),
    files: () => conversation.files,
  }
}

function after(before: Conversation, row: JsonObject, payload: JsonObject): Conversation {
  switch (row.type) {
    case "session_meta":
      return {
        ...before,
        instructions: before.instructions ?? textAt(objectAt(payload, "base_instructions"), "text"),
        isCut: before.isCut || isObject(payload.history_base),
      }
    case "response_item":
      return withItem(before, payload)
    case "compacted":
      return compacted(before, payload)
    case "world_state":
      return withFiles(before, objectAt(objectAt(payload, "state"), "agents_md"))
    case "event_msg":
      return afterEvent(before, payload)
    default:
      return before
  }
}

function withItem(before: Conversation, payload: JsonObject): Conversation {
  const { internal_chat_message_metadata_passthrough: _, ...item } = payload
  before.items.push(item)
  return isAnswer(item) ? before : { ...before, sent: before.items.length }
}

/** What a model writes. Everything else was put into a request. */
const ANSWERS: ReadonlySet<Json | undefined> = new Set([
  ...["reasoning", "function_call", "custom_tool_call", "local_shell_call", "tool_search_call"],
  ...["web_search_call", "image_generation_call"],
])

function isAnswer({ type, role }: JsonObject): boolean {
  return type === "message" ? role === "assistant" : ANSWERS.has(type)
}

/** Older versions keep the summary alone. */
function compacted(before: Conversation, payload: JsonObject): Conversation {
  const kept = listAt(payload, "replacement_history").filter(isObject)
  const summary = textAt(payload, "message")
  const alone = summary === undefined ? [] : [{ type: "message", role: "user", content: summary }]
  const items: JsonObject[] = kept.length > 0 ? kept : alone
  // The history that a thread came from was replaced too.
  return { ...before, items, sent: items.length, turns: [], isCut: false }
}

function afterEvent(before: Conversation, payload: JsonObject): Conversation {
  switch (payload.type) {
    case "task_started":
    case "turn_started":
      return { ...before, turns: [...before.turns, before.items.length] }
    case "thread_rolled_back":
      return rolledBack(before, tokensAt(payload, "num_turns"))
    default:
      return before
  }
}

function rolledBack(before: Conversation, turns: number): Conversation {
  if (turns === 0) return before
  const kept = Math.max(0, before.turns.length - turns)
  const items = before.items.slice(0, before.turns[kept] ?? 0)
  return { ...before, items, sent: items.length, turns: before.turns.slice(0, kept) }
}

function requestOf({ instructions, items, sent }: Conversation, model: string): JsonObject {
  const input = items.slice(0, sent)
  return { model, ...(instructions !== undefined && { instructions }), input }
}

/** Between the user's own instructions and those of the project. */
const PROJECT_BEGINS = "\n\n--- project-doc ---\n\n"

/** A later row has only what changed. */
function withFiles(before: Conversation, found: JsonObject): Conversation {
  const folder = textAt(found, "directory") ?? before.folder
  const text = textAt(found, "text")
  if (folder === undefined || text === undefined) return { ...before, folder }
  const at = text.indexOf(PROJECT_BEGINS)
  const own = at === -1 ? text : text.slice(at + PROJECT_BEGINS.length)
  return { ...before, folder, files: [{ path: join(folder, "AGENTS.md"), text: own }] }
}
