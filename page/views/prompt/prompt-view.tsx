// The main view: one call as the model received it, and the way to it through the session's calls.
import { useCalls, useSessions } from "../../data/calls.ts"
import { info } from "../../data/info.ts"
import { Empty, Loading, Problem } from "../../parts/notice.tsx"
import { SessionSelect } from "../../parts/session-select.tsx"
import { place } from "../../shell/place.ts"
import { CallView } from "./call-view.tsx"
import "./prompt.css"

export default function PromptView() {
  const { value: sessions, problem, reload } = useSessions()
  if (problem !== undefined) return <Problem text={problem} onRetry={reload} />
  if (sessions === undefined) return <Loading what="the sessions" />
  const session = place.value.session ?? sessions[0]?.id
  if (session === undefined) return <NoSessions />
  return (
    <div class="prompt">
      <h1 class="spoken">Prompt</h1>
      <SessionSelect sessions={sessions} value={session} />
      <SessionCalls session={session} />
    </div>
  )
}

function SessionCalls({ session }: { readonly session: string }) {
  const { value: calls, problem, reload, isCurrent } = useCalls(session)
  if (problem !== undefined) return <Problem text={problem} onRetry={reload} />
  // Of another session, until this one is there.
  if (calls === undefined || (!isCurrent && calls[0]?.session !== session))
    return <Loading what="the calls" />
  if (calls.length === 0)
    return (
      <Empty title="No calls in this session">
        <p>Nothing was sent to a model here yet, or the record of it was removed.</p>
      </Empty>
    )
  return <CallView key={session} session={session} calls={calls} />
}

function NoSessions() {
  const hasChat = info.value?.mode === "serve" && info.value.caller.scopes.includes("talk")
  return (
    <Empty title="No sessions yet">
      {hasChat ? (
        <p>
          Write a message in the chat, and its prompt appears here. <a href="/?view=chat">Open the chat</a>
        </p>
      ) : (
        <p>As soon as a model was called, its prompt appears here.</p>
      )}
    </Empty>
  )
}
