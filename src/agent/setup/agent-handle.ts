// The methods of a running agent: send a message, resume interrupted work, report on itself. Connects the services to
// the parts of a turn, the worker and the queue.
import { IncipitError } from "../../base/error.ts"
import { identityName } from "../../core/model/identity.ts"
import type { SourceFile } from "../../core/model/source.ts"
import type { Sender } from "../../database/contract/sender.ts"
import { gatherAgent, NO_MEMORY } from "../../sources/systems/gather-agent.ts"
import { createConversations } from "../branch/conversations.ts"
import { forkSession, undoTurn } from "../branch/fork.ts"
import { workflowsOf } from "../feeds/create-feeding.ts"
import { openPlans } from "../feeds/plans.ts"
import { openProfiler } from "../feeds/profiler.ts"
import { openTaskBoard } from "../feeds/tasks.ts"
import { createAwaited } from "../inbox/awaited.ts"
import { createQueue } from "../inbox/queue.ts"
import { createQueued } from "../inbox/queued.ts"
import { checkText } from "../inbox/receive.ts"
import { createResolve } from "../inbox/resolve.ts"
import { createSend, withoutSecrets } from "../inbox/send.ts"
import { createStops } from "../inbox/stops.ts"
import { openStream } from "../inbox/stream.ts"
import { createWorker } from "../inbox/worker.ts"
import { keepSchedule } from "../schedule/keep-schedule.ts"
import { limitsNow } from "../spending/guard.ts"
import { spendingZone } from "../spending/limits.ts"
import { spendingUse } from "../spending/use.ts"
import { readSession, readSessionFacts } from "../storage/read-session.ts"
import { createToolCalls } from "../turn/calls/tool-calls.ts"
import { userCommand } from "../turn/calls/user-command.ts"
import { createCompaction } from "../turn/compaction/compact.ts"
import { createEnding } from "../turn/finish.ts"
import type { LiveEvent, SentReply } from "../turn/live-event.ts"
import { createPrompts, type Prompts } from "../turn/prompt/compile.ts"
import { preview } from "../turn/prompt/preview.ts"
import { changeState, compactSession, sessionOf, setActiveTools } from "../turn/session-changes.ts"
import { createTurns } from "../turn/turn.ts"
import type { AgentOptions, Kept, RunningAgent, SendOptions } from "./agent.ts"
import type { CreatedServices } from "./create-services.ts"
import { promptsFor, promptText } from "./reusable-prompts.ts"
import type { Services } from "./services.ts"

export interface HandleOptions {
  readonly options: AgentOptions
  readonly close: () => Promise<void>
}

/** Takes all services, because it is what connects them. */
export function agentHandle(services: CreatedServices, { options, close }: HandleOptions): RunningAgent {
  const { store, memory, events, models, workspace, toolbox, resources, feeding, secrets } = services
  const prompts = createPrompts(services)
  const compaction = createCompaction({ ...services, prompts })
  const turns = createTurns({
    ...{ ...services, prompts, compaction },
    toolCalls: createToolCalls(services),
    ending: createEnding(services),
  })
  const awaited = createAwaited()
  const stops = createStops(services)
  const worker = createWorker({ ...services, turns, awaited, stops })
  const queue = createQueue({ ...services, awaited }, worker, options)
  const sending = { ...services, worker, queue, awaited }
  const send = createSend(sending)
  const resolve = createResolve(sending)
  // A message that is no run of the schedule is always received.
  const answer = async (text: string, given?: SendOptions) => {
    if (isClosed) throw new IncipitError("agent-closed", "the agent is closed")
    return (await send(text, given)) as SentReply
  }
  let isClosed = false
  const inspect: RunningAgent["inspect"] = async (text, given = {}) => {
    await workspace.refresh()
    await toolbox.refresh()
    return preview(services, text, given)
  }
  return {
    get name() {
      return nameOf(services)
    },
    get model() {
      return models.current()
    },
    ...{ record: events.record, memory, useModel: models.use, queue: createQueued(sending) },
    ...sessionMethods(services),
    ...questionMethods({ ...services, prompts }),
    conversations: createConversations(services),
    fork: (session, given) => forkSession(services, session, given),
    stop: (session, from = {}) => stops.stop(session, from).finally(queue.lookAgain),
    undo: (session, from) => undoTurn(services, session, from),
    send: answer,
    stream: (text, given) => openStream((tell) => answer(text, { ...given, tell: both(tell, given?.tell) })),
    async resolve(turn, results, given) {
      if (isClosed) throw new IncipitError("agent-closed", "the agent is closed")
      return resolve(turn, results, given)
    },
    resume: (observe, signal) => queue.resume(observe && withoutSecrets(secrets, observe), signal),
    preview: async (text, given) => (await inspect(text, given)).prompt,
    inspect,
    async reload() {
      const found = await workspace.refresh({ always: true })
      if (found.kind === "failed") throw found.error
      await toolbox.refresh({ again: true })
      await resources.discover("reload")
      await store.sessions.rebase(workspace.current().id, "the workspace was reloaded")
    },
    keepSchedule: (kept) => keepSchedule(services, { ...kept, send }),
    async compact(session, observe) {
      await sessionOf(store, session)
      await worker.alone(session, (lease) =>
        compactSession({ ...services, prompts, compaction }, lease, observe),
      )
    },
    async close() {
      isClosed = true
      await queue.stop()
      await feeding.settled()
      await memory.close()
      await close()
    },
  }
}

function both(first: Listener, second: Listener = () => {}): Listener {
  return (event) => {
    first(event)
    second(event)
  }
}

type Listener = (event: LiveEvent) => void

/** Changes to a session that apply from its next turn on. */
function sessionMethods(
  services: Pick<Services, "store" | "people" | "clock" | "secrets" | "workspace" | "toolbox">,
) {
  const { store, secrets } = services
  return {
    setActiveTools: (session, names) => setActiveTools(services, session, names),
    setPlanMode: (session, planMode) => changeState(store, session, { planMode }),
    async sendMessage(session, message) {
      checkText(message.text)
      await sessionOf(store, session)
      await store.transcripts.add(session, secrets.within({ kind: "custom", ...message }))
    },
    shell: (command, given) => userCommand(services, command, given),
  } satisfies Partial<RunningAgent>
}

type QuestionServices = KeptServices &
  Pick<Services, "secrets" | "resources" | "toolbox" | "approvals"> & {
    readonly prompts: Pick<Prompts, "gatherFor">
  }

/** Questions that need no turn. */
function questionMethods(services: QuestionServices) {
  const { store, people, workspace, toolbox, prompts, clock } = services
  return {
    async sessions(from, page) {
      const key = from && people.keyOf(from)
      const listed = await store.sessions.list(workspace.current().id, { ...page, key })
      return listed.map(({ id, who, situation, trust, createdAt, usedAt, turns, title }) => ({
        ...{ id, who, situation, trust, createdAt, usedAt, turns, title },
      }))
    },
    session: (id, from) => readSession(services, id, from),
    sessionFacts: (id, from) => readSessionFacts(services, id, from),
    kept: (from = {}) => keptFor(services, from),
    tools: () => toolbox.definitions(),
    async refresh() {
      await workspace.refresh()
    },
    async spending(from = {}) {
      const { agent, who } = people.keyOf(from)
      const limits = limitsNow(services, { agent, who, turn: "" })
      return spendingUse(store.spending, limits, spendingZone(workspace.current().config, clock.timeZone))
    },
    users: () => Object.keys(workspace.current().config.users ?? {}),
    async nameFor(from) {
      if (!workspace.current().isFolder) return workspace.profile().name
      const { seen } = await prompts.gatherFor(from)
      return nameIn(services.secrets.within(seen.agent.files), workspace)
    },
    skills: async (from = {}) => {
      const { seen } = await prompts.gatherFor(from)
      return [...seen.agent.skills, ...seen.session.skills]
    },
    prompts: (from = {}) => promptsFor(services, from),
    promptText: (name, words, from = {}) => promptText(services, name, words, from),
    notices(from = {}) {
      const { agent, who, trust } = people.keyOf(from)
      return store.notices.see({ agent, who, trust })
    },
  } satisfies Partial<RunningAgent>
}

type KeptServices = Pick<Services, "store" | "plans" | "people" | "clock" | "workspace">

function keptFor(services: KeptServices, from: Sender): Kept {
  const { store, plans, people, clock } = services
  const { agent, who, trust } = people.keyOf(from)
  const { now } = clock
  const whose = { agent, who, trust }
  return {
    plans: openPlans({ store: plans, who, trust, now }),
    tasks: openTaskBoard(store, whose),
    workflows: workflowsOf(services, whose),
    communication: openProfiler(store, { agent, who, now }),
  }
}

function nameOf({ workspace, secrets }: Pick<Services, "workspace" | "secrets">): string {
  const current = workspace.current()
  if (!current.isFolder) return workspace.profile().name
  const { files } = gatherAgent(current, { system: workspace.system(), memory: NO_MEMORY }).value
  return nameIn(secrets.within(files), workspace)
}

function nameIn(files: readonly SourceFile[], workspace: Pick<Services["workspace"], "current">): string {
  return identityName(files) ?? workspace.current().root.split(/[/\\]/).at(-1) ?? "agent"
}
