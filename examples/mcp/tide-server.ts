// A small MCP server: tides at Ytterholm, on stdin and stdout. `node examples/mcp/tide-server.ts` runs it; an agent
// starts it if its `incipit.yaml` names it under `mcp:` and you have approved that.
import { McpServer } from "@modelcontextprotocol/server"
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { z } from "zod"

/** High water of the first tide of the day, in minutes after midnight; each day it comes 50 minutes later. */
const FIRST_HIGH = 190
const DAILY_SHIFT = 50
const HALF_TIDE = 373
const DAY = 1440

const server = new McpServer(
  { name: "tides", version: "1.0.0" },
  {
    instructions: "Times are local. Ask for the crossing, not for the tides, if somebody wants to walk over.",
  },
)

server.registerTool(
  "tides",
  {
    description: "High and low water at Ytterholm on a day of the month.",
    inputSchema: z.object({ day: z.int().min(1).max(31).describe("the day of the month") }),
    // Says that it changes nothing, so that nobody is asked before it is called.
    annotations: { readOnlyHint: true },
  },
  ({ day }) => text(tidesOf(day).map(({ kind, at }) => `${kind} water ${clock(at)}`)),
)

server.registerTool(
  "crossing",
  {
    description: "When the causeway can be walked: an hour and a half before and after low water.",
    inputSchema: z.object({ day: z.int().min(1).max(31).describe("the day of the month") }),
    annotations: { readOnlyHint: true },
  },
  ({ day }) => {
    const low = tidesOf(day).filter(({ kind }) => kind === "low")
    return text(low.map(({ at }) => `${clock(at - 90)} to ${clock(at + 90)}`))
  },
)

await server.connect(new StdioServerTransport())

function tidesOf(day: number) {
  const first = (FIRST_HIGH + (day - 1) * DAILY_SHIFT) % (2 * HALF_TIDE)
  return [-1, 0, 1, 2, 3]
    .map((step) => ({ kind: step % 2 === 0 ? "high" : "low", at: first + step * HALF_TIDE }))
    .filter(({ at }) => at >= 0 && at < DAY)
}

function clock(minutes: number): string {
  const inDay = (minutes + DAY) % DAY
  return [Math.floor(inDay / 60), inDay % 60].map((part) => String(part).padStart(2, "0")).join(":")
}

function text(lines: readonly string[]) {
  return { content: [{ type: "text" as const, text: lines.join("\n") }] }
}
