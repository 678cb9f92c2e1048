// Questions before commands and edits that wait for an answer, one at a time, in the order in which they came.
import type { Approval, ApprovalRequest } from "../../tools/host.ts"
import { type Question, questionOf } from "./approval.ts"

interface Waiting {
  readonly question: Question
  readonly answer: (approval: Approval) => void
  /** Somebody was writing when it came, so their keys are not answers until they say so. */
  readonly isHeld: boolean
}

export interface Questions {
  readonly first: Waiting | undefined
  ask(request: ApprovalRequest, isHeld: boolean): Promise<Approval>
  /** The keys are for the first question from now on. */
  turnTo(): void
  /** Or no longer. */
  turnAway(): void
  answer(approval: Approval): void
  /** Whatever waits is refused. */
  refuseAll(): void
}

export function openQuestions(): Questions {
  let waiting: readonly Waiting[] = []
  const hold = (isHeld: boolean) => {
    waiting = waiting.map((one, at) => (at === 0 ? { ...one, isHeld } : one))
  }
  return {
    get first() {
      return waiting[0]
    },
    ask(request, isHeld) {
      return new Promise((answer) => {
        waiting = [...waiting, { question: questionOf(request), answer, isHeld }]
      })
    },
    turnTo: () => hold(false),
    turnAway: () => hold(true),
    answer(approval) {
      const [first, ...rest] = waiting
      const isSettled = ({ question }: Waiting) =>
        approval === "always" && question.kind === first?.question.kind
      waiting = rest.filter((one) => !isSettled(one))
      first?.answer(approval)
      for (const one of rest.filter(isSettled)) one.answer(approval)
    },
    refuseAll() {
      const all = waiting
      waiting = []
      for (const { answer } of all) answer("no")
    },
  }
}
