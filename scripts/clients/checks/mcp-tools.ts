// Whether a real client can use our MCP server: its model calls our tools, and what they really answered is in the next
// request. Clients load the definitions of such tools only when the model looks for them, which it does here.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { isRecord } from "../../../src/base/is-record.ts"
import type { Check } from "../check.ts"
import { objectsOf } from "../provider/wire-blocks.ts"
import type { Session } from "../run-client.ts"
import type { Change } from "../scenario.ts"
import { mainCalls } from "../wire-truth.ts"

const FACT = "The west lantern is lit last."

/** What the person asks for, one after the other. */
export const MEMORY_TASKS = [
  `Please call: memory ${JSON.stringify({ do: "write", text: FACT })}`,
  `Please call: memory ${JSON.stringify({ do: "search", query: "lantern" })}`,
] as const

/** The model is changed before the call that will be cold. */
export const COLD_TASKS = [
  "Please read: README.md",
  "Please answer: what is this folder?",
  "Please call: trace {}",
]
export const COLD_TURNS: readonly (Change | undefined)[] = [undefined, "model", undefined]

/** `folder`: where the server keeps memory. */
export function checkMemoryTool(session: Session, from: "stdio" | "http", folder: string): Check {
  const [written, found] = answersIn(session)
  const path = typeof written?.path === "string" ? written.path.replace(/:\d+$/, "") : undefined
  const isKept = path !== undefined && readFileSync(join(folder, "memory", path), "utf8").includes(FACT)
  const isFound = JSON.stringify(found?.hits ?? "").includes(FACT)
  return {
    ...{ name: "mcp", client: session.client.name, from, what: "memory: write, then search" },
    holds: isKept && isFound,
    result: `${isKept ? `in ${path}` : "not written"}; ${isFound ? "found" : "not found"} in the next request`,
  }
}

/** Why was a call cold? The answer must be about this session's own calls, as they crossed the wire. */
export function checkColdCall(session: Session): Check {
  const [answer] = answersIn(session)
  const rows = [...objectsOf(answer?.earlier), ...(isRecord(answer?.call) ? [answer.call] : [])]
  const row = rows.find(({ missed }) => missed === "model-changed")
  const calls = mainCalls(session.calls)
  const cold = calls.find(({ model }, at) => at > 0 && model !== calls[at - 1]?.model)
  const isThatCall = row !== undefined && cold !== undefined && row.model === cold.model
  const isPriced =
    cold !== undefined && row?.output === cold.usage.output && row.uncached === cold.usage.uncached
  const names = isRecord(answer?.lastMiss) ? `last miss: ${answer.lastMiss.why}` : "no last miss"
  return {
    ...{ name: "mcp", client: session.client.name, from: "wrap", what: "trace: why was my call cold?" },
    holds: isThatCall && isPriced && isRecord(answer?.lastMiss),
    result: `${isThatCall ? `${row?.missed}, ${row?.missedTokens} tokens` : "not named"}${isPriced ? "" : "; other tokens than on the wire"}; ${names}`,
  }
}

/** What our tools answered, in the order of the calls: as it stands in the last request. */
function answersIn({ calls }: Session): readonly Readonly<Record<string, unknown>>[] {
  const body = calls.at(-1)?.body ?? {}
  const items = [
    ...objectsOf(body.input),
    ...objectsOf(body.messages).flatMap(({ content }) => objectsOf(content)),
  ]
  const results = items.filter(({ type }) => type === "tool_result" || type === "function_call_output")
  return results.flatMap(({ content, output }) => {
    const text = typeof content === "string" ? content : String(output ?? "")
    const start = text.indexOf("{")
    // Results of the client's own tools are no data of ours.
    if (start === -1 || !text.includes('"tokens":')) return []
    const data: unknown = JSON.parse(text.slice(start))
    return isRecord(data) ? [data] : []
  })
}
