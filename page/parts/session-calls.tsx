// The way of a view to the calls of the session in the address: the choice of a session, and what is said while there is
// none, or while its calls are on their way.
import type { ComponentChildren, ComponentType } from "preact"
import type { CallRow } from "../../src/serve/page/shown.ts"
import { useCalls, useSessions } from "../data/calls.ts"
import type { Loaded } from "../data/load.ts"
import { place } from "../shell/place.ts"
import { Empty, Loading, Problem } from "./notice.tsx"
import { SessionSelect } from "./session-select.tsx"

export interface CallsProps {
  readonly session: string
  /** At least one. */
  readonly calls: readonly CallRow[]
}

export interface SessionCallsProps {
  /** Of the view; it is not drawn. */
  readonly heading: string
  readonly class: string
  /** Said while there is no session. */
  readonly none: ComponentChildren
  readonly show: ComponentType<CallsProps>
}

export function SessionCalls({ heading, class: name, none, show }: SessionCallsProps) {
  const { value: sessions, problem, reload } = useSessions()
  const session = place.value.session ?? sessions?.[0]?.id
  const calls = useCalls(session)
  if (problem !== undefined) return <Problem text={problem} onRetry={reload} />
  if (sessions === undefined) return <Loading what="the sessions" />
  if (session === undefined) return <Empty title="No sessions yet">{none}</Empty>
  return (
    <div class={name}>
      <h1 class="spoken">{heading}</h1>
      <SessionSelect sessions={sessions} value={session} />
      <Calls session={session} show={show} loaded={calls} />
    </div>
  )
}

interface OwnCallsProps extends Pick<SessionCallsProps, "show"> {
  readonly session: string
  readonly loaded: Loaded<readonly CallRow[]>
}

function Calls({ session, show: Shown, loaded }: OwnCallsProps) {
  const { value: calls, problem, isGone, reload } = loaded
  if (isGone)
    return (
      <Empty title="This session isn't here any more">
        <p>Choose another one above.</p>
      </Empty>
    )
  if (problem !== undefined) return <Problem text={problem} onRetry={reload} />
  if (calls === undefined) return <Loading what="the calls" />
  if (calls.length === 0)
    return (
      <Empty title="No calls in this session">
        <p>Nothing was sent to a model here yet, or the record of it was removed.</p>
      </Empty>
    )
  const { call } = place.value
  return (
    <>
      {call !== undefined && !calls.some(({ id }) => id === call) && (
        <p role="status">The call of this link isn't in this session any more. Here is the newest one.</p>
      )}
      <Shown key={session} session={session} calls={calls} />
    </>
  )
}
