// Questions before commands and edits that wait for an answer, one at a time, in the order in which they came. What was
// begun before one was on the screen cannot be meant for it.
import type { Approval, ApprovalRequest } from "../../tools/host.ts"
import { type Answer, answerIn, type Question, questionOf } from "./approval.ts"

interface Waiting {
  readonly question: Question
  /** Who asks: a scheduled run, or a part of the work, has a session of its own. */
  readonly session: string
  readonly answer: (approval: Approval) => void
  /** It was on the screen. */
  readonly isShown: boolean
  /** Nothing is being written that was begun before that. */
  readonly isOpen: boolean
  /** A yes would be one to something that was never on the screen. */
  readonly isLocked: boolean
  /** All of it was on the screen, or was printed. */
  readonly isSeen: boolean
}

export interface Questions {
  readonly first: Waiting | undefined
  ask(request: ApprovalRequest, session: string): Promise<Approval>
  /** The first one is on the screen now. */
  shown(how: { readonly isWriting: boolean; readonly isLocked: boolean }): void
  /** Nothing is being written any more. */
  cleared(): void
  /** What a message says to the first one; nothing if it is a message like any other. */
  answerIn(message: string): Exclude<Answer, "stop"> | undefined
  /** All of the first one was printed. */
  seen(): void
  answer(approval: Approval): void
  /** Whatever waits is refused. */
  refuseAll(): void
}

export function openQuestions(): Questions {
  let waiting: readonly Waiting[] = []
  const change = (how: (first: Waiting) => Partial<Waiting>) => {
    waiting = waiting.map((one, at) => (at === 0 ? { ...one, ...how(one) } : one))
  }
  return {
    get first() {
      return waiting[0]
    },
    ask(request, session) {
      return new Promise((answer) => {
        const state = { isShown: false, isOpen: false, isLocked: true, isSeen: false }
        waiting = [...waiting, { question: questionOf(request), session, answer, ...state }]
      })
    },
    shown: ({ isWriting, isLocked }) =>
      change(({ isOpen, isSeen }) => ({
        isShown: true,
        isOpen: isOpen || !isWriting,
        isLocked,
        isSeen: isSeen || !isLocked,
      })),
    cleared: () => change(({ isShown }) => ({ isOpen: isShown })),
    answerIn(message) {
      const [first] = waiting
      const answer = first?.isOpen ? answerIn(message, first.question) : undefined
      return first?.isLocked && (answer === "yes" || answer === "always") ? "show" : answer
    },
    seen: () => change(() => ({ isSeen: true, isLocked: false })),
    answer(approval) {
      const [first, ...rest] = waiting
      // What another session asks was not on the screen, and "always" is not for it.
      const isSettled = ({ question, session }: Waiting) =>
        approval === "always" &&
        question.kind === first?.question.kind &&
        question.scope === first.question.scope &&
        session === first.session
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
