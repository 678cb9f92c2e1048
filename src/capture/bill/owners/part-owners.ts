// Whose a part of a request is, as far as its place alone says: a tool's definition, call or result, the client's system
// text, or a message. Knows no files.
import type { OwnedSpan, Owner } from "../../owner.ts"
import type { CallPart } from "../../split/part.ts"

/** One span for each part; the same object for the same part, so that it is looked up once. */
export function createPartOwners(): (part: CallPart) => readonly OwnedSpan[] {
  const known = new WeakMap<CallPart, readonly OwnedSpan[]>()
  return (part) => {
    const { tokens, text } = part
    const spans = known.get(part) ?? [{ start: 0, end: text.length, tokens, owner: ownerOf(part) }]
    known.set(part, spans)
    return spans
  }
}

function ownerOf({ kind, tool, input, role }: CallPart): Owner {
  if (kind === "tool") {
    const [, server, name] = /^mcp__(.+?)__(.+)$/.exec(tool ?? "") ?? []
    return server === undefined
      ? { kind: "tool", name: tool, match: "exact" }
      : { kind: "mcp-tool", server, name, match: "exact" }
  }
  if (kind === "system") return { kind: "client", name: "system", match: "exact" }
  if (kind === "tool-result") return { kind: "tool-result", name: tool, input, match: "exact" }
  return { kind: role === "assistant" ? "output" : "conversation", name: role, match: "exact" }
}
