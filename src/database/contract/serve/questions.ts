// Questions for approval that running turns ask. A question is stored so that any process can answer it; the turn goes
// on waiting in its own. If that process dies, the turn asks again under another id, and this question expires.

export interface NewQuestion {
  readonly id: string
  readonly agent: string
  readonly session: string
  /** Who caused it, in words. */
  readonly from: string
  /** What is asked, as JSON. */
  readonly request: string
  /** An answer after that counts as none. */
  readonly expiresInMs: number
}

export interface OpenQuestion extends Omit<NewQuestion, "expiresInMs"> {
  readonly at: number
  readonly expiresAt: number
}

/** `always`: the same kind of action for the rest of the session, where the agent lets an answer last. */
export const QUESTION_ANSWERS = ["yes", "always", "no"] as const
export type QuestionAnswer = (typeof QUESTION_ANSWERS)[number]

export interface Questions {
  ask(question: NewQuestion): Promise<void>
  /** Those that can still be answered, oldest first. */
  open(): Promise<readonly OpenQuestion[]>
  /** Answers once. Returns false if it is unknown, was answered or withdrawn, or has expired. */
  answer(id: string, answer: QuestionAnswer): Promise<boolean>
  /** Undefined if it has no answer. */
  answerTo(id: string): Promise<QuestionAnswer | undefined>
  /** Nobody waits for the answer any more. */
  withdraw(id: string): Promise<void>
}
