// What can be asked of an agent that runs: to take a message, to go on where it was cut short, to tell of itself.
import { statSync } from "node:fs"
import { IncipitError } from "../core/error.ts"
import { isFromDatabase } from "../sqlite/failure.ts"
import type { AgentOptions, From, Kept, RunningAgent } from "./agent.ts"
import { mayKnowWhy, plainTrouble, toldTrust } from "./failure-words.ts"
import { workflowsOf } from "./feeds/feeding.ts"
import { openPlans } from "./feeds/plans.ts"
import { openProfiler } from "./feeds/profiler.ts"
import { openTaskBoard } from "./feeds/tasks.ts"
import { gather } from "./gather.ts"
import type { LiveEvent, Reply } from "./live.ts"
import { NEVER_STOPPED } from "./never-stopped.ts"
import { ownSecrets } from "./own-secrets.ts"
import { preview } from "./preview.ts"
import { createQueue, deliver, type Queue } from "./queue.ts"
import { keyFor, type ReceiveOptions, receive } from "./receive.ts"
import type { Runtime } from "./runtime.ts"
import { keepSchedule } from "./schedule/keep-schedule.ts"
import { changeState, compactSession, sessionOf, setActiveTools } from "./session-changes.ts"
import type { Waiting } from "./store/stored.ts"
import { isTrouble } from "./store/trouble.ts"
import { userCommand } from "./user-command.ts"
import type { Refreshed, Watching } from "./watching.ts"
import { replyWithoutSteps } from "./work.ts"
import { createWorker, type Worker } from "./worker.ts"

export interface RunningOptions {
  readonly options: AgentOptions
  readonly watching: Watching
  readonly useModel: (id: string) => Promise<void>
  readonly close: () => Promise<void>
}

export function running(
  runtime: Runtime,
  { options, watching, useModel, close }: RunningOptions,
): RunningAgent {
  const { store, memory, record } = runtime
  const worker = createWorker(runtime)
  const queue = createQueue(runtime, worker, options)
  const send = sender(runtime, { worker, queue, watching })
  return {
    get name() {
      return nameOf(runtime)
    },
    get model() {
      return runtime.model()
    },
    ...{ record, memory, useModel },
    ...asked(runtime),
    // A message without a claim is always taken in.
    send: async (text, given) => (await send(text, given)) as Reply,
    resume: (tell, signal) => queue.resume(tell && withoutSecrets(runtime, tell), signal),
    async preview(text, given = {}) {
      await refresh(runtime, watching)
      return preview(runtime, text, given)
    },
    async reload() {
      const found = await refresh(runtime, watching, true)
      if (found.kind === "failed") throw found.error
      await runtime.discover("reload")
      store.rebase(runtime.workspace().id, "the workspace was read again")
    },
    keepSchedule: (kept) =>
      keepSchedule(runtime, { ...kept, send, refresh: () => refresh(runtime, watching) }),
    async compact(session, tell) {
      sessionOf(runtime, session)
      await worker.alone(session, () => compactSession(runtime, session, tell))
    },
    async close() {
      await queue.stop()
      await runtime.feeding.settled()
      await memory.close()
      await close()
    },
  }
}

/** What needs no turn: questions, and changes to a session that count from its next turn on. */
function asked(runtime: Runtime) {
  const { store, now } = runtime
  return {
    sessions: (from) => sessionsOf(runtime, from),
    setActiveTools: (session, names) => setActiveTools(runtime, session, names),
    sendMessage(session, message) {
      sessionOf(runtime, session)
      store.addItem(session, runtime.secrets.within({ kind: "custom", ...message }), now())
    },
    shell: (command, given) => userCommand(runtime, command, given),
    setPlanMode: (session, planMode) => changeState(runtime, session, { planMode }),
    kept: (from = {}) => keptFor(runtime, from),
    tools: () => runtime.toolbox.definitions(),
    users: () => Object.keys(runtime.workspace().config.users ?? {}),
    skills: async (from = {}) => {
      const { seen } = gather(runtime, { id: "", message: from, state: {} }, 0)
      return [...seen.agent.skills, ...seen.session.skills]
    },
    notices(from = {}) {
      const { agent, who } = keyFor(runtime, from)
      return store.notices(agent, who, now())
    },
  } satisfies Partial<RunningAgent>
}

interface Sending {
  readonly worker: Worker
  readonly queue: Queue
  readonly watching: Watching
}

/** Takes a message in, works it off and hands its answer over; nothing if it was claimed by somebody else. */
function sender(runtime: Runtime, { worker, queue, watching }: Sending) {
  const checkFolder = folderCheck(runtime.workspace().root)
  return async (text: string, given: ReceiveOptions = {}): Promise<Reply | undefined> => {
    const { signal = NEVER_STOPPED, tell: told = () => {}, deliver: give = () => {} } = given
    const tell = withoutSecrets(runtime, told)
    checkFolder()
    const found = await refresh(runtime, watching)
    // The last good configuration counts; who changed it should know.
    if (found.kind === "failed" && mayKnowWhy(toldTrust(runtime, { message: { ...given, text } })))
      tell({ kind: "finding", text: found.error.message })
    const waiting = received(runtime, text, given)
    if (waiting === undefined) return undefined
    return queue.whileAwaited(waiting, async () => {
      let isTold = false
      const telling = (event: LiveEvent) => {
        isTold ||= event.kind === "turn-finished"
        tell(event)
      }
      const reply = await settled(runtime, waiting, () => worker.settle(waiting, { signal, tell: telling }))
      // It came another way: from another process, say, or from the store.
      if (!isTold) tell({ kind: "turn-finished", reply })
      await queue.deliverBefore(waiting)
      await deliver(runtime, { reply, message: waiting }, give)
      return reply
    })
  }
}

/** What was said is clean already, and the prompt is large; everything else is looked through once more. */
function withoutSecrets({ secrets }: Runtime, tell: (event: LiveEvent) => void): (event: LiveEvent) => void {
  return (event) => tell(event.kind === "turn-finished" ? event : secrets.within(event))
}

/** Throws once the folder is not the one that it was. By identity, as whatever writes its record makes it anew. */
function folderCheck(root: string): () => void {
  const identity = () => statSync(root, { bigint: true, throwIfNoEntry: false })?.ino
  const opened = identity()
  return () => {
    if (identity() !== opened)
      throw new IncipitError(
        "workspace-gone",
        `the workspace ${root} was deleted, moved or replaced while it was in use`,
      )
  }
}

async function refresh(runtime: Runtime, watching: Watching, always = false): Promise<Refreshed> {
  const found = await watching.refresh({ always })
  if (found.kind === "same") return found
  runtime.secrets.learn(ownSecrets(runtime.workspace().config, runtime.env))
  const scope = runtime.scope({ agent: runtime.workspace().id, trust: "full" })
  if (found.kind === "failed") scope.event("config_reloaded", { level: "error", error: found.error.message })
  else scope.event("config_reloaded", { data: { revision: runtime.workspace().revision } })
  return found
}

/** What can not be kept is not taken in. */
function received(runtime: Runtime, text: string, given: ReceiveOptions): Waiting | undefined {
  try {
    return receive(runtime, text, given)
  } catch (error) {
    if (!isFromDatabase(error)) throw error
    const why = `can not write ${runtime.store.database.path}: ${error.message}`
    throw new IncipitError("unusable-database", why, { cause: error })
  }
}

/** A store that can not be written ends the turn with a clear answer, unless it has one already. */
async function settled(runtime: Runtime, waiting: Waiting, work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } catch (error) {
    if (!isTrouble(error)) throw error
    const { turn, session } = waiting
    const { done, isKept } = whatIsKept(runtime, waiting)
    if (done !== undefined) return { ...done, prompt: undefined }
    const text = mayKnowWhy(toldTrust(runtime, waiting))
      ? `This can not be answered now: ${error.message}.${isKept ? " Your message is kept." : ""}`
      : plainTrouble(isKept)
    runtime
      .scope({ agent: runtime.workspace().id, trust: "full", session, turn, trace: turn })
      .event("turn_completed", { level: "error", error: error.message, data: { state: "failed" } })
    return { ...replyWithoutSteps(waiting, "failed", text), prompt: undefined }
  }
}

function whatIsKept({ store }: Runtime, { turn }: Waiting) {
  try {
    const isKept = !store.database.isGone() && store.waiting(turn) !== undefined
    return { done: isKept ? store.reply(turn) : undefined, isKept }
  } catch (error) {
    if (isTrouble(error)) return { done: undefined, isKept: false }
    throw error
  }
}

function sessionsOf(runtime: Runtime, from: From | undefined) {
  const key = from && keyFor(runtime, from)
  return runtime.store
    .sessions(runtime.workspace().id, key)
    .map(({ id, who, situation, createdAt, usedAt, turns, title }) => ({
      ...{ id, who, situation, createdAt, usedAt, turns, title },
    }))
}

function keptFor(runtime: Runtime, from: From): Kept {
  const { store, now } = runtime
  const { agent, who, trust } = keyFor(runtime, from)
  const keeping = { agent, who, now }
  return {
    plans: openPlans({ folder: runtime.workspace().folder, who, now }),
    tasks: openTaskBoard(store.database, keeping),
    workflows: workflowsOf(runtime, { ...keeping, trust }),
    communication: openProfiler(store.database, keeping),
  }
}

function nameOf(runtime: Runtime): string {
  const { agent } = gather(runtime, { id: "", message: {}, state: {} }, 0)
  const name = agent.files.find(({ role }) => role === "identity")?.fields.name
  return typeof name === "string" ? name : (runtime.workspace().root.split(/[/\\]/).at(-1) ?? "agent")
}
