// Chooses the source and the session that a view is about. The browser's own lists, so that they work everywhere.
import type { ShownSession } from "../../src/serve/page/shown.ts"
import { go } from "../shell/place.ts"
import { useTargets } from "../shell/search.tsx"
import { moment } from "./figures.ts"
import { SourceSelect } from "./source-select.tsx"
import { visibleName } from "./visible-text.ts"
import { whoText } from "./who-text.ts"

export interface SessionSelectProps {
  readonly sessions: readonly ShownSession[]
  readonly value: string | undefined
}

export function SessionSelect({ sessions, value }: SessionSelectProps) {
  useTargets(
    sessions.map(({ id, title, client, who }) => ({
      kind: "session",
      title: titleOf(title),
      words: `${client} ${who ?? ""}`,
      to: { session: id, call: null },
    })),
  )
  return (
    <div class="session-select">
      <SourceSelect />
      <select
        aria-label="Session"
        value={value ?? ""}
        onChange={(event) => go({ session: event.currentTarget.value, call: null })}
      >
        {!sessions.some(({ id }) => id === value) && <option value={value}>Not in this list</option>}
        {sessions.map((session) => (
          <option key={session.id} value={session.id}>
            {sessionText(session)}
          </option>
        ))}
      </select>
    </div>
  )
}

/** A session in a list. */
export function sessionText({ title, client, who, lastAt }: ShownSession): string {
  const facts = [
    ...(client === "incipit" ? [] : [client]),
    ...(who === null ? [] : [whoText(who)]),
    moment(lastAt),
  ]
  return `${titleOf(title)} · ${visibleName(facts.join(" · "))}`
}

function titleOf(title: string): string {
  return title === "" ? "Untitled" : visibleName(title)
}
