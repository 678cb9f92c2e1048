// `logs`: what happened, newest first, as far as the asker may see it.
import { eventText, levelOf } from "../../../record/ask/log.ts"
import { foldRepeats } from "../../../record/ask/trace.ts"
import { seenEvents } from "../../../record/ask/visibility.ts"
import { localTime } from "../../../record/ask/zone.ts"
import { isOperator } from "../../api/operator.ts"
import { shownEvent } from "../../api/sessions/shown-event.ts"
import { sightOf } from "../../api/sessions/sight.ts"
import { LOGS } from "../definitions.ts"
import { ABOUT_ANSWER, fields, listOf, NUMBER, TEXT } from "./answer-schema.ts"
import { sinceOf } from "./cost.ts"
import { badInput, type McpCall, mcpTool } from "./mcp-tool.ts"

const DEFAULT_EVENTS = 30
/** Beyond this, the exact number is of no use. */
const MOST_COUNTED = 10_000

const event = fields({ at: TEXT, level: TEXT, times: NUMBER, what: TEXT }, ["times"])

export const logsTool = mcpTool(LOGS, {
  answer: fields({ session: TEXT, events: listOf(event), ...ABOUT_ANSWER }, ["session", "left"]),
  async run({ since, level, session: named, limit = DEFAULT_EVENTS }, call) {
    const { view } = call
    const session = await sessionSeen(named, call)
    const sight = session === undefined ? undefined : sightOf(view.reader, session)
    const wanted = { session, level, since: sinceOf(since, view), sight }
    return view.record(async (store) => {
      const found = await seenEvents(store, { ...wanted, order: "newest", limit })
      const all = found.length < limit ? found.length : await store.events.count(wanted, MOST_COUNTED)
      const events = foldRepeats(found.map(shownEvent(sight))).flatMap(({ events: [newest], times }) =>
        newest === undefined
          ? []
          : [
              {
                ...{ at: localTime(newest.at, view.timeZone), level: levelOf(newest) },
                ...(times > 1 && { times }),
                what: eventText(newest, ["session", newest.turn === undefined ? "trace" : "turn", "user"]),
              },
            ],
      )
      return {
        data: { ...(session !== undefined && { session }), events },
        ...{ lists: ["events"], left: all - found.length, how: "narrow it with since, level or session" },
      }
    })
  },
})

/** Only an operator sees the events of all sessions; others see one of their own. */
async function sessionSeen(
  named: string | undefined,
  { view, client }: McpCall,
): Promise<string | undefined> {
  if (named === undefined && isOperator(view.reader)) return undefined
  const agent = (await view.sources()).find(({ id }) => id === "agent")
  const own = named === undefined ? await view.ownSession(client) : undefined
  const session = named ?? (own?.source.id === "agent" ? own.session : undefined)
  const isSeen =
    session !== undefined && (await agent?.calls(view.reader, { session, limit: 1 })) !== undefined
  if (!isSeen)
    throw badInput(named === undefined ? "you have no session here" : `there is no session ${named}`)
  return session
}
