// Questions of a server to the person, while one of its tools runs: a page to open and a plain yes or no are asked like
// an approval, a form by whoever can show one. Where nobody can answer, the answer is no, and the person is told so.

import type { ApprovalRequest } from "../../../tools/host.ts"
import type { ServerAnswer, ServerForm, ServerQuestion } from "../../../tools/server-question.ts"
import type { Asker } from "../../setup/agent.ts"
import type { Services } from "../../setup/services.ts"
import { senderOf, type Work } from "../work.ts"

export type QuestionServices = Pick<Services, "approvals" | "workspace" | "people" | "clock" | "secrets">

export interface AskingRun {
  readonly signal: AbortSignal
  /** The id of the call. */
  readonly call: string
}

/** Never rejects: whatever goes wrong is no answer. */
export async function answerFor(
  services: QuestionServices,
  work: Work,
  run: AskingRun,
  given: ServerQuestion,
): Promise<ServerAnswer> {
  const { approvals, workspace, people, clock, secrets } = services
  const { session, waiting } = work
  const question = secrets.within(given)
  const asker = { signal: run.signal, session: session.id, from: senderOf(waiting.message), id: clock.id() }
  try {
    const answer = isForm(question)
      ? await filledIn(approvals.fill, work, { ...run, question, asker })
      : await confirmed(approvals, work, { ...run, question, asker })
    await workspace.refresh()
    return people.isCurrent(session, waiting.message) ? answer : { action: "cancel" }
  } catch {
    // Stopped while it was asked, or whoever asks failed.
    return { action: "cancel" }
  }
}

function isForm(question: ServerQuestion): question is ServerForm {
  return question.kind === "form" && question.fields.length > 0
}

interface Asking<Q extends ServerQuestion> extends AskingRun {
  readonly question: Q
  readonly asker: Asker
}

async function confirmed(
  approvals: QuestionServices["approvals"],
  work: Work,
  { question, asker, call }: Asking<ServerQuestion>,
): Promise<ServerAnswer> {
  const request = requestFor(question)
  const { approve, tell } = work
  if (!approvals.canAsk({ approve, request })) return declined(work, question)
  const said = await approvals.ask({
    ...{ request, asker, call, approve, tell },
    ruled: () => {},
    // The call has begun.
    whileAsked: (ask) => ask(),
  })
  return said === "no" ? { action: "decline" } : { action: "accept", content: {} }
}

function requestFor(question: ServerQuestion): ApprovalRequest {
  const { server, message: text } = question
  return { kind: "question", server, text, ...(question.kind === "page" && { page: question.url }) }
}

/** The events say that somebody is asked, and nothing of what they typed. */
async function filledIn(
  fill: QuestionServices["approvals"]["fill"],
  work: Work,
  { question, asker, call }: Asking<ServerForm>,
): Promise<ServerAnswer> {
  if (fill === undefined) return declined(work, question)
  const { id } = asker
  let answer: ServerAnswer = { action: "cancel" }
  work.tell({ kind: "approval-requested", id, call, request: requestFor(question) })
  try {
    answer = await beforeStop(fill(question, asker), asker.signal)
    return answer
  } finally {
    const said = answer.action === "cancel" ? "stopped" : answer.action === "accept" ? "yes" : "no"
    work.tell({ kind: "approval-finished", id, answer: said })
  }
}

async function beforeStop(filling: Promise<ServerAnswer>, signal: AbortSignal): Promise<ServerAnswer> {
  const { promise: stopped, resolve } = Promise.withResolvers<ServerAnswer>()
  const stop = () => resolve({ action: "cancel" })
  if (signal.aborted) stop()
  signal.addEventListener("abort", stop, { once: true })
  try {
    return await Promise.race([stopped, filling])
  } finally {
    signal.removeEventListener("abort", stop)
  }
}

const MOST_TEXT = 300

function declined({ scope, tell }: Work, { server, message }: ServerQuestion): ServerAnswer {
  const said = message.length > MOST_TEXT ? `${message.slice(0, MOST_TEXT)}...` : message
  const text = `The MCP server ${server} asked something that nobody can answer here, so it was declined: ${said}`
  scope.event("diagnostic", { level: "warn", data: { code: "question-declined", server, text } })
  tell({ kind: "diagnostic", level: "warning", text })
  return { action: "decline" }
}
