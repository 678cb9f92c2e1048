// `incipit wrap`: runs a coding agent with its calls captured, and shows the bill of the run when it ends. The command
// keeps the terminal, the signals and the exit status; everything of ours is on stderr, after it has ended.
import type { Bill } from "../../../capture/bill/bill.ts"
import { makeBill } from "../../../capture/bill/make-bill.ts"
import type { CapturedCall } from "../../../capture/call.ts"
import { recordAfter } from "../../../capture/clients/incipit-record.ts"
import { READERS } from "../../../capture/clients/readers.ts"
import type { FoundFile } from "../../../capture/keep/keep-files.ts"
import type { Captures } from "../../../capture/keep/open-captures.ts"
import { openCapturingProxy } from "../../../capture/proxy/capturing-proxy.ts"
import { type Setup, type SetupOptions, setUp } from "../../../capture/proxy/client-setup.ts"
import { createRoute } from "../../../capture/proxy/upstream.ts"
import { readRegular } from "../../../files/read-regular.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import type { Terminal } from "../../terminal.ts"
import { summaryOf } from "../../views/bill/summary.ts"
import { terminalView } from "../../views/bill/terminal-view.ts"
import { oneLine, wrap as wrapWords } from "../../views/widths.ts"
import { billJson } from "../bill/bill-json.ts"
import { redacted } from "../bill/redacted.ts"
import { withShortPaths } from "../bill/short-paths.ts"
import { capturesPlace, openCapturesFor } from "./captures-place.ts"
import { countLines } from "./proxy.ts"
import { type CommandOptions, type Ended, runCommand } from "./run-command.ts"
import { makeRunFolder } from "./run-folder.ts"

type Flags = FlagsOf<"wrap">

interface Run extends Ended {
  /** Calls of this run. */
  readonly ids: ReadonlySet<string>
  readonly lines: readonly string[]
}

export async function run({ words, flags, terminal }: Invocation<"wrap">): Promise<number> {
  const captures = await openCapturesFor(terminal, flags.metadataOnly)
  const folder = makeRunFolder(capturesPlace(terminal).runs)
  // Also if the process ends in another way than by returning from here.
  terminal.onExit?.(folder.remove)
  try {
    const before = await captures.recorder.read((store) => store.events.lastId())
    const ended = await runWrapped({
      words,
      flags,
      terminal,
      captures,
      folder: folder.path,
      write: folder.write,
    })
    if (ended.why !== undefined)
      terminal.err(`incipit: cannot run ${oneLine(words[0] ?? "")}: ${ended.why}.\n`)
    else await showBill({ ended, before, captures, flags, terminal })
    return ended.status
  } finally {
    await captures.close()
    folder.remove()
  }
}

interface Wrapping {
  readonly words: readonly string[]
  readonly flags: Flags
  readonly terminal: Terminal
  readonly captures: Captures
  readonly folder: string
  readonly write: (files: Readonly<Record<string, string>>) => void
}

async function runWrapped(wrapping: Wrapping): Promise<Run> {
  const { words, flags, terminal, write } = wrapping
  const [command = "", ...rest] = words
  const { env, cwd } = terminal
  const options: Omit<SetupOptions, "url"> = {
    ...{ command, variables: env, folder: wrapping.folder, cwd, home: terminal.home ?? cwd, read },
    mode: flags.bodies ? "bodies" : flags.proxy ? "proxy" : undefined,
  }
  const start = (setup: Setup): CommandOptions => ({
    ...{ command, args: [...setup.args, ...rest], cwd, variables: { ...env, ...setup.variables } },
  })
  // Where the proxy listens changes nothing about whether it is needed.
  const planned = setUp({ ...options, url: "http://127.0.0.1:0" })
  if (planned.mode === "bodies") return withBodies(wrapping, start(planned))
  return withProxy(wrapping, planned, (url) => {
    const setup = setUp({ ...options, url })
    write(setup.files)
    return start(setup)
  })
}

const MOST_CONFIG_BYTES = 1 << 20

function read(path: string): string | undefined {
  const found = readRegular(path, MOST_CONFIG_BYTES)
  return found.kind === "read" ? found.bytes.toString("utf8") : undefined
}

/**
 * What the client has written is kept, redacted, and then removed with the folder. A client that ends with an answer has
 * no time to write that one down: it is in the transcript.
 */
async function withBodies({ captures, folder, terminal }: Wrapping, command: CommandOptions): Promise<Run> {
  const start = terminal.now()
  const ended = await runCommand(command)
  const ids = new Set<string>()
  const sessions = new Set<string>()
  const keep = async (call: CapturedCall) => {
    ids.add(call.id)
    sessions.add(call.session)
    await captures.keep({ ...call, project: call.project ?? command.cwd })
  }
  for (const reader of OWN_READERS)
    for (const file of await reader.files(folder))
      for await (const read of reader.calls(file)) if (read.kind === "call") await keep(read.call)
  const isOfRun = ({ at, session, project }: CapturedCall) =>
    at >= start && (sessions.has(session) || (sessions.size === 0 && project === command.cwd))
  for (const file of await transcriptsSince(start, terminal))
    for await (const read of file.reader.calls(file.file))
      if (read.kind === "call" && isOfRun(read.call)) await keep(read.call)
  return { ...ended, ids, lines: [] }
}

const OWN_READERS = READERS.filter(({ client }) => client === "claude-code" || client === "agent-sdk")

async function transcriptsSince(start: number, { home, cwd, env }: Terminal): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = []
  // The clock of a file system may be a little behind.
  for (const reader of OWN_READERS)
    for (const folder of reader.folders({ home: home ?? cwd, variables: env }))
      for (const file of await reader.files(folder))
        if (file.changedAt >= start - 2_000) found.push({ reader, file })
  return found
}

async function withProxy(
  { captures, terminal }: Wrapping,
  { providers, note }: Setup,
  commandFor: (url: string) => CommandOptions,
): Promise<Run> {
  const ids = new Set<string>()
  const proxy = await openCapturingProxy({
    ...{ port: 0, route: createRoute({ providers }), captures, now: terminal.now, project: terminal.cwd },
    onCall: ({ id }) => void ids.add(id),
  })
  let ended: Ended
  try {
    ended = await runCommand(commandFor(proxy.url))
  } finally {
    await proxy.close()
  }
  const counts = proxy.counts()
  // The first line says how many were captured, and so does the bill.
  const lines = [...countLines(counts).slice(1), ...(note === undefined ? [] : [note])]
  return { ...ended, ids, lines }
}

interface Showing {
  readonly ended: Run
  /** The last event before the run. */
  readonly before: number
  readonly captures: Captures
  readonly flags: Flags
  readonly terminal: Terminal
}

async function showBill({ ended, before, captures, flags, terminal }: Showing): Promise<void> {
  await captures.recorder.flush()
  const { ids, lines } = ended
  const { priceFor } = await import("../../../record/prices/prices.ts")
  const found = await makeBill({
    machine: { home: terminal.home ?? terminal.cwd, variables: terminal.env },
    readers: [recordAfter(before, (id) => ids.has(id))],
    folders: [capturesPlace(terminal).folder],
    timeZone: terminal.timeZone,
    priceOf: (model, at) => priceFor(model, { at }),
  })
  const shared = flags.json ? found : withShortPaths(found, terminal.home)
  const bill = await redacted(shared, terminal.env)
  if (flags.json) return terminal.err(billJson(bill))
  const view = bill.calls === 0 ? [NOTHING_NEW] : billLines(bill, terminal)
  const notes = lines.flatMap((line) => wrapWords(line, terminal.columns - INDENT.length))
  terminal.err(`${["", ...view, ...notes.map((line) => `${INDENT}${line}`)].map(oneLine).join("\n")}\n`)
}

const INDENT = "  "
const NOTHING_NEW = `${INDENT}No new calls were captured.`

/** The calls were sent and kept, so what the bill says of reading alone is not the point here. */
function billLines(bill: Bill, terminal: Terminal): readonly string[] {
  const reading = "The calls are kept. To look at the last one: incipit trace --captures"
  return terminalView({ ...summaryOf(bill), reading }, terminal)
}
