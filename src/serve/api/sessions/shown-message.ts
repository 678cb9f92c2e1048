// What a reader sees of a conversation: what people and the agent said. What the compiler added is left out, and the
// inputs and results of tools are for those with full trust, as they are while a turn runs.
import { z } from "zod"
import type { Message } from "../../../core/model/message.ts"
import type { StoredItem } from "../../../database/contract/transcripts.ts"

export const messageSchema = z.strictObject({
  seq: z.int().describe("Its place in the conversation."),
  turn: z.string().nullable(),
  at: z.iso.datetime(),
  kind: z
    .enum(["message", "note", "command", "summary", "branch"])
    .describe("`summary` stands for what came before; `branch` says what a fork left behind."),
  role: z.enum(["user", "assistant"]),
  text: z.string(),
  by: z.string().nullable().describe("Who said it, in a room."),
  calls: z.array(z.strictObject({ id: z.string(), name: z.string(), input: z.unknown().optional() })),
  results: z.array(z.strictObject({ id: z.string(), text: z.string(), isError: z.boolean() })),
  files: z.array(z.strictObject({ mediaType: z.string(), name: z.string().nullable() })),
})

export type ShownMessage = z.infer<typeof messageSchema>

/** Undefined for what this reader doesn't see. */
export function shownMessage(stored: StoredItem, hasFullTrust: boolean): ShownMessage | undefined {
  const { seq, turn = null, item } = stored
  const place = { seq, turn, at: new Date(stored.at).toISOString() }
  const said = { ...place, role: "user" as const, by: null, calls: [], results: [], files: [] }
  switch (item.kind) {
    case "summary":
    case "branch":
      return { ...said, kind: item.kind, text: item.text }
    case "custom":
      return { ...said, kind: "note", text: item.text, by: item.by }
    case "shell":
      return hasFullTrust ? { ...said, kind: "command", text: `${item.command}\n${item.output}` } : undefined
    case "message": {
      const shown = { ...said, kind: "message" as const, ...partsOf(item.message, hasFullTrust) }
      const isEmpty =
        shown.text === "" && shown.calls.length + shown.results.length + shown.files.length === 0
      return isEmpty ? undefined : { ...shown, by: item.by?.name ?? null }
    }
  }
}

function partsOf({ role, parts }: Message, hasFullTrust: boolean) {
  return {
    role,
    text: parts
      .flatMap((part) => (part.kind === "text" && part.tail !== true ? [part.text] : []))
      .join("\n\n"),
    calls: parts.flatMap((part) =>
      part.kind === "tool-call"
        ? [{ id: part.id, name: part.name, ...(hasFullTrust && { input: part.input }) }]
        : [],
    ),
    results: parts.flatMap((part) =>
      part.kind === "tool-result" && hasFullTrust
        ? [{ id: part.id, text: part.text, isError: part.isError === true }]
        : [],
    ),
    files: parts.flatMap((part) => {
      if (part.kind !== "native" || part.format !== "file") return []
      const { mediaType, name } = part.value
      return [{ mediaType: String(mediaType), name: typeof name === "string" ? name : null }]
    }),
  }
}
