// Questions for approval of all agents that a gateway serves. A question waits for the first answer of any surface: the
// page or a program over HTTP, in this process or another one, or the owner on a channel. Without one in time it is a no.
import type { Approve, Asker } from "../../agent/setup/agent.ts"
import type { Sender } from "../../database/contract/sender.ts"
import type { OpenQuestion, QuestionAnswer, Questions } from "../../database/contract/serve/questions.ts"
import type { ApprovalRequest } from "../../tools/host.ts"

/** A question that can be answered now. Only for those who may approve: it shows commands and files in full. */
export interface OpenApproval extends Omit<OpenQuestion, "request"> {
  readonly request: ApprovalRequest
}

export interface ApprovalDesk {
  /** Oldest first. */
  open(): Promise<readonly OpenApproval[]>
  /** The first answer counts. Returns false if the question is unknown, was answered, or has expired. */
  answer(id: string, answer: QuestionAnswer): Promise<boolean>
  /** Asks for an agent. `also`: asks one person at the same time, on a channel. */
  approverFor(agent: string, also?: Approve): Approve
}

export interface DeskOptions {
  readonly questions: Questions
  readonly expiresInMs: number
  /** How often to look for an answer that another process took. */
  readonly lookEveryMs?: number
}

export function createApprovalDesk({
  questions,
  expiresInMs,
  lookEveryMs = 1_000,
}: DeskOptions): ApprovalDesk {
  const waiting = new Map<string, (answer: QuestionAnswer) => void>()
  const answer: ApprovalDesk["answer"] = async (id, said) => {
    const isFirst = await questions.answer(id, said)
    if (isFirst) waiting.get(id)?.(said)
    return isFirst
  }
  return {
    answer,
    open: async () => (await questions.open()).map(approvalOf),
    approverFor: (agent, also) => async (request, asker) => {
      const { id, session, from } = asker
      const { promise, resolve } = Promise.withResolvers<QuestionAnswer>()
      const ended = new AbortController()
      const signal = AbortSignal.any([asker.signal, ended.signal, AbortSignal.timeout(expiresInMs)])
      signal.addEventListener("abort", () => resolve("no"), { once: true })
      const timer = setInterval(() => void look(), lookEveryMs)
      const look = async () => {
        const said = await questions.answerTo(id).catch(() => undefined)
        if (said !== undefined) resolve(said)
      }
      waiting.set(id, resolve)
      try {
        await questions.ask({
          id,
          agent,
          session,
          from: nameOf(from),
          request: JSON.stringify(request),
          expiresInMs,
        })
        void askedOn(also, request, { ...asker, signal }).then(
          (said) => said && answer(id, said).catch(() => {}),
        )
        return await promise
      } finally {
        clearInterval(timer)
        waiting.delete(id)
        ended.abort()
        await questions.withdraw(id).catch(() => {})
      }
    },
  }
}

/** Undefined if nobody is asked there, or if asking failed: others may still answer. */
async function askedOn(
  also: Approve | undefined,
  request: ApprovalRequest,
  asker: Asker,
): Promise<QuestionAnswer | undefined> {
  const said = await also?.(request, asker).catch(() => undefined)
  return said === "always" ? "yes" : said
}

function nameOf({ sender, as, channel }: Sender): string {
  return sender ?? as ?? channel ?? "the owner"
}

function approvalOf({ request, ...question }: OpenQuestion): OpenApproval {
  // Only `approverFor` writes it.
  return { ...question, request: JSON.parse(request) as ApprovalRequest }
}
