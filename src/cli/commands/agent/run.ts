// `incipit run`: one message, one answer, for scripts. Without a message it processes the queue; with `--schedule` it
// keeps running and also runs the schedule.
import type { AgentOptions, Approve, Deliver, RunningAgent, SendOptions } from "../../../agent/setup/agent.ts"
import type { LiveEvent, SentReply } from "../../../agent/turn/live-event.ts"
import { defined } from "../../../base/defined.ts"
import type { Diagnostic } from "../../../base/diagnostic.ts"
import { IncipitError } from "../../../base/error.ts"
import { plural, thousands } from "../../../base/text/figures.ts"
import type { StoredReply } from "../../../database/contract/reply.ts"
import { resolveAudience } from "../../../sources/config/policy.ts"
import { openWorkspace } from "../../../sources/workspace.ts"
import type { ApprovalRequest } from "../../../tools/host.ts"
import { visible, visibleLines } from "../../chat/screen/visible.ts"
import { agentOptions, senderOf } from "../../command-line/agent-flags.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { printDiagnostics } from "../../command-line/print-diagnostics.ts"
import type { Terminal } from "../../terminal.ts"
import { offlineText } from "../../views/offline-text.ts"
import { oneLine } from "../../views/widths.ts"
import { openFolder } from "../workspace/folder-question.ts"
import { type RunMessage, readMessage } from "./run-message.ts"
import { hasStore, openedState } from "./state-place.ts"

export async function run({ words, flags, terminal }: Invocation<"run">): Promise<number> {
  const { allow: allowed = [] } = flags
  const message = await readMessage(words, { flags, terminal })
  if (allowed.length > 0 && message === undefined && !flags.schedule)
    throw new IncipitError(
      "bad-argument",
      "--allow applies to the message it is given with, and there is no message",
    )
  const options = agentOptions(flags, terminal)
  const reporter = createReporter(flags, terminal)
  // Checked before the agent is opened, which creates the store.
  if (flags.sessions && !hasStore(flags, terminal)) {
    printDiagnostics(senderDiagnostics(options, flags), terminal)
    return listSessions([], flags, terminal)
  }
  await openFolder(flags, terminal, { isScheduled: flags.schedule })
  // Imported here because it brings the AI SDK.
  const { openAgent } = await import("../../../agent/setup/open.ts")
  const approve = approverOf(allowed, reporter)
  const agent = await openAgent({
    ...options,
    state: await openedState(flags, terminal),
    // For messages that waited: `--allow` was given for another one.
    approve: async (_request, { session }) => {
      if (!reporter.isOther(session))
        reporter.event({ kind: "diagnostic", level: "warning", text: EARLIER_REFUSED })
      return "no"
    },
    notify: (text) => !flags.json && terminal.err(`notice: ${visible(text)}\n`),
    trouble: (text) => reporter.event({ kind: "diagnostic", level: "warning", text }),
    ...(flags.json && !flags.sessions && { log: jsonLog(flags, terminal) }),
    deliver: reporter.late,
  })
  try {
    printDiagnostics(senderDiagnostics(options, flags), terminal)
    if (flags.sessions) return listSessions(await agent.sessions(senderOf(flags)), flags, terminal)
    if (agent.model.isOffline && !flags.json) terminal.err(`${offlineText(agent.model)}\n`)
    const stop = new AbortController()
    const stopped = terminal.stopped().then(() => stop.abort())
    if (flags.schedule) return await runSchedule(agent, reporter, { terminal, stopped, approve })
    if (message !== undefined)
      return await answer(agent, message, {
        flags,
        terminal,
        reporter,
        stopped,
        approve,
        signal: stop.signal,
      })
    const late = await Promise.race([agent.resume(reporter.event), stopped])
    if (late?.length === 0 && !flags.json) await sayWhatWaits(agent, terminal)
    return late === undefined ? 2 : 0
  } finally {
    // Puts back unfinished work.
    await agent.close()
  }
}

async function sayWhatWaits(agent: RunningAgent, terminal: Terminal): Promise<void> {
  const { length } = await agent.queue.list()
  terminal.err(
    length === 0
      ? "No messages are queued. To send one, run `incipit run <message>`.\n"
      : `${plural(length, "message")} ${length === 1 ? "is" : "are"} queued, but none is due. ${QUEUE_HINT}\n`,
  )
}

const QUEUE_HINT = "`incipit queue list` shows when and why; `incipit queue retry` tries at once."

const EARLIER_REFUSED =
  "an action of an earlier message was refused: --allow applies only to the message it is given with"

/** `--allow` applies to the message that it was given with, or to the runs of the schedule. */
function approverOf(allowed: readonly ApprovalRequest["kind"][], reporter: Reporter): Approve {
  return async (request) => {
    const { kind } = request
    if (allowed.includes(kind)) return "yes"
    const text =
      kind === "question"
        ? `there is no terminal to ask on, so a question of the MCP server ${request.server} was declined`
        : `there is no terminal to ask on; --allow ${kind} allows it`
    reporter.event({ kind: "diagnostic", level: "warning", text })
    return "no"
  }
}

/** Events of the record, mixed with live events: record events have a `type`, live ones a `kind`. */
function jsonLog(flags: FlagsOf<"run">, terminal: Terminal): NonNullable<AgentOptions["log"]> {
  return { write: terminal.out, level: flags.logLevel ?? "debug", isTerminal: false }
}

/**
 * Reports a slip in `--as` or `--in`: the agent would treat the sender as a stranger and say nothing about the
 * configuration.
 */
function senderDiagnostics(
  { workspace, agent }: ReturnType<typeof agentOptions>,
  flags: FlagsOf<"run">,
): readonly Diagnostic[] {
  const { config } = openWorkspace(workspace, { agent })
  return resolveAudience(config, senderOf(flags), "incipit.yaml").diagnostics
}

interface Reporter {
  readonly event: (event: LiveEvent) => void
  /** An answer to a message of this run. */
  readonly answer: (reply: StoredReply) => Promise<void>
  /** An answer to a message of an earlier run. Leaves those of another session to somebody else. */
  readonly late: Deliver
  /** This run's message is in this session. */
  readonly enter: (session: string) => void
  /** What happens in another session is not part of this run's output. */
  readonly isOther: (session: string) => boolean
}

function createReporter(flags: FlagsOf<"run">, terminal: Terminal): Reporter {
  const { event, answer, late } = flags.json ? jsonReporter(terminal) : textReporter(terminal)
  let own: string | undefined
  const isOther = (session: string) => own !== undefined && session !== own
  return {
    ...{ event, answer, isOther },
    late: (reply) => (isOther(reply.session) ? false : late(reply)),
    enter(session) {
      own = session
    },
  }
}

interface Printing {
  readonly event: (event: LiveEvent) => void
  readonly answer: (reply: StoredReply) => Promise<void>
  readonly late: (reply: StoredReply) => void
}

function jsonReporter(terminal: Terminal): Printing {
  const line = (value: unknown) => terminal.out(`${JSON.stringify(value)}\n`)
  return {
    event: line,
    answer: async () => terminal.drained(),
    late: (reply) => line({ kind: "late-answer", reply }),
  }
}

function textReporter(terminal: Terminal): Printing {
  return {
    event: (event) => {
      const text = progress(event)
      if (text !== undefined) terminal.err(`${visible(text)}\n`)
    },
    answer: async ({ state, text }) => {
      // A script reads stdout as the answer.
      const write = state === "answered" ? terminal.out : terminal.err
      write(`${text}\n`)
      await terminal.drained()
    },
    late: ({ turn, text }) =>
      terminal.err(`answer to an earlier message (turn ${turn}):\n${visibleLines(text).join("\n")}\n\n`),
  }
}

/** Progress for a waiting person; the answer itself goes to stdout. */
function progress(event: LiveEvent): string | undefined {
  if (event.kind === "tool-finished" && event.isError)
    return `${event.name}: ${event.text.split("\n", 1)[0] ?? ""}`
  if (event.kind === "retrying")
    return `${event.why}; trying again in ${Math.round(event.waitMs / 1000)} s (attempt ${event.attempt})`
  if (event.kind === "compacted") return compactedText(event)
  if (event.kind === "diagnostic") return `${event.level}: ${event.text}`
  return undefined
}

function compactedText({ from, to, lost }: Extract<LiveEvent, { kind: "compacted" }>): string {
  const what = lost.length === 0 ? "" : `; no longer sent: ${lost.join(", ")}`
  return `conversation compacted: ${thousands(from)} to ${plural(to, "token")}${what}`
}

interface ReplyContext {
  readonly flags: FlagsOf<"run">
  readonly terminal: Terminal
  readonly reporter: Reporter
  /** Resolves when the user asks to stop. */
  readonly stopped: Promise<void>
  /** Aborted at the same time. */
  readonly signal: AbortSignal
  readonly approve: Approve
}

/** Messages of other sessions stay in the queue: this run's output is about its own message. */
async function answer(agent: RunningAgent, message: RunMessage, showing: ReplyContext): Promise<number> {
  const { flags, terminal } = showing
  const { state, turn, text } = await sendAndReport(agent, message, showing)
  if (!flags.json) {
    if (state === "queued") terminal.err(`${text}\n${retryHint(turn)}\n`)
    const others = (await agent.queue.list()).filter((one) => one.turn !== turn).length
    if (others > 0)
      terminal.err(
        `${plural(others, "earlier message")} ${others === 1 ? "is" : "are"} queued. ${QUEUE_HINT}\n`,
      )
  }
  return state === "answered" || state === "silent" ? 0 : 2
}

/** Reports failures, which do not affect the rest. */
async function resumeOthers(
  agent: RunningAgent,
  { reporter, terminal }: Pick<ReplyContext, "reporter" | "terminal">,
) {
  try {
    await agent.resume(reporter.event)
  } catch (error) {
    terminal.err(`${oneLine(error instanceof Error ? error.message : String(error))}\n`)
  }
}

function sendAndReport(
  agent: RunningAgent,
  { text, files }: RunMessage,
  { flags, reporter, signal, approve }: ReplyContext,
): Promise<SentReply> {
  return agent.send(text, {
    ...{ ...sendOptions(flags), files },
    ...{ signal, approve },
    observe(event) {
      if (event.kind === "turn-started") reporter.enter(event.session)
      reporter.event(event)
    },
    deliver: (stored) => (stored.state === "silent" ? undefined : reporter.answer(stored)),
  })
}

/** This process ends, so another one has to come back for the message. */
function retryHint(turn: string): string {
  return `To try at once: incipit queue retry ${turn}. To give up: incipit queue drop ${turn}. \`incipit run --schedule\` keeps running and tries by itself.`
}

function sendOptions(flags: FlagsOf<"run">): SendOptions {
  const { session, task, mode } = flags
  return {
    ...senderOf(flags),
    ...defined({ session, task, mode }),
    ...(flags.new && { isNew: true }),
    // False would end the plan mode of a session that is in it.
    ...(flags.plan && { planMode: true }),
    ...(flags.background && { background: true }),
  }
}

/** Processes the queue beside the schedule, so that a hanging turn does not delay it. */
async function runSchedule(
  agent: RunningAgent,
  reporter: Reporter,
  { terminal, stopped, approve }: Pick<ReplyContext, "terminal" | "stopped" | "approve">,
): Promise<number> {
  terminal.err("Running the schedule; press Ctrl-C to stop.\n")
  void resumeOthers(agent, { reporter, terminal })
  const stop = new AbortController()
  const kept = agent.keepSchedule({
    signal: stop.signal,
    ...{ observe: reporter.event, approve },
    fired: ({ entry, run: what }, { state, turn }) =>
      terminal.err(`${oneLine(`${entry}: ${what}: ${state} (turn ${turn})`)}\n`),
    trouble: (error, firing) =>
      terminal.err(`${oneLine(`${firing === undefined ? "schedule" : firing.entry}: ${error}`)}\n`),
  })
  await stopped
  const ended = kept.stop()
  stop.abort()
  await ended
  return 0
}

function listSessions(
  sessions: Awaited<ReturnType<RunningAgent["sessions"]>>,
  flags: FlagsOf<"run">,
  terminal: Terminal,
): number {
  if (flags.json) {
    terminal.out(`${JSON.stringify(sessions, null, 2)}\n`)
    return 0
  }
  for (const { id, usedAt, turns, title } of sessions)
    terminal.out(
      `${id}  ${new Date(usedAt).toISOString().slice(0, 16)}  ${plural(turns, "turn")}  ${oneLine(title)}\n`,
    )
  if (sessions.length === 0) terminal.err("No sessions yet.\n")
  return 0
}
