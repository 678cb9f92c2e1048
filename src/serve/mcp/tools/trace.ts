// `trace`: the newest calls of a session, why each missed the cache, and whose text one of them sent.
import { traceLines, traceOf } from "../../../record/ask/trace.ts"
import { shownEvent } from "../../api/sessions/shown-event.ts"
import { sightOf } from "../../api/sessions/sight.ts"
import { TRACE } from "../definitions.ts"
import { ABOUT_ANSWER, fields, listOf, NUMBER, TEXT, USD } from "./answer-schema.ts"
import { type FoundCalls, findCalls } from "./calls.ts"
import { type Found, type McpCall, mcpTool } from "./mcp-tool.ts"
import { sentBy } from "./sent-by.ts"
import { CALL_SCHEMA, lastMiss, MISS_SCHEMA, shownCall } from "./shown-call.ts"

const MOST_CALLS = 10
const MOST_PARTS = 12
const MOST_EVENTS = 40

const part = fields({ what: TEXT, tokens: NUMBER, read: NUMBER, costUsd: USD }, ["read"])

export const traceTool = mcpTool(TRACE, {
  answer: fields(
    {
      ...{
        client: TEXT,
        session: TEXT,
        otherSessions: listOf(TEXT),
        call: CALL_SCHEMA,
        lastMiss: MISS_SCHEMA,
      },
      ...{ sent: listOf(part), exact: { type: "boolean" }, note: TEXT, events: listOf(TEXT) },
      ...{ earlier: listOf(CALL_SCHEMA), ...ABOUT_ANSWER },
    },
    ["otherSessions", "lastMiss", "note", "events", "left"],
  ),
  async run({ id }, call) {
    const found = await findCalls(id, call, MOST_CALLS + 1)
    const { timeZone } = call.view
    const earlier = found.calls.filter(({ at, id: other }) => at <= found.call.at && other !== found.call.id)
    const detail = await found.source.call(call.view.reader, found.call.id)
    const events = await eventsOf(found, call)
    const miss = lastMiss([...earlier, found.call], timeZone)
    return {
      data: {
        ...{ client: found.call.client, session: found.session },
        ...(found.others.length > 0 && { otherSessions: found.others }),
        call: shownCall(found.call, timeZone),
        ...(miss && { lastMiss: miss }),
        sent: sentBy(detail?.parts ?? [], MOST_PARTS),
        exact: detail?.isExact ?? false,
        ...(detail?.incomplete && {
          note: `${detail.incomplete.why}. To know the next ones exactly: ${detail.incomplete.fix}`,
        }),
        ...(events.length > 0 && { events }),
        earlier: earlier.toReversed().map((row) => shownCall(row, timeZone)),
      },
      ...{
        lists: ["sent", "events", "earlier"],
        how: "trace with the id of an earlier call shows those before it",
      },
    } satisfies Found
  },
})

/** Of our own agent's turn, what the record has: trust, prompt, calls, tools, reply. */
async function eventsOf({ source, session, call: row }: FoundCalls, { view }: McpCall) {
  if (source.id !== "agent") return []
  const sight = sightOf(view.reader, session)
  const trace = await view.record((store) => traceOf(store, row.turn, sight))
  return trace === undefined ? [] : traceLines(trace, shownEvent(sight)).slice(0, MOST_EVENTS)
}
