// A question for approval: what is about to be done, in full, and the answers. It stays above the field for writing, so
// it is seen wherever one reads.
import { useEffect, useState } from "preact/hooks"
import { type Approval, type ApprovalAnswer, answerApproval, readApprovals } from "../../../data/approvals.ts"
import { problemText } from "../../../data/ask.ts"
import { span } from "../../../parts/figures.ts"
import { ScrollBox } from "../../../parts/scroll-box.tsx"
import { useKeys } from "../../../shell/keys.ts"
import { ChangeView } from "./change-view.tsx"
import { type ShownRequest, shownRequest } from "./shown-request.ts"
import { Spelled } from "./spelled.tsx"
import "./approval.css"

export interface ApprovalCardProps {
  readonly approval: Approval
  /** How many wait after this one. */
  readonly more: number
  /** Says what became of it. */
  readonly onOver: (text: string) => void
}

const DONE = {
  yes: "Approved.",
  always: "Approved for the rest of this session.",
  no: "Not approved.",
} as const
const TOO_LATE = "This question was answered elsewhere, or it has expired."

export function ApprovalCard({ approval, more, onOver }: ApprovalCardProps) {
  const { id, request, from, expiresAt } = approval
  const shown = shownRequest(request)
  const [problem, setProblem] = useState<string>()
  const [isSending, setIsSending] = useState(false)
  const left = useTimeLeft(expiresAt)
  const answer = (given: ApprovalAnswer) => {
    if (isSending) return
    setIsSending(true)
    answerApproval(id, given)
      .then((counts) => onOver(counts ? DONE[given] : TOO_LATE))
      .catch((error: unknown) => setProblem(problemText(error)))
      .finally(() => setIsSending(false))
  }
  return (
    <section class="approval" aria-label="Approval">
      <h2>
        <Spelled text={shown.title} />
      </h2>
      <p class="quiet small">
        {[...shown.facts, `on behalf of ${from}`, left <= 0 ? "expired" : `expires in ${span(left)}`].map(
          (fact, at) => (
            <span key={fact}>
              {at > 0 && " · "}
              <Spelled text={fact} />
            </span>
          ),
        )}
        {more > 0 && ` · ${more} more after this`}
      </p>
      <Asked shown={shown} />
      {problem !== undefined && <p class="bad">{problem}</p>}
      <Answers mayLast={shown.mayLast} isOff={isSending} onAnswer={answer} />
    </section>
  )
}

function Asked({ shown: { text, change } }: { readonly shown: ShownRequest }) {
  return (
    <>
      {text !== undefined && (
        <ScrollBox class="asked mono" label="What is asked">
          <Spelled text={text} />
        </ScrollBox>
      )}
      {change !== undefined && <ChangeView {...change} />}
    </>
  )
}

interface AnswersProps {
  readonly mayLast: boolean
  readonly isOff: boolean
  readonly onAnswer: (answer: ApprovalAnswer) => void
}

function Answers({ mayLast, isOff, onAnswer }: AnswersProps) {
  useKeys([
    { key: "y", does: "approve what is asked", isOnce: true, run: () => onAnswer("yes") },
    {
      key: "a",
      does: "approve it for the rest of the session",
      isOnce: true,
      run: () => mayLast && onAnswer("always"),
    },
    { key: "n", does: "do not approve it", isOnce: true, run: () => onAnswer("no") },
  ])
  // The second click of a double click was meant for the question before this one.
  const press = (answer: ApprovalAnswer) => (event: MouseEvent) => {
    if (event.detail < 2) onAnswer(answer)
  }
  return (
    <div class="chat-row">
      <button type="button" class="main" disabled={isOff} onClick={press("yes")}>
        Yes
      </button>
      {mayLast && (
        <button type="button" disabled={isOff} onClick={press("always")} title="For the rest of this session">
          Always
        </button>
      )}
      <button type="button" disabled={isOff} onClick={press("no")}>
        No
      </button>
    </div>
  )
}

/** In milliseconds, by the clock of this machine; the server decides. */
function useTimeLeft(expiresAt: string): number {
  const until = Date.parse(expiresAt)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const left = until - now
  const isOver = left <= 0
  useEffect(() => {
    if (isOver) void readApprovals()
  }, [isOver])
  return left
}
