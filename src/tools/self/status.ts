// `incipit_status`: the state of channels, sessions, memory and the record, limited to what the caller may see.
import type { SharedMemory } from "../../memory/shared-memory.ts"
import { STATUS } from "../../profiles/incipit/tools/self.ts"
import { bare, eventText, quoted } from "../../record/ask/log.ts"
import { type ChannelStatus, type Status, statusOf } from "../../record/ask/status.ts"
import { foldRepeats, repeatedText } from "../../record/ask/trace.ts"
import { localTime } from "../../record/ask/zone.ts"
import { type Answer, answered, isUnreadable, lineOf } from "../answer.ts"
import { defineTool } from "../define-tool.ts"
import { sightOf, type ToolContext } from "../tool-context.ts"

export const statusTool = defineTool({
  ...STATUS,
  run: (_input, context) => answered(STATUS.name, context, () => status(context)),
})

async function status(context: ToolContext): Promise<Answer> {
  const { record, now, memory, timeZone } = context
  const sight = sightOf(context)
  const found = await record.read((store) => statusOf(store, { now: now(), health: record.health(), sight }))
  const time = (at: number | undefined) => (at === undefined ? "never" : localTime(at, timeZone))
  return {
    head: [`now ${time(now())}`],
    lines: [
      ...found.channels.map((channel) => channelText(channel, time)),
      ...sessionTexts(found, time),
      ...errorTexts(found, time),
      ...(memory === undefined ? [] : memoryTexts(memory, context)),
      ...recordTexts(found, time),
      ...found.prices.map(
        ({ source, rows, date, ageDays }) =>
          `prices ${bare(source)}: rows=${rows} checked=${date} age=${ageDays}d`,
      ),
    ].map(lineOf),
  }
}

type Time = (at: number | undefined) => string

function channelText({ channel, lastMessageAt, errors, lastError, lastErrorAt }: ChannelStatus, time: Time) {
  const last = lastError === undefined ? "" : ` last_error=${quoted(lastError)}`
  const failed = errors === 0 ? "" : ` at ${time(lastErrorAt)}${last}`
  return `channel ${bare(channel)}: last message ${time(lastMessageAt)}, errors=${errors}${failed}`
}

const MOST_SESSIONS = 10

function sessionTexts({ sessions, windowMs }: Status, time: Time): readonly string[] {
  const hours = Math.round(windowMs / 3_600_000)
  const left = sessions.length - MOST_SESSIONS
  return [
    `sessions active in the last ${hours} h: ${sessions.length}`,
    ...sessions
      .slice(0, MOST_SESSIONS)
      .map(
        ({ session, lastAt, events }) =>
          `  ${bare(session)}: last activity ${time(lastAt)}, events=${events}`,
      ),
    ...(left > 0 ? [`  ${left} more`] : []),
  ]
}

function errorTexts({ errors }: Status, time: Time): readonly string[] {
  const runs = foldRepeats(errors).map(({ events, times, waitsMs }) => {
    const [event] = events
    if (event === undefined) return ""
    const text =
      times === 1 ? eventText(event) : repeatedText({ event, times, waitsMs: waitsMs.toReversed() })
    return `  ${time(event.at)} ${text}`
  })
  return [errors.length === 0 ? "errors: none" : "last errors:", ...runs]
}

/** A failure of memory does not affect the rest of the answer. */
function memoryTexts(memory: SharedMemory, { trust }: ToolContext): readonly string[] {
  try {
    return memory.status({ trust }).stores.map(({ name, files, units, tokens, fresh, changed }) => {
      const state = fresh ? "fresh" : `changed=${changed}`
      return `memory ${bare(name)}: files=${files} entries=${units} tokens=${tokens} ${state}`
    })
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return ["memory: cannot be read right now"]
  }
}

/** Other callers only learn that there is a record: everybody's events change its figures. */
function recordTexts({ record }: Status, time: Time): readonly string[] {
  if (record === undefined) return ["record: on"]
  const { health, bytes, logBytes, oldestAt } = record
  const failed = health.lastError === undefined ? "" : ` last_error=${quoted(health.lastError)}`
  return [
    `record: size=${bytes} log=${logBytes} oldest ${time(oldestAt)} waiting=${health.waiting} dropped=${health.dropped}${failed}`,
  ]
}
