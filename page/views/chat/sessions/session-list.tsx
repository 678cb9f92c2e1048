// The list of sessions: search, the newest first, and a new one.
import { useEffect, useState } from "preact/hooks"
import { approvals } from "../../../data/approvals.ts"
import { info } from "../../../data/info.ts"
import { moment } from "../../../parts/figures.ts"
import { visibleName } from "../../../parts/visible-text.ts"
import { whoText } from "../../../parts/who-text.ts"
import { linkTo } from "../../../shell/place.ts"
import { useTargets } from "../../../shell/search.tsx"
import { isRunning, liveVersion } from "../turns/live-turns.ts"
import type { ListedSession, SessionPages } from "./session-pages.ts"

export interface SessionListProps {
  readonly pages: SessionPages
  readonly session: string | undefined
}

/** How far back a search looks by itself. */
const MOST_SEARCHED = 1_000

export function SessionList({ pages, session }: SessionListProps) {
  const { sessions = [], problem, hasMore, readMore } = pages
  const [words, setWords] = useState("")
  const found = sessions.filter((one) => fits(one, words))
  const isSearching = words.trim() !== ""
  useEffect(() => {
    if (isSearching && hasMore && sessions.length < MOST_SEARCHED) readMore()
  }, [isSearching, hasMore, sessions.length])
  useTargets(
    sessions.map(({ id, title, who, agent }) => ({
      kind: "session",
      title: titleOf(title),
      words: `${who ?? ""} ${agent}`,
      to: { view: "chat", source: null, session: id, call: null },
    })),
  )
  return (
    <nav class="sessions" aria-label="Sessions">
      <a class="button" href={linkTo({ session: null, call: null, source: null })}>
        New session
      </a>
      <input
        type="search"
        aria-label="Search sessions"
        placeholder="Search sessions"
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      {problem !== undefined && <p class="bad small">{problem}</p>}
      <ul>
        {found.map((one) => (
          <li key={one.id}>
            <SessionLink listed={one} isCurrent={one.id === session} />
          </li>
        ))}
      </ul>
      {found.length === 0 && pages.sessions !== undefined && (
        <p class="quiet small">{isSearching ? "No session has these words." : "No sessions yet."}</p>
      )}
      {hasMore && !isSearching && (
        <button type="button" class="plain" onClick={readMore}>
          Older sessions
        </button>
      )}
    </nav>
  )
}

function SessionLink({ listed, isCurrent }: { readonly listed: ListedSession; readonly isCurrent: boolean }) {
  const { id, title, agent, who, usedAt } = listed
  // Read, so that it is drawn again when a turn begins or ends.
  void liveVersion.value
  const isAsking = approvals.value.some((one) => one.session === id)
  const state = isAsking ? "asks for approval" : isRunning(id) ? "working" : undefined
  const facts = [
    ...(state === undefined ? [] : [state]),
    moment(Date.parse(usedAt)),
    ...((info.value?.agents.length ?? 0) > 1 ? [visibleName(agent)] : []),
    ...(who === null ? [] : [whoText(who)]),
  ]
  return (
    <a
      class="session-link"
      href={linkTo({ view: "chat", source: null, session: id, call: null })}
      aria-current={isCurrent ? "page" : undefined}
    >
      <span class="cut" dir="auto" title={titleOf(title)}>
        {titleOf(title)}
      </span>
      <span class="quiet small cut">{facts.join(" · ")}</span>
    </a>
  )
}

function fits({ title, agent, who }: ListedSession, words: string): boolean {
  const hay = `${title} ${agent} ${who ?? ""}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => hay.includes(word))
}

export function titleOf(title: string): string {
  return title === "" ? "Untitled" : visibleName(title)
}
