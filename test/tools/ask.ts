// Asks a tool in a session, as the agent of that session would.
import type { Recorder } from "../../src/record/write/record.ts"
import { o200k } from "../../src/tokens/o200k.ts"
import { INTROSPECTION_TOOLS } from "../../src/tools/self/introspection.ts"
import type { Caller, ToolContext } from "../../src/tools/tool-context.ts"

export const owner: Caller = { session: "abc", user: "alice", trust: "full", situation: "dm", isOwner: true }

export type Ask = (tool: string, input?: unknown, more?: Partial<ToolContext>) => Promise<string>

export function asking(record: Recorder, asker: Caller, now: string, timeZone = "Europe/Stockholm"): Ask {
  const context: ToolContext = { ...asker, record, now: () => Date.parse(now), timeZone, counter: o200k }
  return async (name, input, more) => {
    const tool = INTROSPECTION_TOOLS.find((item) => item.name === name)
    if (tool === undefined) throw new Error(`no tool ${name}`)
    return tool.run(input, { ...context, ...more })
  }
}
