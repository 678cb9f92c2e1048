// The methods of a running agent: send a message, resume interrupted work, report on itself.
import { IncipitError } from "../../base/error.ts"
import { identityName } from "../../core/model/identity.ts"
import type { From } from "../../database/contract/from.ts"
import type { Waiting } from "../../database/contract/inbox.ts"
import { isTrouble, quietly } from "../../database/tolerate.ts"
import { folderIdentity, folderKey } from "../../files/identity.ts"
import { gatherAgent, NO_MEMORY } from "../../sources/systems/gather-agent.ts"
import { workflowsOf } from "../feeds/create-feeding.ts"
import { openPlans } from "../feeds/plans.ts"
import { openProfiler } from "../feeds/profiler.ts"
import { openTaskBoard } from "../feeds/tasks.ts"
import { giveWay } from "../inbox/give-way.ts"
import { answerFor, listener } from "../inbox/present-audience.ts"
import { createQueue, deliver, type Queue } from "../inbox/queue.ts"
import { checkText, keyFor, type ReceiveOptions, receive } from "../inbox/receive.ts"
import { createWorker, type Worker } from "../inbox/worker.ts"
import { keepSchedule } from "../schedule/keep-schedule.ts"
import { userCommand } from "../turn/calls/user-command.ts"
import { gather } from "../turn/gather.ts"
import type { LiveEvent, SentReply } from "../turn/live.ts"
import { NEVER_STOPPED } from "../turn/never-stopped.ts"
import { preview } from "../turn/preview.ts"
import { mayKnowWhy, plainTrouble, toldTrust } from "../turn/provider/failure-words.ts"
import { changeState, compactSession, sessionOf, setActiveTools } from "../turn/session-changes.ts"
import { replyWithoutSteps } from "../turn/work.ts"
import type { AgentOptions, Deliver, Kept, RunningAgent } from "./agent.ts"
import { promptsFor, promptText } from "./reusable-prompts.ts"
import type { Runtime } from "./runtime.ts"

export interface RunningOptions {
  readonly options: AgentOptions
  readonly useModel: (id: string) => Promise<void>
  readonly close: () => Promise<void>
}

export function running(runtime: Runtime, { options, useModel, close }: RunningOptions): RunningAgent {
  const { store, memory, record } = runtime
  const worker = createWorker(runtime)
  const queue = createQueue(runtime, worker, options)
  const send = sender(runtime, { worker, queue })
  return {
    get name() {
      return nameOf(runtime)
    },
    get model() {
      return runtime.model()
    },
    ...{ record, memory, useModel },
    ...asked(runtime),
    // A message that is no run of the schedule is always received.
    send: async (text, given) => (await send(text, given)) as SentReply,
    resume: (observe, signal) => queue.resume(observe && withoutSecrets(runtime, observe), signal),
    async preview(text, given = {}) {
      await runtime.refresh()
      await runtime.refreshServers()
      return preview(runtime, text, given)
    },
    async reload() {
      const found = await runtime.refresh({ always: true })
      if (found.kind === "failed") throw found.error
      await runtime.refreshServers({ again: true })
      await runtime.discover("reload")
      await store.sessions.rebase(runtime.workspace().id, "the workspace was read again")
    },
    keepSchedule: (kept) => keepSchedule(runtime, { ...kept, send }),
    async compact(session, observe) {
      await sessionOf(runtime, session)
      await worker.alone(session, (lease) => compactSession(runtime, lease, observe))
    },
    async close() {
      await queue.stop()
      await runtime.feeding.settled()
      await memory.close()
      await close()
    },
  }
}

/** Needs no turn: questions, and changes to a session that apply from its next turn on. */
function asked(runtime: Runtime) {
  const { store } = runtime
  return {
    sessions: (from) => sessionsOf(runtime, from),
    setActiveTools: (session, names) => setActiveTools(runtime, session, names),
    async sendMessage(session, message) {
      checkText(message.text)
      await sessionOf(runtime, session)
      await store.transcripts.add(session, runtime.secrets.within({ kind: "custom", ...message }))
    },
    shell: (command, given) => userCommand(runtime, command, given),
    setPlanMode: (session, planMode) => changeState(runtime, session, { planMode }),
    kept: (from = {}) => keptFor(runtime, from),
    tools: () => runtime.toolbox.definitions(),
    users: () => Object.keys(runtime.workspace().config.users ?? {}),
    skills: async (from = {}) => {
      const { seen } = await gather(runtime, { id: "", message: from, state: {} }, 0)
      return [...seen.agent.skills, ...seen.session.skills]
    },
    prompts: (from = {}) => promptsFor(runtime, from),
    promptText: (name, words, from = {}) => promptText(runtime, name, words, from),
    notices(from = {}) {
      const { agent, who, trust } = keyFor(runtime, from)
      return store.notices.see({ agent, who, trust })
    },
  } satisfies Partial<RunningAgent>
}

interface Sending {
  readonly worker: Worker
  readonly queue: Queue
}

/** Receives a message, processes it and delivers its answer; returns undefined if it was claimed elsewhere. */
function sender(runtime: Runtime, { worker, queue }: Sending) {
  const checkFolder = folderCheck(runtime.workspace().root)
  return async (text: string, given: ReceiveOptions = {}): Promise<SentReply | undefined> => {
    const { signal = NEVER_STOPPED, deliver: give = receiverOf(given), approve } = given
    const tell = withoutSecrets(runtime, given.tell ?? (() => {}))
    const observe = withoutSecrets(runtime, given.observe ?? (() => {}))
    checkFolder()
    await giveWay()
    const found = await runtime.refresh()
    const say = listener(runtime, { from: given }, { tell, observe })
    // The last good configuration applies; tell the person who changed it.
    if (found.kind === "failed") say({ kind: "diagnostic", level: "warning", text: found.error.message })
    const waiting = await receive(runtime, text, given)
    if (waiting === undefined) return undefined
    return queue.whileAwaited(waiting, async () => {
      const [person, operator] = [untilFinished(tell), untilFinished(observe)]
      const heard = { signal, tell: person.hear, observe: operator.hear, approve }
      const made = await settled(runtime, waiting, () => worker.settle(waiting, heard))
      const reply = await sentReply(runtime, waiting, made)
      const { prompt: _plan, ...plain } = reply
      // The answer came from another process or from the store.
      const missed = { tell: person.missed, observe: operator.missed }
      listener(runtime, { from: waiting.message }, missed)({ kind: "turn-finished", reply: plain })
      await queue.deliverBefore({ ...waiting, session: reply.session })
      await deliver(runtime, { reply: made, message: waiting }, give)
      return reply
    })
  }
}

/** The sender of a message receives its answer, unless it was sent in the background. */
function receiverOf({ background, isPart }: ReceiveOptions): Deliver | undefined {
  return background === true || isPart === true ? undefined : () => {}
}

/** Redacts every event that was not redacted before. */
function withoutSecrets({ secrets }: Runtime, hear: (event: LiveEvent) => void): (event: LiveEvent) => void {
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

/** A sender who may no longer have the answer must not get it through a program that passes it on. */
async function sentReply(runtime: Runtime, { message }: Waiting, made: SentReply): Promise<SentReply> {
  const session = await quietly(() => runtime.store.sessions.get(made.session))
  const { reply, isWithheld } = answerFor(runtime, { session, from: message, reply: made })
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

/** If the store cannot be written, ends the turn with a clear answer, unless it has one already. */
async function settled(
  runtime: Runtime,
  waiting: Waiting,
  work: () => Promise<SentReply>,
): Promise<SentReply> {
  try {
    return await work()
  } catch (error) {
    if (!isTrouble(error)) throw error
    const { turn, session } = waiting
    const { done, isKept } = await whatIsKept(runtime, waiting)
    if (done !== undefined) return { ...done, prompt: undefined }
    const text = mayKnowWhy(toldTrust(runtime, waiting))
      ? `This cannot be answered now: ${error.message}.${isKept ? " Your message is kept." : ""}`
      : plainTrouble(isKept)
    runtime
      .scope({ agent: runtime.workspace().id, trust: "full", session, turn, trace: turn })
      .event("turn_completed", { level: "error", error: error.message, data: { state: "failed" } })
    return { ...replyWithoutSteps(waiting, "failed", text), prompt: undefined }
  }
}

async function whatIsKept({ store }: Runtime, { turn }: Waiting) {
  try {
    const isKept = !(await store.isGone()) && (await store.inbox.message(turn)) !== undefined
    return { done: isKept ? await store.outbox.reply(turn) : undefined, isKept }
  } catch (error) {
    if (isTrouble(error)) return { done: undefined, isKept: false }
    throw error
  }
}

async function sessionsOf(runtime: Runtime, from: From | undefined) {
  const key = from && keyFor(runtime, from)
  const listed = await runtime.store.sessions.list(runtime.workspace().id, key)
  return listed.map(({ id, who, situation, createdAt, usedAt, turns, title }) => ({
    ...{ id, who, situation, createdAt, usedAt, turns, title },
  }))
}

function keptFor(runtime: Runtime, from: From): Kept {
  const { store, now } = runtime
  const { agent, who, trust } = keyFor(runtime, from)
  const keeping = { agent, who, trust }
  return {
    plans: openPlans({ folder: runtime.workspace().folder, who, trust, now }),
    tasks: openTaskBoard(store, keeping),
    workflows: workflowsOf(runtime, keeping),
    communication: openProfiler(store, { agent, who, now }),
  }
}

function nameOf(runtime: Runtime): string {
  const { system, secrets } = runtime
  const { files } = gatherAgent(runtime.workspace(), { system, memory: NO_MEMORY }).value
  return identityName(secrets.within(files)) ?? runtime.workspace().root.split(/[/\\]/).at(-1) ?? "agent"
}
