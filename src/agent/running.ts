// What can be asked of an agent that runs: to take a message, to go on where it was cut short, to tell of itself.
import { IncipitError } from "../core/error.ts"
import { isFromDatabase } from "../sqlite/failure.ts"
import type { AgentOptions, From, RunningAgent, SendOptions } from "./agent.ts"
import { gather, keyOf } from "./gather.ts"
import type { LiveEvent, Reply } from "./live.ts"
import { mayBeAlive } from "./owner.ts"
import { preview } from "./preview.ts"
import type { Runtime } from "./runtime.ts"
import type { Incoming, SessionKey, StoredReply, StoredSession, Waiting } from "./stored.ts"
import { originOf } from "./turn.ts"
import type { Watching } from "./watching.ts"
import { NO_COST } from "./work.ts"
import { createWorker, deliver } from "./worker.ts"

export interface RunningOptions {
  readonly options: AgentOptions
  readonly watching: Watching
  readonly close: () => Promise<void>
}

export function running(runtime: Runtime, { options, watching, close }: RunningOptions): RunningAgent {
  const { store, memory, record } = runtime
  const worker = createWorker(runtime)
  const never = new AbortController().signal
  const agent = () => runtime.workspace().id
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  const later = (reply: Reply) => {
    const due = store.waiting(reply.turn)?.notBefore
    if (reply.state !== "queued" || due === undefined || isClosed) return
    clearTimeout(timer)
    timer = setTimeout(() => void resume().catch(() => undefined), Math.max(0, due - runtime.now())).unref()
  }
  const resume = async (tell: (event: LiveEvent) => void = () => {}) => {
    const replies = await worker.drain({ signal: never, tell })
    for (const reply of replies) later(reply)
    const unsent = store.unsent(agent()).filter((reply) => isFree(runtime, reply))
    for (const reply of unsent) await deliver(runtime, reply, options.deliver ?? (() => {}))
    await record.flush()
    return unsent.map((reply) => ({ ...reply, prompt: undefined }))
  }
  return {
    get name() {
      return nameOf(runtime)
    },
    model: runtime.model(),
    ...{ record, memory, resume },
    async send(text, given = {}) {
      await refresh(runtime, watching)
      const waiting = receive(runtime, text, given)
      const { signal = never, tell = () => {} } = given
      const reply = await settled(runtime, waiting, () => worker.settle(waiting, { signal, tell }))
      later(reply)
      await deliver(runtime, reply, given.deliver ?? (() => {}))
      return reply
    },
    async preview(text, given = {}) {
      await refresh(runtime, watching)
      return preview(runtime, text, given)
    },
    async reload() {
      await refresh(runtime, watching, true)
      for (const { id, state } of store.sessions(agent()))
        store.saveState(id, { ...state, rebase: "the workspace was read again" })
    },
    sessions: (from) => sessionsOf(runtime, from),
    setActiveTools: (session, names) => setActiveTools(runtime, session, names),
    sendMessage: (session, message) => store.addItem(session, { kind: "custom", ...message }, runtime.now()),
    noteCommand: (session, command) => store.addItem(session, { kind: "shell", ...command }, runtime.now()),
    compact: (session) => changeState(runtime, session, { isToCompact: true }),
    setPlanMode: (session, planMode) => changeState(runtime, session, { planMode }),
    tools: () => runtime.toolbox.definitions(),
    notices(from = {}) {
      const { who } = keyFor(runtime, from)
      const found = store.notices(agent(), who)
      for (const { id } of found) store.markSeen(id, runtime.now())
      return found
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
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

/** Takes a message in: whose it is, what they may see, which session it belongs to. It is kept when this returns. */
function receive(runtime: Runtime, text: string, options: SendOptions): Waiting {
  const { store, owner, now } = runtime
  const message: Incoming = { ...messageOf(options), text }
  const turn = runtime.id()
  const { session, isNew } = sessionFor(runtime, message, options)
  const origin = originOf(session, { turn, message })
  const scope = runtime.scope(origin).open("message_received", { data: { length: text.length } })
  scope.event("trust_resolved", { data: { situation: session.situation, effective: session.trust } })
  if (isNew) scope.event("session_created", { data: { who: session.who } })
  const kept = { ...message, ...(scope.span !== undefined && { span: scope.span }) }
  return store.receive(options.id ?? turn, {
    turn,
    session: session.id,
    at: now(),
    message: kept,
    takenBy: owner,
  })
}

function messageOf({
  as,
  channel,
  situation,
  mode,
  task,
  background,
  planMode,
}: SendOptions): Omit<Incoming, "text"> {
  const fields = { as, channel, situation, mode, task, background, planMode }
  // Entries of an object with its undefined ones taken out: the type says just that.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

/** The one that is named, if it is the sender's own; else their current one, or a new one. */
function sessionFor(runtime: Runtime, message: Omit<Incoming, "text">, { session: wanted }: SendOptions) {
  const { store, id, now } = runtime
  const key = keyFor(runtime, message)
  const create = () => ({ session: store.createSession(id(), key, now()), isNew: true })
  if (wanted === "new") return create()
  if (wanted !== undefined) {
    const found = store.session(wanted)
    // A session of others is not even there.
    if (found === undefined || !isSameKey(found, key))
      throw new IncipitError("no-session", `there is no session "${wanted}" for this sender`)
    return { session: found, isNew: false }
  }
  const current = store.currentSession(key)
  return current === undefined ? create() : { session: current, isNew: false }
}

/** A part of an agent has a session of its own, so that nobody goes on with it by chance. */
function keyFor(runtime: Runtime, message: Omit<Incoming, "text">): SessionKey {
  const { session } = gather(runtime, { id: "", message, state: {} }, 0)
  const key = keyOf(runtime.workspace().id, session)
  return message.mode === undefined || message.mode === "full"
    ? key
    : { ...key, who: `${message.mode}:${key.who}` }
}

function isSameKey(a: SessionKey, b: SessionKey): boolean {
  return a.agent === b.agent && a.who === b.who && a.situation === b.situation && a.trust === b.trust
}

/** A store that can not be written ends the turn with a clear answer. */
async function settled(runtime: Runtime, waiting: Waiting, work: () => Promise<Reply>): Promise<Reply> {
  try {
    return await work()
  } catch (error) {
    if (!isFromDatabase(error) && !(error instanceof IncipitError)) throw error
    const text = `This can not be answered now: ${error.message}. Your message is kept.`
    runtime.scope(originOf(sessionOf(runtime, waiting.session), waiting)).event("turn_completed", {
      level: "error",
      error: error.message,
    })
    const { turn, session } = waiting
    return { state: "failed", text, turn, session, steps: 0, cost: NO_COST, durationMs: 0, prompt: undefined }
  }
}

function sessionOf({ store }: Runtime, id: string): StoredSession {
  const session = store.session(id)
  if (session === undefined) throw new IncipitError("no-session", `there is no session "${id}"`)
  return session
}

/** Nobody who is alive waits for it. */
function isFree({ store, owner }: Runtime, { turn }: StoredReply): boolean {
  const waiting = store.waiting(turn)
  return waiting === undefined || waiting.takenBy === owner || !mayBeAlive(waiting.takenBy)
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

function changeState(runtime: Runtime, id: string, change: Partial<StoredSession["state"]>): void {
  const { state } = sessionOf(runtime, id)
  runtime.store.saveState(id, { ...state, ...change })
}

/** All that is cached stands after the tools. */
function setActiveTools(
  runtime: Runtime,
  id: string,
  names: readonly string[],
): { readonly rewrites: number } {
  const known = runtime.toolbox.definitions().map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new IncipitError("bad-argument", `there is no tool "${unknown}"`)
  const { state, baseline } = sessionOf(runtime, id)
  const before = state.activeTools ?? known
  const isSame = before.length === names.length && before.every((name) => names.includes(name))
  if (isSame) return { rewrites: 0 }
  changeState(runtime, id, { activeTools: names })
  const head = baseline?.blocks.reduce((sum, { tokens }) => sum + tokens, 0) ?? 0
  return { rewrites: Math.max(state.lastCall?.kept ?? 0, head) }
}

function nameOf(runtime: Runtime): string {
  const { agent } = gather(runtime, { id: "", message: {}, state: {} }, 0)
  const name = agent.files.find(({ role }) => role === "identity")?.fields.name
  return typeof name === "string" ? name : (runtime.workspace().root.split(/[/\\]/).at(-1) ?? "agent")
}
