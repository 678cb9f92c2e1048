// `incipit logs`: events of the record by filter and text, newest last; with --follow also new ones.
import { IncipitError } from "../../../base/error.ts"
import { EVENT_TYPES, type EventType } from "../../../base/event-types.ts"
import { nearest } from "../../../base/nearest.ts"
import type { RecordStore } from "../../../database/contract/record/record-store.ts"
import { eventText, quoted } from "../../../record/ask/log.ts"
import { followEvents, isSearchable, type LogFilter, queryEvents } from "../../../record/ask/logs.ts"
import { localTime } from "../../../record/ask/zone.ts"
import type { StoredEvent } from "../../../record/write/event.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import type { Terminal } from "../../terminal.ts"
import { painter } from "../../views/colour.ts"
import { rangeOf, withRecord } from "./record-file.ts"

/** How often --follow looks for new events. */
const LOOK_MS = 250

export async function run({ flags, terminal }: Invocation<"logs">): Promise<number> {
  return withRecord(flags, terminal, async (store) => {
    const filter = filterOf(flags, terminal)
    const { limit } = flags
    // Read before the query, so that events written in between are left to --follow and shown once.
    const after = await store.events.lastId()
    const events = await queryEvents(store, { ...filter, limit: limit + 1 })
    const found = events.filter(({ id }) => id <= after)
    const print = (event: StoredEvent) => terminal.out(`${eventLine(event, flags, terminal)}\n`)
    // Queried newest first, to get the newest; shown in chronological order.
    for (const event of found.slice(0, limit).toReversed()) print(event)
    if (found.length > limit) terminal.err(`Older events are not shown (--limit ${limit}).\n`)
    if (found.length === 0 && !flags.follow) terminal.err("No events match.\n")
    if (flags.follow) await followNew(store, { filter, after, terminal, print })
    return 0
  })
}

interface Following {
  readonly filter: LogFilter
  /** The last event before following. */
  readonly after: number
  readonly terminal: Terminal
  readonly print: (event: StoredEvent) => void
}

async function followNew(store: RecordStore, { filter, after, terminal, print }: Following): Promise<void> {
  let isStopped = false
  const stopped = terminal.stopped().then(() => {
    isStopped = true
  })
  const wait = async () => {
    await Promise.race([stopped, new Promise((done) => setTimeout(done, LOOK_MS))])
    return !isStopped
  }
  for await (const event of followEvents(store, filter, { wait, after })) print(event)
}

function filterOf(flags: FlagsOf<"logs">, terminal: Terminal): LogFilter {
  const { session, user, channel, turn, level } = flags
  return {
    ...{ session, user, channel, turn, level },
    text: searched(flags.search),
    types: flags.type?.map(typeOf),
    ...rangeOf(flags, terminal),
  }
}

/** Words made of punctuation alone are not indexed, and without words everything would match. */
function searched(text: string | undefined): string | undefined {
  if (text === undefined || isSearchable(text)) return text
  throw new IncipitError("bad-argument", `--search is ${quoted(text)}, which has no word to search for`)
}

function typeOf(name: string): EventType {
  // The keys of the table are the types.
  const known = Object.keys(EVENT_TYPES) as readonly EventType[]
  const found = known.find((type) => type === name)
  if (found !== undefined) return found
  const [near] = nearest(name, known)
  const hint = near === undefined ? `there are ${known.join(", ")}` : `did you mean ${near}?`
  throw new IncipitError("bad-argument", `there is no event type "${name}" (${hint})`)
}

function eventLine(event: StoredEvent, flags: FlagsOf<"logs">, terminal: Terminal): string {
  if (flags.json) return JSON.stringify(event)
  const paint = painter(terminal)
  const time = paint("dim", localTime(event.at, terminal.timeZone))
  const text = `${time} ${event.level.padEnd(5)} ${eventText(event, ["channel", "user", "trust", "session", "turn"])}`
  if (event.level === "error") return paint("red", text)
  return event.level === "warn" ? paint("yellow", text) : text
}
