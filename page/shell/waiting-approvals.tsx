// How many questions for approval wait, in the bar: a link to the session of the oldest.
import { useEffect } from "preact/hooks"
import { approvals, followApprovals, mayApprove } from "../data/approvals.ts"
import { currentView } from "./current-view.ts"
import { linkTo, place } from "./place.ts"

export function WaitingApprovals() {
  const isAllowed = mayApprove.value
  useEffect(() => (isAllowed ? followApprovals() : undefined), [isAllowed])
  const here = currentView.value?.name === "chat" ? place.value.session : undefined
  const [first, ...more] = approvals.value.filter(({ session }) => session !== here)
  if (first === undefined) return null
  const text = more.length === 0 ? "1 approval" : `${more.length + 1} approvals`
  return (
    <a
      class="waiting"
      href={linkTo({ view: "chat", session: first.session, source: null, call: null })}
      aria-label={`${text} waiting in other sessions. Go to the oldest`}
    >
      {text}
    </a>
  )
}
