// `incipit check`: all diagnostics, from the same resolver that compiles; and assertions about what must not happen.
import { basename, relative, resolve, sep } from "node:path"
import { checkConfig } from "../../../agent/check/check-config.ts"
import { checkPrompt } from "../../../agent/check/check-prompt.ts"
import { type Diagnostic, levelOf } from "../../../base/diagnostic.ts"
import { IncipitError } from "../../../base/error.ts"
import { byCodePoint } from "../../../base/order.ts"
import { VERSION } from "../../../base/version.ts"
import type { Tool } from "../../../core/model/inputs.ts"
import { reportDiagnostic } from "../../../core/read/report.ts"
import { identityAt } from "../../../files/identity.ts"
import { realPath } from "../../../files/real-path.ts"
import { unreadForeign } from "../../../sources/context/unread-foreign.ts"
import { incipitSystem } from "../../../sources/systems/incipit-system.ts"
import { agentToolDefinitions } from "../../../workspace/agent-tools.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { exitStatus, printDiagnostics } from "../../command-line/print-diagnostics.ts"
import { homeFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { githubCommands } from "../../views/check/github.ts"
import { checkMarkdown, type Ratchet, ratchetView } from "../../views/check/ratchet-view.ts"
import { sarifLog } from "../../views/check/sarif.ts"
import { countsText } from "../../views/diagnostics.ts"
import { grouped, uniqueDiagnostics } from "../../views/grouped-diagnostics.ts"
import { oneLine } from "../../views/widths.ts"
import { type ApprovalItem, approvalItems, KIND_NAMES, unapproved } from "../workspace/approvables.ts"
import { printChannelNote } from "./channel-note.ts"
import { leakKey, leaks } from "./leaks.ts"
import { compareLock, LOCK_NAME, writeLock } from "./lock.ts"
import { type PromptSize, promptSize } from "./prompt-size.ts"
import { RATCHET_LEAK, ratchet } from "./ratchet.ts"
import { type Compiled, compileFromFlags, type Input } from "./resolve.ts"

export async function run({ flags, terminal }: Invocation<"check">): Promise<number> {
  refuseWithoutRatchet(flags)
  // Here the budget is an assertion: a smaller one must not cut what is being checked.
  const { budget, ...rest } = flags
  const compiled = await compileFromFlags(rest, terminal)
  const { input } = compiled
  printChannelNote(input, terminal)
  const size = flags.writeLock || flags.ratchet ? await sizeOf(compiled, rest, terminal) : undefined
  if (flags.writeLock && size) terminal.err(`wrote ${oneLine(writeLock(input, size))}\n`)
  const { root, config } = input.workspace
  const compared = flags.ratchet && size ? await ratchet(size, { flags, terminal, root, config }) : undefined
  const failures = [
    ...(await leaks(flags.leak ?? [], rest, terminal)),
    ...overBudget(compiled, budget),
    ...(flags.frozen ? compareLock(input) : []),
    ...(compared?.diagnostics ?? []),
  ]
  const { items, diagnostics: unusable } = approvalItems(input.workspace)
  // Only chats wait for the schedule's approval, and only `incipit serve` for that of its settings.
  const used = items.filter(({ kind }) => kind !== "schedule" && kind !== "serve")
  const waiting = waitingFor(used, { root, home: homeFolder(flags, terminal) })
  const foreign = input.system === incipitSystem ? unreadForeign(input.workspace, input) : []
  const all = uniqueDiagnostics([
    ...compiled.diagnostics,
    ...checkConfig(input.workspace),
    ...misspelt(input),
    ...foreign,
    ...unusable,
    ...checkPrompt({ ...input, prompt: compiled.prompt }, toolsOf(input)),
    ...waiting,
    ...failures,
  ])
  const diagnostics = grouped(all)
  if (!flags.json && (flags.format ?? "text") === "text") printDiagnostics(diagnostics, terminal)
  terminal.out(resultText({ diagnostics, ratchet: compared, root }, flags, terminal))
  // Missing approvals say nothing about the files: on a server that checks them, nothing is approved.
  const counted = diagnostics.filter(({ code }) => code !== "waits-for-approval")
  return counted.some((one) => levelOf(one) === "error") ? 1 : exitStatus(counted, flags)
}

function refuseWithoutRatchet({ ratchet: isCompared, against, maxGrowth }: FlagsOf<"check">): void {
  if (isCompared || (against === undefined && maxGrowth === undefined)) return
  const flag = against === undefined ? "--max-growth" : "--against"
  throw new IncipitError("bad-argument", `${flag} needs --ratchet`)
}

/** With what leaks by the assertions that are given, or by one that holds for most workspaces. */
async function sizeOf(
  compiled: Compiled,
  flags: Omit<FlagsOf<"check">, "budget">,
  terminal: Terminal,
): Promise<PromptSize> {
  const asserted = flags.leak ?? [RATCHET_LEAK]
  const found: string[] = []
  for (const assertion of asserted)
    found.push(...(await leaks([assertion], flags, terminal)).map((leak) => leakKey(assertion, leak)))
  return promptSize(compiled, found.sort(byCodePoint), terminal)
}

interface CheckResult {
  readonly diagnostics: readonly Diagnostic[]
  readonly ratchet: Ratchet | undefined
  /** The workspace. */
  readonly root: string
}

/** On stdout; as text, the diagnostics themselves go to stderr. */
function resultText(
  { diagnostics, ratchet: compared, root }: CheckResult,
  flags: FlagsOf<"check">,
  terminal: Terminal,
): string {
  // As a workflow and an editor see paths: from the folder that they run in.
  const inside = relative(realPath(terminal.cwd), realPath(root)).split(sep).join("/")
  const folder = inside === "" ? "" : `${inside}/`
  const lines = (texts: readonly string[]) => texts.map((line) => `${line}\n`).join("")
  if (flags.json) return `${JSON.stringify(diagnostics.map(reportDiagnostic), null, 2)}\n`
  switch (flags.format) {
    case "markdown":
      return checkMarkdown(compared, diagnostics)
    case "github":
      return lines(githubCommands(diagnostics, folder))
    case "sarif":
      return `${JSON.stringify(sarifLog(diagnostics, { version: VERSION, folder, fallback: LOCK_NAME }), null, 2)}\n`
    default:
      return lines([...(compared ? ratchetView(compared, terminal) : []), countsText(diagnostics)])
  }
}

/** Without `--tools`, files of another system are checked against the tools of a running agent, too. */
function toolsOf({ agent, workspace, system, toolsFrom }: Input): readonly Tool[] {
  if (toolsFrom !== "profile") return agent.tools
  return [...agent.tools, ...agentToolDefinitions(workspace.config, system)]
}

/** What the configuration names and the user has not approved. */
function waitingFor(
  items: readonly ApprovalItem[],
  where: { readonly root: string; readonly home: string | undefined },
): readonly Diagnostic[] {
  return unapproved(items, where).map(
    ({ kind, name }): Diagnostic => ({
      code: "waits-for-approval",
      path: "incipit.yaml",
      what: KIND_NAMES[kind],
      name,
    }),
  )
}

/** Names in another case. Any other name is only a guess, which `explain` makes. */
function misspelt({ agent, session, workspace }: Input): readonly Diagnostic[] {
  const read = new Set([...agent.files, ...session.files].map(({ identity }) => identity))
  return [...(agent.absent ?? []), ...(session.absent ?? [])].flatMap(({ path, nearest }): Diagnostic[] => {
    const as = basename(path)
    if (nearest === undefined || basename(nearest).toLowerCase() !== as.toLowerCase()) return []
    if (read.has(identityAt(resolve(workspace.root, nearest)) ?? "")) return []
    return [{ code: "file-misspelt", path: nearest, as, needs: "full" }]
  })
}

function overBudget({ prompt }: Compiled, limit: number | undefined): readonly Diagnostic[] {
  const { tools, head } = prompt.plan.budget
  const tokens = tools + head.used
  return limit !== undefined && tokens > limit ? [{ code: "over-budget", tokens, budget: limit }] : []
}
