// The chat: the sessions at the side, the conversation, what waits for approval, and where one writes.
import { useEffect, useState } from "preact/hooks"
import { isConnected } from "../../data/live.ts"
import { Dialog } from "../../parts/dialog.tsx"
import { useKeys } from "../../shell/keys.ts"
import { go, place } from "../../shell/place.ts"
import { ChatMain } from "./chat-main.tsx"
import "./chat.css"
import { SessionList, titleOf } from "./sessions/session-list.tsx"
import { useSessionPages } from "./sessions/session-pages.ts"
import { followTurns } from "./turns/live-turns.ts"

export default function ChatView() {
  const { source, session: named } = place.value
  // A session of another client cannot be continued here.
  const session = source === undefined || source === "agent" ? named : undefined
  const [isListOpen, setIsListOpen] = useState(false)
  const pages = useSessionPages(session)
  useEffect(followTurns, [])
  useEffect(() => setIsListOpen(false), [session])
  useKeys([
    { key: "N", does: "begin a new session", run: () => go({ session: null, call: null, source: null }) },
  ])
  const listed = pages.sessions?.find(({ id }) => id === session)
  return (
    <div class="chat">
      <aside class="chat-side">
        <SessionList pages={pages} session={session} />
      </aside>
      <div class="chat-main">
        <div class="chat-top chat-row">
          <h1 class="spoken" dir="auto">
            {session === undefined ? "New session" : titleOf(listed?.title ?? "Session")}
          </h1>
          <button type="button" class="plain chat-open-list" onClick={() => setIsListOpen(true)}>
            ☰ Sessions
          </button>
          {isConnected.value === false && (
            <p class="small quiet" role="status">
              Connection lost. Connecting again …
            </p>
          )}
        </div>
        <ChatMain session={session} />
      </div>
      {isListOpen && (
        <Dialog title="Sessions" class="chat-list" onClose={() => setIsListOpen(false)}>
          <SessionList pages={pages} session={session} />
        </Dialog>
      )}
    </div>
  )
}
