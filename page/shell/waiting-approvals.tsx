// How many questions for approval wait, in the bar: a link to the session of the oldest.
import { useEffect } from "preact/hooks"
import { approvals, followApprovals, mayApprove } from "../data/approvals.ts"
import { counted } from "../parts/figures.ts"
import { currentView } from "./current-view.ts"
import { linkTo, place } from "./place.ts"

export function WaitingApprovals() {
  const isAllowed = mayApprove.value
  useEffect(() => (isAllowed ? followApprovals() : undefined), [isAllowed])
  const here = currentView.value?.name === "chat" ? place.value.session : undefined
  const [first, ...more] = approvals.value.filter(({ session }) => session !== here)
  if (first === undefined) return null
  const count = more.length + 1
  const text = counted(count, "approval")
  return (
    <a
      class="waiting"
      href={linkTo({ view: "chat", session: first.session, source: null, call: null })}
      aria-label={`${text} waiting in other sessions. Go to the oldest`}
    >
      <span class="waiting-long">{text}</span>
      <span class="waiting-short">{count} waiting</span>
    </a>
  )
}
