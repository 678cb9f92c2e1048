// The messages of requests by their digests. Claude Code names each message of a request by a digest, and writes only
// those down that the other rows of the file cannot give. A file may be gigabytes long: what has not been used for
// long is forgotten.
import { hash } from "node:crypto"
import { canonicalJson } from "../../../base/digest.ts"
import { isList, isObject, type Json, type JsonObject } from "../../../record/write/request-marks.ts"
import { textAt } from "../row-fields.ts"

/** Content as a list of blocks. Two requests with the same message have the same object. */
export interface KnownMessage {
  readonly message: JsonObject
  readonly canonical: string
}

export interface KnownMessages {
  /** A message as it was sent. */
  addSent(message: JsonObject): void
  /** What an assistant's or a user's row says; several rows may be one message. `answer` is the id of an answer. */
  addRow(role: "assistant" | "user", content: Json | undefined, answer?: string): void
  get(digest: string): KnownMessage | undefined
}

/** More than the longest conversation that any model takes. */
const MOST_CHARACTERS = 64 << 20

export function createKnownMessages(): KnownMessages {
  const known = new Map<string, KnownMessage>()
  let characters = 0
  const add = (message: JsonObject) => {
    const normal = { ...message, content: blocksOf(message.content) }
    const canonical = canonicalJson(normal)
    const digest = sha256(canonical)
    if (known.has(digest)) return
    known.set(digest, { message: normal, canonical })
    characters += canonical.length
    for (const [oldest, { canonical: text }] of known) {
      if (characters <= MOST_CHARACTERS) break
      known.delete(oldest)
      characters -= text.length
    }
  }
  let rows = NO_ROWS
  const flush = () => {
    for (const message of messagesOf(rows)) add(message)
    rows = NO_ROWS
  }
  return {
    addSent: add,
    addRow: (role, content, answer) => {
      if (role === "assistant" && answer !== rows.answer) flush()
      const { answers, users } = rows
      if (role === "assistant" && answers.length < MOST_MERGED)
        rows = { answer, answers: [...answers, ...blocksOf(content)], users }
      if (role === "user" && users.length < MOST_MERGED)
        rows = { ...rows, users: [...users, blocksOf(content)] }
    },
    get: (digest) => {
      flush()
      const found = known.get(digest)
      if (found === undefined) return undefined
      known.delete(digest)
      known.set(digest, found)
      return found
    },
  }
}

/** The rows of one answer and of what came back. */
interface Rows {
  readonly answer: string | undefined
  readonly answers: readonly Json[]
  readonly users: readonly (readonly Json[])[]
}

const NO_ROWS: Rows = { answer: undefined, answers: [], users: [] }
/** The client doesn't run so many tools at once. */
const MOST_MERGED = 200

/** All that could have been sent. Results are sent in the order of their calls, whichever ended first. */
function messagesOf({ answers, users }: Rows): readonly JsonObject[] {
  const calls = answers.map((block) => (isObject(block) ? textAt(block, "id") : undefined))
  const merged = users.flat()
  const rank = (block: Json) => {
    const at = isObject(block) ? calls.indexOf(textAt(block, "tool_use_id")) : -1
    return at === -1 ? calls.length : at
  }
  const several = users.length > 1 ? [merged, merged.toSorted((a, b) => rank(a) - rank(b))] : []
  return [
    ...(answers.length > 0 ? [{ role: "assistant", content: answers }] : []),
    ...[...users, ...several].map((content) => ({ role: "user", content })),
  ]
}

function blocksOf(content: Json | undefined): readonly Json[] {
  if (typeof content === "string") return [{ type: "text", text: content }]
  return isList(content) ? content : []
}

/** As the client computes it, in hexadecimal. */
function sha256(text: string): string {
  return hash("sha256", text, "hex")
}
