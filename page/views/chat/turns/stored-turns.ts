// A transcript as turns: messages of one turn belong together, and results belong to their calls.
import type { ShownMessage } from "../../../../src/serve/api/sessions/shown-message.ts"
import type { Entry, ShownTurn } from "./entry.ts"

export function storedTurns(messages: readonly ShownMessage[]): readonly ShownTurn[] {
  const groups: { turn: string | null; first: ShownMessage; messages: ShownMessage[] }[] = []
  for (const message of messages) {
    const last = groups.at(-1)
    if (last !== undefined && last.turn === message.turn && message.turn !== null) last.messages.push(message)
    else groups.push({ turn: message.turn, first: message, messages: [message] })
  }
  return groups.map(({ turn, first, messages: own }) => ({
    key: turn ?? `at ${first.seq}`,
    turn,
    at: Date.parse(first.at),
    state: "done",
    isStored: true,
    entries: entriesOf(own),
  }))
}

function entriesOf(messages: readonly ShownMessage[]): readonly Entry[] {
  const results = new Map(
    messages.flatMap(({ results: own }) => own.map((result) => [result.id, result] as const)),
  )
  return messages.flatMap((message): readonly Entry[] => {
    const { seq, kind, role, text, by, files, calls } = message
    const key = `stored ${seq}`
    if (kind !== "message") return [{ kind: "line", key, text: lineOf(message), level: "quiet" }]
    if (role === "user")
      return text === "" && files.length === 0 ? [] : [{ kind: "said", key, text, by, files }]
    const answer: readonly Entry[] = text === "" ? [] : [{ kind: "answer", key, text, isOpen: false }]
    return [
      ...answer,
      ...calls.map(({ id, name, input }): Entry => {
        const found = results.get(id)
        return {
          ...{ kind: "tool", key: id, name, input, parts: [] },
          result: found && { text: found.text, isError: found.isError },
          ...{ durationMs: undefined, asked: undefined },
        }
      }),
    ]
  })
}

function lineOf({ kind, text }: ShownMessage): string {
  if (kind === "summary") return `Summary of what came before: ${text}`
  return kind === "command" ? `Command: ${text}` : text
}
