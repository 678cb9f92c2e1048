// What a tool gets when it runs: facts about the conversation, and a host that acts for it with the sender's rights.
import { defined } from "../../../base/defined.ts"
import { identityAt } from "../../../files/identity.ts"
import type { SandboxState } from "../../../sandbox/sandbox-state.ts"
import type { Config } from "../../../sources/config/config-schema.ts"
import { FIXED, isFixed } from "../../../sources/documents.ts"
import { workspaceGate } from "../../../sources/workspace-gate.ts"
import { o200k } from "../../../tokens/o200k.ts"
import type { CommandPlace } from "../../../tools/command-place.ts"
import type { RunnableTool } from "../../../tools/define-tool.ts"
import { openFileAccess } from "../../../tools/files/file-access.ts"
import { type Approval, type ApprovalRequest, ToolFailure, type ToolHost } from "../../../tools/host.ts"
import { explainer } from "../../../tools/self/explain.ts"
import type { ToolContext } from "../../../tools/tool-context.ts"
import { authorOf, isRoom, speakerLabel, speakerOf } from "../../inbox/speaker.ts"
import type { Services } from "../../setup/services.ts"
import { senderOf, type Work } from "../work.ts"
import type { Ruling } from "./approval-rules.ts"
import { delegated } from "./delegated.ts"
import { isPlanning, mayRun, PLAN_MODE_IS_ON } from "./plan-mode-guard.ts"
import type { RunStart } from "./run-start.ts"
import { answerFor } from "./server-questions.ts"
import { roomForTool } from "./step-results.ts"
import type { TimeLimit } from "./time-limit.ts"

/** The run that a context is for. */
export interface ToolRun {
  readonly tool: RunnableTool
  /** The id of the call. */
  readonly call: string
  readonly signal: AbortSignal
  readonly limit: TimeLimit
  readonly begin: RunStart
  /** Takes an image for the model. */
  readonly attach: NonNullable<ToolContext["attach"]>
  /** Rules of the configuration that decided about it so far. */
  readonly rulings: Ruling[]
}

export type ContextServices = Pick<
  Services,
  | ("workspace" | "people" | "store" | "events" | "clock" | "secrets" | "memory" | "approvals" | "actions")
  | "sandboxes"
>

export function contextOf(
  services: ContextServices,
  work: Work,
  run: ToolRun,
): ToolContext & { readonly host: ToolHost } {
  const { workspace, events, clock, memory } = services
  const { session, gathered, scope, prompt, trust } = work
  const { audience, person, isOwner } = gathered.session
  const user = work.waiting.message.as ?? person
  return {
    session: session.id,
    trust,
    situation: audience.situation,
    isOwner: isOwner === true,
    record: events.record,
    now: clock.now,
    timeZone: clock.timeZone,
    counter: o200k,
    scope,
    ...{ host: hostOf(services, work, run), attach: run.attach },
    ...(user !== undefined && { user }),
    ...defined({ author: authorOf(workspace.current().config, work.waiting.message) ?? user }),
    memory,
    ...roomForTool(work),
    // Few tools ask, and preparing the answer takes longer than many a tool.
    ...(prompt && { explain: (what: string) => explainer(prompt)(what) }),
  }
}

function hostOf(services: ContextServices, work: Work, run: ToolRun): ToolHost {
  const { workspace, people, store, secrets, actions } = services
  const { session } = work
  const { tool, signal, limit } = run
  const planning = () => isPlanning(store, work)
  const mayTell = nowAndThen(services.clock.now)
  return {
    ...actions.host(session, speakerIn(workspace.current().config, work)),
    env: workspace.env,
    get files() {
      return filesOf(services, work)
    },
    signal,
    place: async () => placeOf(await services.sandboxes.of(work.gathered.session)),
    redact: secrets.redact,
    kept: (name) => store.results.read({ session: session.id, trust: work.trust }, name),
    approve: async (request) => {
      const ask = () => limit.without(() => approved(services, work, run, secrets.within(request)))
      const answer = await (work.outerCall?.limit.without(ask) ?? ask())
      // The session may have been put into plan mode while the question was open.
      if (!(await mayRun(store, work, tool))) throw new ToolFailure(PLAN_MODE_IS_ON)
      return answer
    },
    ask: (question) => {
      const asked = () => limit.without(() => answerFor(services, work, run, question))
      return work.outerCall?.limit.without(asked) ?? asked()
    },
    progress(given) {
      const text = secrets.redact(given)
      if (text !== "" && mayTell())
        work.tell({ kind: "tool-progress", call: run.call, name: tool.name, text })
    },
    notify: async (given) => {
      if (!people.isCurrent(session, work.waiting.message)) throw new ToolFailure(CHANGED)
      const text = secrets.redact(given)
      await actions.notify(session, text, senderOf(work.waiting.message))
      work.tell({ kind: "notice", text })
    },
    delegate: async (wanted) =>
      delegated(actions, work, wanted, {
        ...{ call: run.call, signal, planMode: await planning(), outer: { limit, isPlanning: planning } },
      }),
  }
}

/** No more often than anybody can read: each event goes to everybody who watches. */
const PROGRESS_MS = 200

function nowAndThen(now: () => number): () => boolean {
  let last: number | undefined
  return () => {
    const at = now()
    const isTime = last === undefined || Math.abs(at - last) >= PROGRESS_MS
    if (isTime) last = at
    return isTime
  }
}

function placeOf(state: SandboxState): CommandPlace {
  if (state.kind === "on") return { kind: "sandbox", run: state.run }
  return state.kind === "missing" && state.isRequired ? { kind: "refused", why: state.why } : { kind: "host" }
}

function speakerIn(config: Config, { session, trust, waiting }: Work): string | undefined {
  if (!isRoom(session)) return undefined
  return speakerLabel(speakerOf(config, waiting.message, trust))
}

/** An approval counts at the trust that the sender had when asked, which may have changed in the meantime. */
async function approved(
  { approvals, workspace, people, clock }: Pick<Services, "approvals" | "workspace" | "people" | "clock">,
  { session, waiting, approve, tell }: Work,
  { signal, call, rulings, begin }: ToolRun,
  request: ApprovalRequest,
): Promise<Approval> {
  const asker = { signal, session: session.id, from: senderOf(waiting.message), id: clock.id() }
  const answer = await approvals.ask({
    ...{ request, asker, call, approve, tell },
    ruled: (ruling) => void rulings.push(ruling),
    whileAsked: begin.whileAsked,
  })
  await workspace.refresh()
  if (!people.isCurrent(session, waiting.message)) throw new ToolFailure(CHANGED)
  return answer
}

/** Shared by all calls of a turn, until something else is gathered. */
function filesOf(services: Pick<Services, "workspace" | "approvals">, work: Work): ToolHost["files"] {
  const { cache, gathered } = work
  if (cache.files?.gathered !== gathered) cache.files = { gathered, access: openFiles(services, work) }
  return cache.files.access
}

function openFiles(
  { workspace: { current, directory }, approvals }: Pick<Services, "workspace" | "approvals">,
  work: Work,
): ToolHost["files"] {
  const { gathered, trust } = work
  const workspace = current()
  const { agent, session } = gathered
  const trusts = new Map([...agent.files, ...session.files].map((file) => [file.identity, file.trust]))
  return openFileAccess({
    directory,
    workspace: workspace.folder,
    extra: session.directories ?? [],
    audience: { ...session.audience, trust },
    gate: workspaceGate(workspace, [directory, ...(session.directories ?? [])]),
    trustOf: (path) => trusts.get(identityAt(path) ?? ""),
    touched: (path) => touch(work, path),
    partOf: approvals.partOf(),
    fixed: (path) => (isFixed(workspace, path) ? FIXED : undefined),
    ...(workspace.home !== undefined && { home: workspace.home }),
    ...(session.person !== undefined && { person: session.person }),
  })
}

const MOST_TOUCHED = 500

/** The next step's tail includes it. */
function touch(work: Work, path: string): void {
  const { touched = [] } = work.state
  if (touched.includes(path) || touched.length >= MOST_TOUCHED) return
  work.state = { ...work.state, touched: [...touched, path] }
}

export const CHANGED = "Not run: access to this conversation has changed."
