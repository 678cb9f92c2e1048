// Approval questions that wait for an answer, one at a time, in order of arrival. A message begun before a question was
// on the screen cannot be its answer.
import type { Approval, ApprovalRequest } from "../../tools/host.ts"
import { type Answer, answerIn, type Question, questionOf } from "./approval.ts"

interface Waiting {
  readonly question: Question
  /** Which session asks: scheduled runs and delegated parts have separate ones. */
  readonly session: string
  readonly answer: (approval: Approval) => void
  /** Takes a text as the answer, for a field of a form. */
  readonly take?: (text: string) => void
  /** It has been on the screen. */
  readonly isShown: boolean
  /** No message is being written that was begun before that. */
  readonly isOpen: boolean
  /** Refuses a yes, because part of the question was never on the screen. */
  readonly isLocked: boolean
  /** All of it was on the screen, or was printed. */
  readonly isSeen: boolean
}

export interface Questions {
  readonly first: Waiting | undefined
  ask(request: ApprovalRequest, session: string): Promise<Approval>
  /** Asks for a text, until the signal comes. Returns undefined after a no. */
  askText(question: Question, by: AskedBy): Promise<string | undefined>
  /** Asks for a yes, until the signal comes. */
  confirm(question: Question, by: AskedBy): Promise<boolean>
  /** The first question is on the screen now. */
  shown(how: { readonly isWriting: boolean; readonly isLocked: boolean }): void
  /** The composer is empty now. */
  cleared(): void
  /** The answer to the first question in a message; undefined for an ordinary message. */
  answerIn(message: string): Exclude<Answer, "stop"> | undefined
  /** A message is the answer to the first question, which asks for a text. */
  readonly takesText: boolean
  /** Answers it. */
  take(text: string): void
  /** The whole first question was printed. */
  seen(): void
  answer(approval: Approval): void
  /** Refuses all waiting questions. */
  refuseAll(): void
}

export interface AskedBy {
  readonly session: string
  readonly signal: AbortSignal
}

const NEW = { isShown: false, isOpen: false, isLocked: true, isSeen: false }

export function openQuestions(): Questions {
  let waiting: readonly Waiting[] = []
  const withdrawn = <T>(signal: AbortSignal, one: Waiting, asked: Promise<T>) => {
    const withdraw = () => {
      waiting = waiting.filter(({ question }) => question !== one.question)
      one.answer("no")
    }
    waiting = [...waiting, one]
    if (signal.aborted) withdraw()
    signal.addEventListener("abort", withdraw, { once: true })
    return asked.finally(() => signal.removeEventListener("abort", withdraw))
  }
  const change = (how: (first: Waiting) => Partial<Waiting>) => {
    waiting = waiting.map((one, at) => (at === 0 ? { ...one, ...how(one) } : one))
  }
  return {
    get first() {
      return waiting[0]
    },
    ask(request, session) {
      return new Promise((answer) => {
        waiting = [...waiting, { question: questionOf(request), session, answer, ...NEW }]
      })
    },
    askText(question, { session, signal }) {
      const { promise, resolve } = Promise.withResolvers<string | undefined>()
      const one = { question, session, answer: () => resolve(undefined), take: resolve, ...NEW }
      return withdrawn(signal, one, promise)
    },
    confirm(question, { session, signal }) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const one = { question, session, answer: (said: Approval) => resolve(said !== "no"), ...NEW }
      return withdrawn(signal, one, promise)
    },
    get takesText() {
      return waiting[0]?.take !== undefined && waiting[0].isOpen
    },
    take(text) {
      const [first, ...rest] = waiting
      waiting = rest
      first?.take?.(text)
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
      const answer = first?.isOpen && first.take === undefined ? answerIn(message, first.question) : undefined
      return first?.isLocked && (answer === "yes" || answer === "always") ? "show" : answer
    },
    seen: () => change(() => ({ isSeen: true, isLocked: false })),
    answer(approval) {
      const [first, ...rest] = waiting
      // "Always" does not cover another session, whose question was not on the screen.
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
