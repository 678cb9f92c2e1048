// A plan that waits: its text as it would be approved, and what can be done with it.
import { useState } from "preact/hooks"
import { ask, problemText } from "../../../data/ask.ts"
import { changes } from "../../../data/live.ts"
import { useLoaded } from "../../../data/load.ts"
import { MarkdownText } from "../../../parts/markdown/markdown-text.tsx"
import { ScrollBox } from "../../../parts/scroll-box.tsx"
import { visibleName } from "../../../parts/visible-text.ts"

export interface PlanCardProps {
  readonly session: string
  /** Sends the message that has the plan carried out. */
  readonly onGo: (message: string) => void
  readonly onChange: () => void
}

interface WaitingPlan {
  readonly session: string
  readonly plan: { readonly name: string; readonly goal: string; readonly text: string } | null
}

export function PlanCard({ session, onGo, onChange }: PlanCardProps) {
  const path = `/api/sessions/${encodeURIComponent(session)}/plan`
  const { value, reload } = useLoaded(`${session} ${changes.value}`, (signal) =>
    ask<WaitingPlan>(path, { signal }),
  )
  const [problem, setProblem] = useState<string>()
  if (value?.session !== session || value.plan === null) return null
  const { name, goal, text } = value.plan
  const answer = (given: "approve" | "dismiss") => {
    setProblem(undefined)
    ask<{ readonly message: string | null }>(path, { body: { answer: given, name, text } })
      .then(
        ({ message }) => message !== null && onGo(message),
        (error: unknown) => setProblem(problemText(error)),
      )
      .finally(reload)
  }
  return (
    <section class="approval" aria-label="Plan">
      <h2>Go ahead with the plan “{visibleName(goal)}”?</h2>
      <details class="fold">
        <summary>Show the plan</summary>
        <ScrollBox class="asked" label="The plan">
          <MarkdownText text={text} />
        </ScrollBox>
      </details>
      {problem !== undefined && <p class="bad">{problem}</p>}
      <div class="chat-row">
        <button type="button" class="main" onClick={() => answer("approve")}>
          Go ahead
        </button>
        <button type="button" onClick={onChange}>
          Ask for changes
        </button>
        <button type="button" class="plain" onClick={() => answer("dismiss")}>
          Dismiss
        </button>
      </div>
    </section>
  )
}
