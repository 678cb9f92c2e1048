// `incipit check`: all diagnostics, from the same resolver that compiles; and assertions about what must not happen.
import { checkConfig } from "../../../agent/check/check-config.ts"
import { checkPrompt } from "../../../agent/check/check-prompt.ts"
import { type Diagnostic, levelOf, sentence } from "../../../base/diagnostic.ts"
import { IncipitError } from "../../../base/error.ts"
import { atLeast, isTrust, type Trust } from "../../../base/trust.ts"
import type { Tool } from "../../../core/model/inputs.ts"
import { isSeen } from "../../../core/model/plan.ts"
import { reportDiagnostic } from "../../../core/read/report.ts"
import { view } from "../../../core/view/view.ts"
import type { FlagsOf, Invocation } from "../../command-line/invocation.ts"
import { exitStatus, printDiagnostics } from "../../command-line/print-diagnostics.ts"
import { homeFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { countsText } from "../../views/diagnostics.ts"
import { grouped, uniqueDiagnostics } from "../../views/grouped-diagnostics.ts"
import { oneLine } from "../../views/widths.ts"
import { type ApprovalItem, approvalItems, KIND_NAMES, unapproved } from "../workspace/approvables.ts"
import { compareLock, writeLock } from "./lock.ts"
import { type Compiled, compileFromFlags, type Input } from "./resolve.ts"

export async function run({ flags, terminal }: Invocation<"check">): Promise<number> {
  // Here the budget is an assertion: a smaller one must not cut what is being checked.
  const { budget, ...rest } = flags
  const compiled = await compileFromFlags(rest, terminal)
  const { input } = compiled
  if (flags.writeLock) terminal.err(`wrote ${oneLine(writeLock(input))}\n`)
  const failures = [
    ...(await leaks(rest, terminal)),
    ...overBudget(compiled, budget),
    ...(flags.frozen ? compareLock(input) : []),
  ]
  const { items, diagnostics: unusable } = approvalItems(input.workspace)
  // Only chats wait for the schedule's approval, and only `incipit serve` for that of its settings.
  const used = items.filter(({ kind }) => kind !== "schedule" && kind !== "serve")
  const waiting = waitingFor(used, {
    root: input.workspace.root,
    home: homeFolder(flags, terminal),
  })
  const all = uniqueDiagnostics([
    ...compiled.diagnostics,
    ...checkConfig(input.workspace),
    ...unusable,
    ...checkPrompt({ ...input, prompt: compiled.prompt }, await toolsOf(input, flags)),
    ...waiting,
    ...failures,
  ])
  const diagnostics = grouped(all)
  if (flags.json) terminal.out(`${JSON.stringify(diagnostics.map(reportDiagnostic), null, 2)}\n`)
  else {
    printDiagnostics(diagnostics, terminal)
    terminal.out(`${countsText(diagnostics)}\n`)
  }
  // Missing approvals say nothing about the files: on a server that checks them, nothing is approved.
  const counted = diagnostics.filter(({ code }) => code !== "waits-for-approval")
  return counted.some((one) => levelOf(one) === "error") ? 1 : exitStatus(counted, flags)
}

/** Without `--tools`, files are checked against the tools of a running agent. */
async function toolsOf(
  { agent, workspace, system }: Input,
  { tools }: FlagsOf<"check">,
): Promise<readonly Tool[]> {
  if (tools !== undefined) return agent.tools
  const { agentTools } = await import("../../../agent/setup/agent-tools.ts")
  return [...agent.tools, ...agentTools([], workspace.config, system)]
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

function overBudget({ prompt }: Compiled, limit: number | undefined): readonly Diagnostic[] {
  const { tools, head } = prompt.plan.budget
  const tokens = tools + head.used
  return limit !== undefined && tokens > limit ? [{ code: "over-budget", tokens, budget: limit }] : []
}

/** Compiles for the owner in the situation: everybody else there sees less. */
async function leaks(
  { leak = [], ...flags }: Omit<FlagsOf<"check">, "budget">,
  terminal: Terminal,
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = []
  for (const assertion of leak) {
    const [trust, situation] = assertion.split(":")
    if (!isTrust(trust) || situation === undefined || situation === "") {
      throw new IncipitError(
        "bad-argument",
        `--leak must be TRUST:SITUATION, such as full:group, not "${assertion}"`,
      )
    }
    const { prompt, input, diagnostics } = await compileFromFlags({ ...flags, in: situation }, terminal)
    // An unknown situation leaks nothing, so a misspelt one would always pass.
    const unknown = diagnostics.find(({ code }) => code === "unknown-situation")
    if (unknown !== undefined) throw new IncipitError("bad-argument", `--leak: ${sentence(unknown)}`)
    found.push(...leaked(prompt.plan.entries.filter(isSeen), input, trust, situation))
    found.push(...leakedSkills(input, trust, situation), ...leakedMemory(input, trust, situation))
  }
  return found
}

/**
 * The skill menu appears only with tools to read a skill: assume those of a running agent, whatever tools are given
 * here.
 */
function leakedSkills({ agent, session }: Input, trust: Trust, situation: string): readonly Diagnostic[] {
  const seen = view(agent, session)
  return [...seen.agent.skills, ...seen.session.skills]
    .filter(({ trust: needs }) => atLeast(needs, trust))
    .map(({ path, trust: needs }) => ({ code: "leak", path, situation, trust: needs }))
}

/** Not in the prompt itself, but the agent may recall it or find it by searching. */
function leakedMemory({ agent, session }: Input, trust: Trust, situation: string): readonly Diagnostic[] {
  return (agent.memory ?? [])
    .filter(({ trust: needs }) => atLeast(session.audience.trust, needs) && atLeast(needs, trust))
    .map(({ path, trust: needs }) => ({
      code: "leak",
      // The real path: this file is not in its store's folder.
      path: path === "private/MEMORY.md" ? "MEMORY.md" : `memory/${path}`,
      situation,
      trust: needs,
    }))
}

function leaked(
  entries: Compiled["prompt"]["plan"]["entries"],
  { agent, session }: Input,
  trust: Trust,
  situation: string,
): readonly Diagnostic[] {
  const sources = new Map(
    [...agent.files, ...session.files, ...(agent.skills ?? [])].map((file) => [file.path, file.trust]),
  )
  const paths = new Map<string, Trust>()
  for (const entry of entries) {
    for (const { from } of entry.spans)
      if (from?.kind === "file") paths.set(from.path, sources.get(from.path) ?? entry.trust)
    if (entry.spans.every(({ from }) => from?.kind !== "file")) paths.set(entry.id, entry.trust)
  }
  return [...paths].flatMap(([path, needs]): Diagnostic[] =>
    atLeast(needs, trust) ? [{ code: "leak", path, situation, trust: needs }] : [],
  )
}
