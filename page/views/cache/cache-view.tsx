// Cache: what each call of a session read, wrote and sent uncached, every miss with its cause and price, and what the
// same calls would have cost in other ways.
import type { CallRow } from "../../../src/serve/page/shown.ts"
import { useCalls, useSessions } from "../../data/calls.ts"
import { Empty, Loading, Problem } from "../../parts/notice.tsx"
import { SessionSelect } from "../../parts/session-select.tsx"
import { Timeline } from "../../parts/timeline/timeline.tsx"
import { usePlayhead } from "../../parts/timeline/use-playhead.ts"
import { place } from "../../shell/place.ts"
import { CacheBar } from "./cache-bar.tsx"
import "./cache.css"
import { MissList } from "./miss-list.tsx"
import { OtherWays } from "./other-ways.tsx"

export default function CacheView() {
  const { value: sessions, problem, reload } = useSessions()
  if (problem !== undefined) return <Problem text={problem} onRetry={reload} />
  if (sessions === undefined) return <Loading what="the sessions" />
  const session = place.value.session ?? sessions[0]?.id
  if (session === undefined)
    return (
      <Empty title="No sessions yet">
        <p>As soon as a model was called, this view shows what its provider's cache did.</p>
      </Empty>
    )
  return (
    <div class="cache">
      <h1 class="spoken">Cache</h1>
      <SessionSelect sessions={sessions} value={session} />
      <SessionCache session={session} />
    </div>
  )
}

function SessionCache({ session }: { readonly session: string }) {
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
  return <CacheOfCalls key={session} session={session} calls={calls} />
}

interface CallsProps {
  readonly session: string
  readonly calls: readonly CallRow[]
}

function CacheOfCalls({ session, calls }: CallsProps) {
  const [at, move] = usePlayhead(calls)
  if (!calls.some(({ usage }) => usage !== null))
    return (
      <Empty title="No cache figures">
        <p>
          What a provider read from its cache is shown to readers with full trust, once it has answered. The
          calls themselves are in the view Prompt.
        </p>
      </Empty>
    )
  return (
    <>
      <CacheBar calls={calls} />
      <Timeline calls={calls} at={at} onMove={move} />
      <MissList calls={calls} at={at} onMove={move} />
      <OtherWays session={session} />
    </>
  )
}
