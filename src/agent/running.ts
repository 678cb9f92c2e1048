// What can be asked of an agent that runs: to take a message, to go on where it was cut short, to tell of itself.
import { IncipitError } from "../core/error.ts"
import { isFromDatabase } from "../sqlite/failure.ts"
import type { AgentOptions, From, Kept, RunningAgent } from "./agent.ts"
import { workflowsOf } from "./feeding.ts"
import { gather } from "./gather.ts"
import { keepSchedule } from "./keep-schedule.ts"
import type { LiveEvent, Reply } from "./live.ts"
import { mayBeAlive } from "./owner.ts"
import { openPlans } from "./plans.ts"
import { preview } from "./preview.ts"
import { openProfiler } from "./profiler.ts"
import { isSameKey, keyFor, type ReceiveOptions, receive } from "./receive.ts"
import type { Runtime } from "./runtime.ts"
import { changeState, compactSession, sessionOf, setActiveTools } from "./session-changes.ts"
import type { StoredReply, Waiting } from "./stored.ts"
import { openTaskBoard } from "./tasks.ts"
import { originOf } from "./turn.ts"
import { userCommand } from "./user-command.ts"
import type { Watching } from "./watching.ts"
import { NO_COST } from "./work.ts"
import { createWorker, deliver, type Worker } from "./worker.ts"

export interface RunningOptions {
  readonly options: AgentOptions
  readonly watching: Watching
  readonly useModel: (id: string) => Promise<void>
  readonly close: () => Promise<void>
}

const NEVER = new AbortController().signal

export function running(
  runtime: Runtime,
  { options, watching, useModel, close }: RunningOptions,
): RunningAgent {
  const { store, memory, record } = runtime
  const worker = createWorker(runtime)
  const queue = queueOf(runtime, worker, options)
  const send = async (text: string, given: ReceiveOptions = {}) => {
    await refresh(runtime, watching)
    const waiting = receive(runtime, text, given)
    if (waiting === undefined) return undefined
    const { signal = NEVER, tell = () => {} } = given
    const reply = await settled(runtime, waiting, () => worker.settle(waiting, { signal, tell }))
    queue.watch(reply)
    await deliver(runtime, reply, given.deliver ?? (() => {}))
    return reply
  }
  return {
    get name() {
      return nameOf(runtime)
    },
    get model() {
      return runtime.model()
    },
    ...{ record, memory, useModel },
    // A message without a claim is always taken in.
    send: async (text, given) => (await send(text, given)) as Reply,
    resume: queue.resume,
    async preview(text, given = {}) {
      await refresh(runtime, watching)
      return preview(runtime, text, given)
    },
    async reload() {
      await refresh(runtime, watching, true)
      for (const { id } of store.sessions(runtime.workspace().id))
        changeState(runtime, id, { rebase: "the workspace was read again" })
    },
    keepSchedule: (kept) => keepSchedule(runtime, { ...kept, send }),
    sessions: (from) => sessionsOf(runtime, from),
    setActiveTools: (session, names) => setActiveTools(runtime, session, names),
    sendMessage: (session, message) => store.addItem(session, { kind: "custom", ...message }, runtime.now()),
    shell: (command, given) => userCommand(runtime, command, given),
    compact: (session, tell) => compactSession(runtime, session, tell),
    setPlanMode: (session, planMode) => changeState(runtime, session, { planMode }),
    kept: (from = {}) => keptFor(runtime, from),
    tools: () => runtime.toolbox.definitions(),
    skills: async (from = {}) => {
      const { seen } = gather(runtime, { id: "", message: from, state: {} }, 0)
      return [...seen.agent.skills, ...seen.session.skills]
    },
    notices(from = {}) {
      const { agent, who } = keyFor(runtime, from)
      return store.notices(agent, who, runtime.now())
    },
    async close() {
      queue.stop()
      await runtime.feeding.settled()
      await memory?.close()
      await close()
    },
  }
}

async function refresh(runtime: Runtime, watching: Watching, always = false): Promise<void> {
  const found = await watching.refresh({ always })
  if (found.kind === "same") return
  const scope = runtime.scope({ agent: runtime.workspace().id, trust: "full" })
  if (found.kind === "failed") scope.event("config_reloaded", { level: "error", error: found.error })
  else scope.event("config_reloaded", { data: { revision: runtime.workspace().revision } })
}

interface Queue {
  readonly resume: RunningAgent["resume"]
  /** Comes back for a message that has to wait. */
  watch(reply: Reply): void
  stop(): void
}

function queueOf(runtime: Runtime, worker: Worker, options: AgentOptions): Queue {
  const { store, record, now } = runtime
  const { deliver: give = () => {} } = options
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const watch = ({ state, turn }: Reply) => {
    const due = store.waiting(turn)?.notBefore
    if (state !== "queued" || due === undefined || isStopped) return
    clearTimeout(timer)
    timer = setTimeout(() => void resume().catch(() => undefined), Math.max(0, due - now())).unref()
  }
  const resume = async (tell: (event: LiveEvent) => void = () => {}, signal = NEVER) => {
    const worked = await worker.drain({ signal, tell })
    for (const reply of worked) watch(reply)
    const unsent = store.unsent(runtime.workspace().id).filter((reply) => isFree(runtime, reply))
    for (const reply of unsent) await deliver(runtime, reply, give)
    await record.flush()
    return unsent.map((reply) => ({ ...reply, prompt: undefined }))
  }
  return {
    ...{ resume, watch },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** Nobody who is alive waits for it. */
function isFree({ store, owner }: Runtime, { turn }: StoredReply): boolean {
  const waiting = store.waiting(turn)
  return waiting === undefined || waiting.takenBy === owner || !mayBeAlive(waiting.takenBy)
}

/** A store that can not be written ends the turn with a clear answer. */
async function settled(runtime: Runtime, waiting: Waiting, work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } catch (error) {
    if (!isFromDatabase(error) && !(error instanceof IncipitError)) throw error
    const text = `This can not be answered now: ${error.message}. Your message is kept.`
    const origin = originOf(sessionOf(runtime, waiting.session), waiting)
    runtime.scope(origin).event("turn_completed", { level: "error", error: error.message })
    const { turn, session } = waiting
    return { state: "failed", text, turn, session, steps: 0, cost: NO_COST, durationMs: 0, prompt: undefined }
  }
}

function sessionsOf(runtime: Runtime, from: From | undefined) {
  const key = from && keyFor(runtime, from)
  return runtime.store
    .sessions(runtime.workspace().id)
    .filter((session) => key === undefined || isSameKey(session, key))
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
