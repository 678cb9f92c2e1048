// A plan that waits: its text as it would be sent, and what can be done with it. Not drawn as Markdown: a part of the
// text would not be seen.
import { useEffect, useState } from "preact/hooks"
import { ask, problemText } from "../../../data/ask.ts"
import { changes } from "../../../data/live.ts"
import { useLoaded } from "../../../data/load.ts"
import { ScrollBox } from "../../../parts/scroll-box.tsx"
import { Spelled } from "../approval/spelled.tsx"

export interface PlanCardProps {
  readonly session: string
  /** Sends the message that has the plan carried out. */
  readonly onGo: (message: string) => void
  readonly onChange: () => void
}

interface WaitingPlan {
  readonly name: string
  readonly status: "proposed" | "changed" | "approved"
  readonly goal: string
  readonly text: string
}

interface Waiting {
  readonly session: string
  readonly plan: WaitingPlan | null
}

/** What was shown in each session, also while a turn ran in between: another plan has to be read first. */
const shownPlans = new Map<string, WaitingPlan>()

export function PlanCard({ session, ...rest }: PlanCardProps) {
  const { value, reload } = useLoaded(`${session} ${changes.value}`, (signal) =>
    ask<Waiting>(pathOf(session), { signal }),
  )
  if (value?.session !== session) return null
  if (value.plan === null) shownPlans.delete(session)
  return value.plan && <Card key={session} {...{ session, ...rest, reload }} newest={value.plan} />
}

interface CardProps extends PlanCardProps {
  readonly newest: WaitingPlan
  readonly reload: () => void
}

function Card({ session, newest, reload, onGo, onChange }: CardProps) {
  const [shown, setShown] = useState(shownPlans.get(session) ?? newest)
  const [problem, setProblem] = useState<string>()
  const [state, setState] = useState<"open" | "sending" | "over">("open")
  const { name, text } = shown
  const isOther = name !== newest.name || text !== newest.text
  const said = isOther ? "The plan has changed. Read it again." : problem
  const isApproved = newest.status === "approved"
  const isOff = state !== "open" || isOther
  useEffect(() => void shownPlans.set(session, shown), [shown])
  const answer = (given: "approve" | "dismiss") => {
    setProblem(undefined)
    setState("sending")
    ask<{ readonly message: string | null }>(pathOf(session), { body: { answer: given, name, text } })
      .then(
        ({ message }) => {
          shownPlans.delete(session)
          setState("over")
          if (message !== null) onGo(message)
        },
        (error: unknown) => {
          setProblem(problemText(error))
          setState("open")
        },
      )
      .finally(reload)
  }
  if (state === "over" && !isOther) return null
  // The second click of a double click was meant for what stood here before.
  const once = (run: () => void) => (event: MouseEvent) => {
    if (event.detail < 2) run()
  }
  return (
    <section class="approval" aria-label="Plan">
      <h2>
        {isApproved ? "Carry out" : "Go ahead with"} the plan “<Spelled text={shown.goal} />
        ”?
      </h2>
      {isApproved && <p class="quiet small">Approved, not yet carried out.</p>}
      <ScrollBox class="asked mono" label="The plan">
        <Spelled text={text} />
      </ScrollBox>
      {said !== undefined && (
        <p class="bad" role="alert">
          {said}
        </p>
      )}
      <div class="chat-row">
        {isOther && (
          <button
            type="button"
            onClick={() => {
              setShown(newest)
              setProblem(undefined)
              setState("open")
            }}
          >
            Read the new plan
          </button>
        )}
        <button type="button" class="main" disabled={isOff} onClick={once(() => answer("approve"))}>
          {isApproved ? "Carry out" : "Go ahead"}
        </button>
        {!isApproved && (
          <button
            type="button"
            disabled={isOff}
            onClick={() => {
              shownPlans.delete(session)
              onChange()
            }}
          >
            Ask for changes
          </button>
        )}
        <button type="button" class="plain" disabled={isOff} onClick={once(() => answer("dismiss"))}>
          Dismiss
        </button>
      </div>
    </section>
  )
}

function pathOf(session: string): string {
  return `/api/sessions/${encodeURIComponent(session)}/plan`
}
