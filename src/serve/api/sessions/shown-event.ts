// A recorded event as its reader may see it: below full trust without costs, and without what tools were given.
import type { Sight } from "../../../database/contract/record/event-log.ts"
import { mayReadReasons } from "../../../record/ask/visibility.ts"
import type { StoredEvent } from "../../../record/write/event.ts"

export function shownEvent(sight: Sight | undefined): (event: StoredEvent) => StoredEvent {
  return mayReadReasons(sight) ? (event) => event : withoutWork
}

function withoutWork({ usage: _tokens, costUsd: _cost, ...event }: StoredEvent): StoredEvent {
  if (!/^(?:tool|memory)_/.test(event.type) || event.data === undefined) return event
  const { tool } = event.data
  return { ...event, data: tool === undefined ? {} : { tool } }
}
