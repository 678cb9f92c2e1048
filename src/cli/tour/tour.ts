// `incipit tour`: a first conversation with an agent, step by step, each followed by a look behind it. Plays on its own
// if nobody is at a terminal.

import { randomInt } from "node:crypto"
import { resolve } from "node:path"
import { chooseModel } from "../../agent/models/choose-model.ts"
import { IncipitError } from "../../base/error.ts"
import { plural } from "../../base/text/figures.ts"
import { offlineCallsOf } from "../../record/prices/offline-calls.ts"
import { openWorkspace } from "../../sources/workspace.ts"
import type { ApprovalRequest } from "../../tools/host.ts"
import { questionLines, questionOf } from "../chat/approval.ts"
import { noticeLines } from "../chat/turn-view.ts"
import { agentOptions } from "../command-line/agent-flags.ts"
import { asTyped } from "../command-line/as-typed.ts"
import type { FlagsOf, Invocation } from "../command-line/invocation.ts"
import { withVariables } from "../command-line/variables.ts"
import { openedState } from "../commands/agent/state-place.ts"
import { instant } from "../commands/prompt/resolve.ts"
import { openFolder } from "../commands/workspace/folder-question.ts"
import type { Terminal } from "../terminal.ts"
import { planView } from "../views/build-view.ts"
import { painter } from "../views/colour.ts"
import { wrap } from "../views/widths.ts"
import { NOBODY, type Person, personAt } from "./person.ts"
import { copySample, type TourPlace } from "./place.ts"
import { playStep } from "./play.ts"
import type { Tour } from "./running-tour.ts"
import { TOUR_STEPS } from "./steps.ts"
import { type Bill, billText, indented, sumOf } from "./views.ts"

export async function run({ flags, terminal: given }: Invocation<"tour">): Promise<number> {
  const terminal = withFlags(given, flags)
  const leaving = new AbortController()
  const leave = () => leaving.abort()
  void given.stopped().then(leave)
  const person = personOf(terminal, leaving.signal, leave)
  const place = await tourPlace(flags, terminal, person)
  if (place === undefined) return 0
  const say = (lines: readonly string[]) => terminal.out(lines.map((line) => `${line}\n`).join(""))
  if (!place.isSample) await openFolder(flags, terminal)
  // Imported here because it brings the AI SDK.
  const { openAgent } = await import("../../agent/setup/open.ts")
  const agent = await openAgent({
    ...agentOptions({ ...flags, workspace: place.folder }, terminal),
    state: place.state ?? (await openedState({ ...flags, workspace: place.folder }, terminal)),
    ...modelFor(flags, terminal, place, person),
    directory: place.folder,
    approve: async (request) => ((await approved(request, person, terminal)) ? "yes" : "no"),
    notify: (text) => say(noticeLines(text, terminal)),
  })
  try {
    await walk({ place, person, agent, terminal, flags, leaving: leaving.signal, say })
  } finally {
    await agent.close()
  }
  return 0
}

function withFlags(terminal: Terminal, flags: FlagsOf<"tour">): Terminal {
  const now = flags.now === undefined ? undefined : instant(flags.now)
  return {
    ...terminal,
    colour: terminal.colour && !flags.noColor,
    ...(now !== undefined && { now: () => now }),
  }
}

function personOf(terminal: Terminal, leaving: AbortSignal, leave: () => void): Person {
  const { streams } = terminal
  if (streams === undefined || !streams.input.isTTY || !streams.output.isTTY) return NOBODY
  return personAt({ streams, terminal, leaving, leave })
}

async function tourPlace(
  flags: FlagsOf<"tour">,
  terminal: Terminal,
  person: Person,
): Promise<TourPlace | undefined> {
  if (flags.workspace === undefined) return copySample(terminal, () => randomInt(1_000_000))
  const folder = resolve(terminal.cwd, flags.workspace)
  if (flags.yes) return { folder, isSample: false }
  if (!person.isThere)
    throw new IncipitError(
      "bad-argument",
      `the tour keeps a conversation for ${flags.workspace}, and there is no terminal to ask on; to agree, add --yes`,
    )
  const question = `The conversation is kept in your state directory, as with \`incipit chat\`. No other file changes unless you agree. Continue?`
  return (await person.agrees(asTyped(question, terminal))) ? { folder, isSample: false } : undefined
}

/** Without a person to agree to the costs, no provider is used; and a key that is set overrides the sample's model. */
function modelFor(
  flags: FlagsOf<"tour">,
  { env }: Terminal,
  { folder, isSample }: TourPlace,
  { isThere }: Person,
): { readonly model?: string } {
  if (flags.model !== undefined) return { model: flags.model }
  const { config } = openWorkspace(folder)
  const configured = withVariables({}, { env }).model ?? config.model
  if (!isThere) return { model: configured === undefined ? "offline" : `offline/${configured}` }
  const isReady = chooseModel({ configured, env, config }).kind === "model"
  const other = chooseModel({ env, config })
  return isSample && !isReady && other.kind === "model" ? { model: other.id } : {}
}

async function approved(request: ApprovalRequest, person: Person, terminal: Terminal): Promise<boolean> {
  const question = questionOf(request)
  const lines = questionLines(question, terminal.columns, painter(terminal))
  terminal.out(`${lines.join("\n")}\n`)
  return person.agrees(question.warning ?? "")
}

async function walk(tour: Tour): Promise<void> {
  const { say, terminal } = tour
  say(await openingLines(tour))
  const bills: Bill[] = []
  let isChanged = false
  for (const [at, step] of TOUR_STEPS.entries()) {
    if (tour.leaving.aborted) break
    if (step.needsChange && !isChanged) continue
    const played = await playStep(tour, step, `${at + 1} of ${TOUR_STEPS.length}`)
    isChanged ||= played.isChanged
    if (played.bill !== undefined) bills.push(played.bill)
    await terminal.drained()
  }
  say(closingLines(tour, bills))
}

async function openingLines(tour: Tour): Promise<readonly string[]> {
  const { agent, place, terminal } = tour
  const paint = painter(terminal)
  const { plan } = await agent.preview("")
  const where = place.isSample
    ? "a sample agent, who keeps the papers of a lighthouse. You are Ada, its owner. It is a temporary copy that is deleted when you quit."
    : "your own agent."
  return [
    paint("bold", "A tour of Incipit"),
    ...wrap(`A conversation with ${where}`, terminal.columns),
    ...wrap(modelText(tour), terminal.columns),
    "",
    ...wrap(`This is the prompt that ${agent.name} starts with:`, terminal.columns),
    "",
    ...planView(plan, terminal, { areToolsFolded: true }),
  ]
}

function modelText({ agent: { model }, person, flags }: Tour): string {
  if (!model.isOffline) return `${model.id} answers, and its calls cost real money.`
  const isAsked = flags.model !== undefined || person.isThere
  const why = isAsked ? model.why : "there is no terminal to confirm costs on"
  return `The offline model answers, by rules: ${why}. ${offlineCallsOf(model.id)}`
}

const NEXT: readonly (readonly [string, string])[] = [
  ["incipit init my-agent", "create your own workspace"],
  ["incipit chat", "chat with it; /help lists the commands"],
  ["incipit build", "show its prompt; --as and --in show what others get"],
  ["incipit --help", "list the other commands"],
]

function closingLines({ terminal }: Tour, bills: readonly Bill[]): readonly string[] {
  const { columns } = terminal
  const paint = painter(terminal)
  const rows = NEXT.map(([command, text]) => [asTyped(command, terminal), text] as const).flatMap(
    ([command, text]) =>
      columns < 80
        ? [`  ${command}`, ...wrap(text, columns - 4).map((line) => `    ${line}`)]
        : [`  ${command.padEnd(asTyped("incipit init my-agent", terminal).length + 2)}${text}`],
  )
  const sum = `${plural(bills.length, "message")}: ${billText(sumOf(bills))}.`
  const docs = "To learn more, read docs/guide in the repository, starting with tutorial.md."
  return [
    ...(bills.length === 0 ? [] : ["", paint("bold", "Total cost"), ...indented(sum, terminal)]),
    ...["", paint("bold", "Next steps"), ...rows, ...indented(docs, terminal)],
  ]
}
