// Every event of every turn, for a program that shows people what is going on. Who may see an event is decided when it
// is shown, since the configuration may change in between.
import type { Incoming } from "../../database/contract/inbox.ts"
import type { SessionKey, StoredSession } from "../../database/contract/sessions.ts"
import type { Services } from "../setup/services.ts"
import { eventFor } from "./event-for-person.ts"
import type { LiveEvent } from "./live-event.ts"

export interface WatchedTurn {
  readonly turn: string
  readonly message: Incoming
  readonly session: StoredSession
}

/** Passes on the events of a turn, without the agent's own keys. */
export function watcher(
  { people, secrets, watch }: Pick<Services, "people" | "secrets" | "watch">,
  { turn, message, session }: WatchedTurn,
): (event: LiveEvent) => void {
  const { id, agent, who, situation, trust, mode } = session
  const facts = { agent, session: id, turn, trace: message.under?.trace ?? turn, trust }
  // Events outlive their turn, so they must not hold the session with its prompt.
  const key: Omit<SessionKey, "entry"> = { agent, who, situation, trust, mode }
  return (heard) => {
    // Most events are not looked at by anybody.
    const event = once(() => (heard.kind === "turn-finished" ? heard : secrets.within(heard)))
    watch({
      ...facts,
      length: charactersIn(heard),
      get event() {
        return event()
      },
      for: (reader) =>
        people.mayRead(key, reader) ? eventFor(people.keyOf(reader).trust, event()) : undefined,
    })
  }
}

/** Of all names and texts in a value, however deep. */
function charactersIn(value: object): number {
  const open: unknown[] = [value]
  let sum = 0
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === "string") sum += next.length
    else if (typeof next === "object" && next !== null)
      for (const [name, inner] of Object.entries(next)) {
        sum += name.length
        open.push(inner)
      }
  }
  return sum
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
