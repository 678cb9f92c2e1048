// `incipit_logs`: what happened, newest first, limited to what the caller may see. Repeated lines are merged.
import { DEFAULT_EVENTS, LOGS } from "../../profiles/incipit/tools/self.ts"
import { eventText, levelOf } from "../../record/ask/log.ts"
import { parseSince } from "../../record/ask/since.ts"
import { foldRepeats, repeatedText } from "../../record/ask/trace.ts"
import { seenEvents } from "../../record/ask/visibility.ts"
import { localTime } from "../../record/ask/zone.ts"
import type { Origin, StoredEvent } from "../../record/write/event.ts"
import { storedTypes } from "../../record/write/stored-event.ts"
import { type Answer, answered, type Line, sentenceAnswer } from "../answer.ts"
import { defineTool } from "../define-tool.ts"
import { ToolFailure } from "../host.ts"
import { sightOf, type ToolContext } from "../tool-context.ts"
import type { ToolInput } from "../tool-input.ts"

const MOST_COUNTED = 10_000

type Input = ToolInput<typeof LOGS.parameters>

export const logsTool = defineTool({
  ...LOGS,
  run: (input, context) => answered(LOGS.name, context, () => logs(input, context)),
})

async function logs(
  { since, limit = DEFAULT_EVENTS, ...filter }: Input,
  context: ToolContext,
): Promise<Answer> {
  const from = since === undefined ? undefined : parseSince(since, context.now(), context.timeZone)
  if (since !== undefined && from === undefined)
    throw new ToolFailure("The input is not valid: since: not a time; for example 12h, today, 2026-11-15.")
  const wanted = { ...filterOf(filter), since: from, sight: sightOf(context) }
  return context.record.read(async (store) => {
    const events = await seenEvents(store, { ...wanted, order: "newest", limit })
    // Beyond a limit the exact number is not useful, and counting takes time.
    const all = events.length < limit ? events.length : await store.events.count(wanted, MOST_COUNTED)
    if (all === 0) return sentenceAnswer("No events.")
    return {
      lines: foldRepeats(events).map((run) => lineOf(run, context.timeZone)),
      more: all - events.length,
      isAtLeast: all === MOST_COUNTED,
      noun: "event",
      narrow: "narrow it with level, event_type, since or limit",
    }
  })
}

function filterOf({ session_id: session, level, event_type: type, user }: Omit<Input, "since" | "limit">) {
  return { session, level, user, types: type === undefined ? undefined : storedTypes(type) }
}

function lineOf(run: ReturnType<typeof foldRepeats>[number], timeZone: string): Line {
  const { times } = run
  const [newest] = run.events
  const oldest = run.events.at(-1)
  if (newest === undefined || oldest === undefined) return { text: "", times: 0 }
  const time = timesText(localTime(oldest.at, timeZone), localTime(newest.at, timeZone))
  const origin = originOf(newest)
  const waitsMs = run.waitsMs.toReversed()
  const text =
    times === 1 ? eventText(newest, origin) : repeatedText({ event: newest, times, waitsMs }, origin)
  return { text: `${time} ${levelOf(newest)} ${text}`, times }
}

/** Enough for follow-up queries: the user, and the turn or trace. */
function originOf({ turn }: StoredEvent): readonly (keyof Origin)[] {
  return ["session", turn === undefined ? "trace" : "turn", "user", "channel"]
}

function timesText(from: string, to: string): string {
  if (from === to) return to
  return from.slice(0, 10) === to.slice(0, 10) ? `${from} to ${to.slice(11)}` : `${from} to ${to}`
}
