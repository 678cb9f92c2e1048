// Questions for approval of all agents that a gateway serves. A question waits for the first answer of any surface: the
// page or a program over HTTP, in this process or another one, or the owner on a channel. Without one in time it is a no.
import type { Approve, Asker } from "../../agent/setup/agent.ts"
import type { Sender } from "../../database/contract/sender.ts"
import type { OpenQuestion, QuestionAnswer, Questions } from "../../database/contract/serve/questions.ts"
import { NO_WAKE_UPS, type WakeUps } from "../../database/contract/wake.ts"
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
  /** Answers what is open and all that is asked from now on with no. Resolves when the questions are removed. */
  close(): Promise<void>
}

export interface DeskOptions {
  readonly questions: Questions
  readonly wakeUps?: WakeUps
  readonly expiresInMs: number
  /** How often to look for an answer that another process took. */
  readonly lookEveryMs?: number
}

export function createApprovalDesk(options: DeskOptions): ApprovalDesk {
  const { questions } = options
  const open = new Map<string, (answer: QuestionAnswer) => void>()
  const asking = new Set<Promise<QuestionAnswer>>()
  const closed = new AbortController()
  const answer: ApprovalDesk["answer"] = async (id, said) => {
    const isFirst = await questions.answer(id, said)
    if (isFirst) open.get(id)?.(said)
    return isFirst
  }
  return {
    answer,
    open: async () => (await questions.open()).map(approvalOf),
    approverFor: (agent, also) => (request, asker) => {
      const { promise: answered, resolve } = Promise.withResolvers<QuestionAnswer>()
      open.set(asker.id, resolve)
      const signal = AbortSignal.any([asker.signal, closed.signal])
      const question = { agent, request, asker: { ...asker, signal }, answered, resolve }
      const asked = ask(options, question, async (until) => {
        const said = await askedOn(also, request, { ...asker, signal: until })
        if (said !== undefined) await answer(asker.id, said)
      })
      asking.add(asked)
      return asked.finally(() => {
        open.delete(asker.id)
        asking.delete(asked)
      })
    },
    async close() {
      closed.abort()
      await Promise.allSettled(asking)
    },
  }
}

interface Asked {
  readonly agent: string
  readonly request: ApprovalRequest
  readonly asker: Asker
  readonly answered: Promise<QuestionAnswer>
  readonly resolve: (answer: QuestionAnswer) => void
}

/** Stores the question, waits for an answer, and removes it. `elsewhere` asks beside that, until its signal aborts. */
async function ask(
  {
    questions,
    expiresInMs,
    wakeUps = NO_WAKE_UPS,
    lookEveryMs = wakeUps.areSent ? 5_000 : 1_000,
  }: DeskOptions,
  { agent, request, asker, answered, resolve }: Asked,
  elsewhere: (signal: AbortSignal) => Promise<void>,
): Promise<QuestionAnswer> {
  const { id, session, from } = asker
  const ended = new AbortController()
  const signal = AbortSignal.any([asker.signal, ended.signal, AbortSignal.timeout(expiresInMs)])
  if (signal.aborted) return "no"
  signal.addEventListener("abort", () => resolve("no"), { once: true })
  const look = async () => {
    const said = await questions.answerTo(id)
    if (said !== undefined) resolve(said)
  }
  // A store that cannot be read now may be readable at the next look.
  const timer = setInterval(() => void look().catch(() => {}), lookEveryMs)
  const stop = wakeUps.listen(({ kind }) => {
    if (kind === "approval") void look().catch(() => {})
  })
  try {
    const text = JSON.stringify(request)
    await questions.ask({ id, agent, session, from: nameOf(from), request: text, expiresInMs })
    elsewhere(signal).catch(() => {})
    return await answered
  } finally {
    clearInterval(timer)
    stop()
    ended.abort()
    await questions.withdraw(id).catch(() => {})
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
