// Sends a message to the agent: receives it, has it processed and delivers its answer.
import { IncipitError } from "../../base/error.ts"
import type { Waiting } from "../../database/contract/inbox.ts"
import type { SessionFacts } from "../../database/contract/sessions.ts"
import { isTrouble, quietly } from "../../database/tolerate.ts"
import { folderIdentity, folderKey } from "../../files/identity.ts"
import type { Deliver } from "../setup/agent.ts"
import type { Services } from "../setup/services.ts"
import type { LiveEvent, SentReply } from "../turn/live-event.ts"
import { NEVER_STOPPED } from "../turn/never-stopped.ts"
import { mayKnowWhy, plainTrouble } from "../turn/provider/failure-words.ts"
import { replyWithoutSteps } from "../turn/work.ts"
import type { Awaited } from "./awaited.ts"
import { giveWay } from "./give-way.ts"
import { createLine } from "./lease.ts"
import { answerFor, listener } from "./present-audience.ts"
import { type DeliverServices, deliver, type Queue } from "./queue.ts"
import { type ReceiveOptions, type ReceiveServices, receive } from "./receive.ts"
import type { Worker, WorkerOptions } from "./worker.ts"

export interface SendServices extends ReceiveServices, DeliverServices, Pick<Services, "workspace"> {
  readonly worker: Pick<Worker, "settle">
  readonly awaited: Pick<Awaited, "during">
  readonly queue: Pick<Queue, "whileAwaited" | "deliverBefore" | "deliverInOrder">
}

/** Returns undefined for a run of the schedule that was claimed elsewhere. */
export type Send = (text: string, given?: ReceiveOptions) => Promise<SentReply | undefined>

export function createSend(services: SendServices): Send {
  const { workspace, people, secrets, clock, queue, awaited } = services
  const { root, isFolder } = workspace.current()
  const checkFolder = isFolder ? folderCheck(root) : () => {}
  const inLine = createLine()
  let told: IncipitError | undefined
  return async (text, given = {}) => {
    const { tell, observe } = listeners(secrets, given)
    checkFolder()
    await giveWay()
    await workspace.refresh()
    const say = listener(people, { from: given }, { tell, observe })
    const problem = workspace.problem()
    // The last good configuration applies; tell the person who changed it, once.
    if (problem !== undefined && problem !== told)
      say({ kind: "diagnostic", level: "warning", text: problem.message })
    told = problem
    const { turn = clock.id() } = given
    return queue.whileAwaited(turn, async () => {
      // Stored over a network, a later message could be there before an earlier one.
      const waiting = await inLine(lineOf(given), () => receive(services, text, { ...given, turn }))
      // A message that was received before has a turn already.
      return waiting && awaited.during(waiting.turn, () => answerTo(services, waiting, given))
    })
  }
}

/** Messages of one sender keep their order. */
function lineOf({ as, channel, sender, isLocal, situation, session }: ReceiveOptions): string {
  return JSON.stringify([as, channel, sender, isLocal, situation, session])
}

type AnswerOptions = Pick<
  ReceiveOptions,
  "signal" | "tell" | "observe" | "deliver" | "approve" | "outerCall" | "background" | "isPart" | "arrival"
> &
  Pick<WorkerOptions, "isUrgent">

/** Has a stored message processed, or the rest of its turn, and delivers the answer. */
export async function answerTo(
  services: SendServices,
  waiting: Waiting,
  given: AnswerOptions,
): Promise<SentReply> {
  const { people, store, secrets, worker, queue } = services
  const { signal = NEVER_STOPPED, deliver: give = receiverOf(given), approve, outerCall, isUrgent } = given
  const { tell, observe } = listeners(secrets, given)
  const [person, operator] = [untilFinished(tell), untilFinished(observe)]
  const options = { signal, tell: person.hear, observe: operator.hear, approve, outerCall, isUrgent }
  const { made, isAnswer } = await settled(services, waiting, () => worker.settle(waiting, options))
  const session = await quietly(() => store.sessions.facts(made.session))
  const reply = sentReply(people, { waiting, session, made })
  const { prompt: _plan, ...plain } = reply
  // The answer came from another process or from the store.
  const missed = { tell: person.missed, observe: operator.missed }
  listener(people, { from: waiting.message }, missed)({ kind: "turn-finished", reply: plain })
  // The turn that took the message up has its own receiver.
  if (made.turn !== waiting.turn) return reply
  // A channel sends one answer to each message, and the real one comes later.
  if (!isAnswer && given.arrival !== undefined) return reply
  const own = { ...waiting, session: reply.session }
  // A chat shows what it receives in the order of arrival.
  if (given.arrival !== undefined && (await queue.deliverInOrder(own))) return reply
  await queue.deliverBefore(own)
  await deliver(services, { reply: made, message: waiting, session }, give)
  return reply
}

function listeners(secrets: Pick<Services["secrets"], "within">, given: AnswerOptions) {
  const { tell = () => {}, observe = () => {} } = given
  return { tell: withoutSecrets(secrets, tell), observe: withoutSecrets(secrets, observe) }
}

/** The sender of a message receives its answer, unless it was sent in the background. */
function receiverOf({ background, isPart }: AnswerOptions): Deliver | undefined {
  return background === true || isPart === true ? undefined : () => {}
}

/** Redacts every event that was not redacted before. */
export function withoutSecrets(
  secrets: Pick<Services["secrets"], "within">,
  hear: (event: LiveEvent) => void,
): (event: LiveEvent) => void {
  return (event) => hear(event.kind === "turn-finished" ? event : secrets.within(event))
}

/** Every listener hears the end of a turn once: `missed` passes it on only if the turn did not. */
function untilFinished(hear: (event: LiveEvent) => void) {
  let isFinished = false
  return {
    hear(event: LiveEvent) {
      isFinished ||= event.kind === "turn-finished"
      hear(event)
    },
    missed(event: LiveEvent) {
      if (!isFinished) hear(event)
    },
  }
}

interface Settled {
  readonly waiting: Waiting
  readonly session: SessionFacts | undefined
  readonly made: SentReply
}

/** A sender who may no longer have the answer must not get it through a program that passes it on. */
export function sentReply(people: Services["people"], { waiting, session, made }: Settled): SentReply {
  const { reply, isWithheld } = answerFor(people, { session, from: waiting.message, reply: made })
  return isWithheld ? { ...reply, prompt: undefined } : made
}

/** Throws once the folder is another one. Compares identities, since writing the record would create it again. */
function folderCheck(root: string): () => void {
  const keyNow = () => {
    const identity = folderIdentity(root)
    return identity && folderKey(identity)
  }
  const opened = keyNow()
  return () => {
    if (keyNow() !== opened)
      throw new IncipitError(
        "workspace-gone",
        `the workspace ${root} was deleted, moved or replaced while it was in use`,
      )
  }
}

interface Made {
  readonly made: SentReply
  /** False if it says only that there is no answer now. */
  readonly isAnswer: boolean
}

/** If the store cannot be written, ends the turn with a clear answer, unless it has one already. */
async function settled(
  { store, people, events, workspace }: Pick<SendServices, "store" | "people" | "events" | "workspace">,
  waiting: Waiting,
  work: () => Promise<SentReply>,
): Promise<Made> {
  try {
    return { made: await work(), isAnswer: true }
  } catch (error) {
    if (!isTrouble(error)) throw error
    const { turn, session } = waiting
    const { done, isKept } = await whatIsKept(store, waiting)
    if (done !== undefined) return { made: { ...done, prompt: undefined }, isAnswer: true }
    const text = mayKnowWhy(people.listenersTrust(waiting.message))
      ? `This cannot be answered now: ${error.message}.${isKept ? " Your message is kept." : ""}`
      : plainTrouble(isKept)
    events
      .scope({ agent: workspace.current().id, trust: "full", session, turn, trace: turn })
      .event("turn_completed", { level: "error", error: error.message, data: { state: "failed" } })
    return { made: { ...replyWithoutSteps(waiting, "failed", text), prompt: undefined }, isAnswer: false }
  }
}

async function whatIsKept(store: Services["store"], { turn }: Waiting) {
  try {
    const isKept = !(await store.isGone()) && (await store.inbox.message(turn)) !== undefined
    return { done: isKept ? await store.outbox.reply(turn) : undefined, isKept }
  } catch (error) {
    if (isTrouble(error)) return { done: undefined, isKept: false }
    throw error
  }
}
