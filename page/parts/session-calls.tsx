// The way of a view to the calls of the session in the address: the choice of a session, and what is said while there is
// none, or while its calls are on their way.
import type { ComponentChildren, ComponentType } from "preact"
import type { CallRow } from "../../src/serve/page/shown.ts"
import { useCalls, useSessions } from "../data/calls.ts"
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
  if (problem !== undefined) return <Problem text={problem} onRetry={reload} />
  if (sessions === undefined) return <Loading what="the sessions" />
  const session = place.value.session ?? sessions[0]?.id
  if (session === undefined) return <Empty title="No sessions yet">{none}</Empty>
  return (
    <div class={name}>
      <h1 class="spoken">{heading}</h1>
      <SessionSelect sessions={sessions} value={session} />
      <Calls session={session} show={show} />
    </div>
  )
}

function Calls({ session, show: Shown }: Pick<SessionCallsProps, "show"> & { readonly session: string }) {
  const { value: calls, problem, reload } = useCalls(session)
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
