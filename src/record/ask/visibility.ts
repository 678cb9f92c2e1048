// Stored events, as far as the caller may read them: error texts are for the operator. Which events it sees at all is
// decided by the query.
import type { EventPage, Sight } from "../../database/contract/record/event-log.ts"
import type { EventRow } from "../../database/contract/record/event-row.ts"
import type { RecordStore } from "../../database/contract/record/record-store.ts"
import type { StoredEvent } from "../write/event.ts"
import { storedEvent } from "../write/stored-event.ts"

export async function seenEvents(store: RecordStore, page: EventPage): Promise<readonly StoredEvent[]> {
  return shownTo(page.sight, await store.events.find(page))
}

export function shownTo(sight: Sight | undefined, rows: readonly EventRow[]): readonly StoredEvent[] {
  return rows.map(storedEvent).map((event) => (mayReadReasons(sight) ? event : withoutReason(event)))
}

/** Error texts come from a provider or a server and are for the operator. */
export function mayReadReasons(sight: Sight | undefined): boolean {
  return sight === undefined || sight.trust === "full"
}

function withoutReason({ error: _words, ...event }: StoredEvent): StoredEvent {
  if (event.type !== "diagnostic" || event.data === undefined) return event
  const { code } = event.data
  return { ...event, data: { code } }
}
