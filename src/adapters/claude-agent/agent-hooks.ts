// What the hooks of the Claude Agent SDK tell, and what they may answer.
import { isRecord } from "../../base/is-record.ts"
import { guardPart } from "../../core/layout/guard-part.ts"
import type { Message } from "../../core/model/message.ts"

type Fields = Readonly<Record<string, unknown>>

/** What the SDK calls; it passes more than this. */
export interface ClaudeAgentHookInput {
  readonly hook_event_name: string
  /** Of a subagent. */
  readonly agent_id?: string
}

/** What our hooks answer. */
export interface ClaudeAgentHookAnswer {
  decision?: "block"
  reason?: string
  hookSpecificOutput?:
    | { hookEventName: "UserPromptSubmit"; additionalContext: string }
    | { hookEventName: "PostToolBatch"; additionalContext: string }
    | { hookEventName: "PostToolUse"; updatedToolOutput: unknown }
}

/** The words that were submitted. */
export function wordsOf(input: object): string {
  const { prompt }: Fields = { ...input }
  return typeof prompt === "string" ? prompt : ""
}

/** The model's text at the end of a turn; undefined if there is none. */
export function answerOf(input: object): Message | undefined {
  const { last_assistant_message: text }: Fields = { ...input }
  return typeof text === "string" && text !== ""
    ? { role: "assistant", parts: [{ kind: "text", text }] }
    : undefined
}

/** The calls of a batch and their results. */
export function batchOf(input: object): readonly Message[] {
  const { tool_calls: given }: Fields = { ...input }
  const calls = Array.isArray(given) ? given.filter(isRecord) : []
  if (calls.length === 0) return []
  return [
    {
      role: "assistant",
      parts: calls.map(({ tool_use_id: id, tool_name: name, tool_input: written }) => ({
        kind: "tool-call",
        id: String(id),
        name: String(name),
        input: written,
      })),
    },
    {
      role: "user",
      parts: calls.map(({ tool_use_id: id, tool_response: output }) => ({
        kind: "tool-result",
        id: String(id),
        text: outputText(output),
      })),
    },
  ]
}

/** The result of a tool without imitations of the compiler's tags; undefined if there are none. */
export function guardedOutput(input: object): { readonly output: unknown } | undefined {
  const { tool_response: output }: Fields = { ...input }
  const part = { kind: "native", format: "anthropic", value: { output } } as const
  const guarded = guardPart(part)
  return guarded === part || guarded.kind !== "native" ? undefined : { output: guarded.value.output }
}

function outputText(output: unknown): string {
  if (typeof output === "string") return output
  if (Array.isArray(output)) return output.map(outputText).join("\n")
  if (isRecord(output) && typeof output.text === "string") return output.text
  return output === undefined ? "" : JSON.stringify(output)
}
