// Digests by which a conversation is found again when a client sends it as a whole.
import { hash } from "node:crypto"
import type { Said } from "./request/talk-request.ts"

/** The digest of each beginning of the conversation, the shortest first. Each builds on the one before it. */
export function beginningDigests(conversation: readonly Said[]): readonly string[] {
  let before = ""
  return conversation.map((said) => {
    before = sha256(JSON.stringify([before, ...essenceOf(said)]))
    return before
  })
}

/** The digest of all of it. */
export function conversationDigest(conversation: readonly Said[]): string {
  return beginningDigests(conversation).at(-1) ?? ""
}

/** Leaves out what clients change when they send a message back: space at its ends, and how arguments are written. */
function essenceOf({ role, text, calls, results, files }: Said): readonly unknown[] {
  return [
    ...[role, text.trim()],
    calls.map(({ id, name }) => [id, name]),
    results.map((result) => [result.id, result.text]),
    files.map(({ mediaType, data }) => [mediaType, sha256(data)]),
  ]
}

/** Of the platform: conversations may hold megabytes of images. */
function sha256(text: string): string {
  return hash("sha256", text)
}
