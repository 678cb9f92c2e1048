// `incipit run`: one message, one answer, for scripts. Without a message it processes the queue; with `--schedule` it
// keeps running and also runs the schedule.
import type { AgentOptions, Approve, RunningAgent, SendOptions } from "../../../agent/setup/agent.ts"
import type { LiveEvent } from "../../../agent/turn/live-event.ts"
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
import { hasStore, openedState } from "./state-place.ts"

export async function run({ words, flags, terminal }: Invocation<"run">): Promise<number> {
  const { allow: allowed = [] } = flags
  const message = await readMessage(words, flags, terminal)
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
    approve: async () => {
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
      return await answerFirst(agent, message, {
        flags,
        terminal,
        reporter,
        stopped,
        approve,
        signal: stop.signal,
      })
    const late = await Promise.race([agent.resume(reporter.event), stopped])
    if (late?.length === 0 && !flags.json)
      terminal.err("No messages are queued. To send one, run `incipit run <message>`.\n")
    return late === undefined ? 2 : 0
  } finally {
    // Puts back unfinished work.
    await agent.close()
  }
}

const EARLIER_REFUSED =
  "an action of an earlier message was refused: --allow applies only to the message it is given with"

/** `--allow` applies to the message that it was given with, or to the runs of the schedule. */
function approverOf(allowed: readonly ApprovalRequest["kind"][], reporter: Reporter): Approve {
  return async ({ kind }) => {
    if (allowed.includes(kind)) return "yes"
    reporter.event({
      kind: "diagnostic",
      level: "warning",
      text: `there is no terminal to ask on; --allow ${kind} allows it`,
    })
    return "no"
  }
}

/** Events of the record, mixed with live events: record events have a `type`, live ones a `kind`. */
function jsonLog(flags: FlagsOf<"run">, terminal: Terminal): NonNullable<AgentOptions["log"]> {
  return { write: terminal.out, level: flags.logLevel ?? "debug", isTerminal: false }
}

/** The message, if there is one. An empty text is a script's mistake, not a missing message. */
async function readMessage(
  words: readonly string[],
  flags: FlagsOf<"run">,
  terminal: Terminal,
): Promise<string | undefined> {
  if (words.length === 0) return undefined
  const other = flags.sessions ? "sessions" : flags.schedule ? "schedule" : undefined
  if (other !== undefined) throw new IncipitError("bad-argument", `--${other} cannot be used with a message`)
  const text = words.length === 1 && words[0] === "-" ? await readInput(terminal) : words.join(" ").trim()
  if (text === "") throw new IncipitError("bad-argument", "the message is empty")
  return text
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

async function readInput({ streams }: Terminal): Promise<string> {
  const chunks: Buffer[] = []
  if (streams !== undefined) for await (const chunk of streams.input) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString("utf8").trim()
}

interface Reporter {
  readonly event: (event: LiveEvent) => void
  /** An answer to a message of this run. */
  readonly answer: (reply: StoredReply) => Promise<void>
  /** An answer to a message of an earlier run. */
  readonly late: (reply: StoredReply) => void
}

function createReporter(flags: FlagsOf<"run">, terminal: Terminal): Reporter {
  const line = (value: unknown) => terminal.out(`${JSON.stringify(value)}\n`)
  if (flags.json)
    return {
      event: line,
      answer: async () => terminal.drained(),
      late: (reply) => line({ kind: "late-answer", reply }),
    }
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

/** How long to process other waiting messages after this run's own is answered. */
const OTHERS_MS = 60_000

async function answerFirst(agent: RunningAgent, message: string, showing: ReplyContext): Promise<number> {
  const status = await sendAndReport(agent, message, showing)
  // If this message was not answered, others hardly would be.
  if (status !== 0) return status
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, OTHERS_MS)
  try {
    await Promise.race([resumeOthers(agent, showing), showing.stopped, late])
  } finally {
    clearTimeout(timer)
  }
  return status
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

async function sendAndReport(
  agent: RunningAgent,
  message: string,
  { flags, terminal, reporter, signal, approve }: ReplyContext,
): Promise<number> {
  const reply = await agent.send(message, {
    ...sendOptions(flags),
    ...{ signal, approve },
    observe: reporter.event,
    deliver: (stored) => (stored.state === "silent" ? undefined : reporter.answer(stored)),
  })
  if (reply.state === "answered" || reply.state === "silent") return 0
  if (reply.state === "queued" && !flags.json) terminal.err(`${reply.text}\n${RETRY_HINT}\n`)
  return 2
}

/** This process ends, so another one has to come back for the message. */
const RETRY_HINT =
  "The next `incipit run` after that time tries again; `incipit run --schedule` keeps running and tries by itself."

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
