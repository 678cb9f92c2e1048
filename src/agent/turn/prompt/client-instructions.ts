// The instructions that a client sends with its messages, as a section of the session, in every profile. Written by the
// person who talks, so they have no more weight than that person's messages.
import type { HeadOptions } from "../../../core/epoch/head.ts"
import type { Section } from "../../../core/model/section.ts"

export function clientEdits({
  instructions,
}: {
  readonly instructions?: string
}): NonNullable<HeadOptions["edits"]> {
  const text = instructions?.trim() ?? ""
  if (text === "") return {}
  const added: Section = {
    ...{ id: "client-instructions", pace: "session", priority: "high", trust: "public", cut: "lines" },
    content: { parts: [{ text }] },
  }
  return { session: [{ kind: "add", by: "client", section: added }] }
}
