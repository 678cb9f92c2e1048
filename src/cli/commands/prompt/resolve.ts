// From the shared flags to a compiled prompt: open the workspace, gather, compile.
import { statSync } from "node:fs"
import { resolve } from "node:path"
import { toolFormatOf } from "../../../agent/models/tool-format.ts"
import { approvedDirectories } from "../../../approval/approvable.ts"
import { given } from "../../../base/defined.ts"
import type { Diagnostic } from "../../../base/diagnostic.ts"
import { IncipitError } from "../../../base/error.ts"
import type { Trust } from "../../../base/trust.ts"
import { createCompiler } from "../../../core/compile/compiler.ts"
import type { Budget } from "../../../core/fit/budget.ts"
import { identityName } from "../../../core/model/identity.ts"
import { activeTools, type Profile } from "../../../core/model/profile.ts"
import type { Prompt } from "../../../core/model/prompt.ts"
import type { Agent, Session, Tool, Turn } from "../../../core/model/scope.ts"
import type { SourceFile } from "../../../core/model/source.ts"
import { budgetOf } from "../../../sources/config/budget.ts"
import type { Config } from "../../../sources/config/config-schema.ts"
import { noFiles } from "../../../sources/context/no-files.ts"
import { gitState } from "../../../sources/git/git.ts"
import { gatherAgent } from "../../../sources/systems/gather-agent.ts"
import { gatherSession } from "../../../sources/systems/gather-session.ts"
import type { System } from "../../../sources/systems/system.ts"
import { openWorkspace, type ReadCache, type Workspace } from "../../../sources/workspace.ts"
import { o200k } from "../../../tokens/o200k.ts"
import { withNamedFaults } from "../../../workspace/profile/module-profile.ts"
import { profileModule } from "../../../workspace/profile/profile-table.ts"
import { profiled } from "../../../workspace/profile/profiled.ts"
import { readScope, readTools, type ScopeInputs } from "../../command-line/inputs.ts"
import type { FlagsOf } from "../../command-line/invocation.ts"
import { homeFolder, withVariables } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"

/** The flags that a prompt depends on; commands that compile have most of them. */
export type PromptFlags = Partial<FlagsOf<"build">>

/** Everything that a prompt is made from, according to the flags, the environment and the workspace. */
export interface Input {
  readonly workspace: Workspace
  readonly profile: Profile
  /** Whose files are read. */
  readonly system: System
  readonly agent: Agent
  readonly session: Session
  readonly turn: Turn
  readonly budget: Budget
  readonly diagnostics: readonly Diagnostic[]
}

export interface Compiled {
  readonly prompt: Prompt
  readonly input: Input
  /** Everything that was gathered, hidden or not: the operator's view. */
  readonly files: readonly SourceFile[]
  readonly name: string
  readonly diagnostics: readonly Diagnostic[]
}

export interface GatherOptions {
  /** Replaces `--workspace`. */
  readonly folder?: string
  /** From an earlier run: only changed files are read again. */
  readonly cache?: ReadCache
}

export async function compileFromFlags(
  flags: PromptFlags,
  terminal: Terminal,
  options: GatherOptions = {},
): Promise<Compiled> {
  return compileInput(await gatherFromFlags(flags, terminal, options))
}

function compileInput(input: Input): Compiled {
  const { profile, agent, session, turn, budget, workspace, diagnostics } = input
  const ttl = workspace.config.cache?.ttl ?? "5m"
  const head = createCompiler({ profile, counter: o200k }).head(agent, session, { budget, ttl, diagnostics })
  const prompt = head.step(turn)
  const files = [...agent.files, ...session.files]
  return {
    prompt,
    input,
    files,
    name: agentName(files, workspace.root),
    diagnostics: prompt.plan.diagnostics,
  }
}

export async function gatherFromFlags(
  flags: PromptFlags,
  terminal: Terminal,
  options: GatherOptions = {},
): Promise<Input> {
  const path = (value: string | undefined) => mapped(value, (named) => resolve(terminal.cwd, named))
  const { workspace: folder, profile: named, model } = withVariables(flags, terminal)
  const directory = path(flags.cwd) ?? terminal.cwd
  // Start git first, so that it runs while everything else is read.
  const asked = gitState(directory)
  const root = resolve(terminal.cwd, options.folder ?? folder ?? ".")
  const home = homeFolder(flags, terminal)
  const opened = openWorkspace(root, { home, agent: flags.agent, cache: options.cache })
  const { workspace, system, diagnostics, ...loaded } = await profiled(opened, {
    profile: named,
    directory: terminal.cwd,
    home,
  })
  const wanted = named ?? opened.config.profile ?? "incipit"
  const isModule = profileModule({ profile: wanted }) !== undefined
  const profile = isModule ? withNamedFaults(loaded.profile, wanted) : loaded.profile
  const scope = mapped(path(flags.scope), readScope)
  const agent = gatherAgent(
    workspace,
    given({
      system,
      tools: await toolsNamed(flags.tools, path(flags.tools), { profile, system, config: workspace.config }),
      toolFormat: flags.toolFormat ?? toolFormatOf(model ?? workspace.config.model, workspace.config),
    }),
  )
  const session = gatherSession(workspace, {
    ...given({
      as: flags.as,
      situation: flags.in,
      channel: flags.channel,
      mode: flags.mode,
    }),
    ...given({ id: flags.session, model, task: flags.task, ...scopeOf(scope) }),
    system,
    directory,
    background: flags.background ?? false,
    timeZone: terminal.timeZone,
    env: terminal.env,
    known: agent.value.files,
    approved: approvedDirectories(workspace, home),
  })
  const git = await asked
  const inputs = await withRecall(scope?.turn, {
    ...{ flags, terminal, workspace, trust: session.value.audience.trust },
  })
  const turn = { ...turnOf(flags, terminal, inputs), ...(git.state && { git: git.state }) }
  const budget = budgetOf(workspace.config, profile, { head: flags.budget, model: session.value.model })
  const none = noFiles(workspace, { agent: agent.value, session: session.value, system })
  const all = [...agent.diagnostics, ...diagnostics, ...session.diagnostics, ...none, ...git.diagnostics]
  const gathered = { agent: agent.value, session: session.value }
  return { workspace, profile, system, ...gathered, turn, budget, diagnostics: all }
}

/**
 * `agent` means the tools of a running agent, unless there is a file of that name; a folder of that name does not
 * count.
 */
async function toolsNamed(
  name: string | undefined,
  file: string | undefined,
  {
    profile,
    system,
    config,
  }: { readonly profile: Profile; readonly system: System; readonly config: Config },
): Promise<readonly Tool[]> {
  if (file === undefined) return activeTools(profile)
  if (name !== "agent" || statSync(file, { throwIfNoEntry: false })?.isFile() === true)
    return readTools(file, profile)
  // Imported here: few runs need them.
  const { ownTools } = await import("../../../agent/setup/own-tools.ts")
  return ownTools([], config, system)
}

function scopeOf(scope: ScopeInputs | undefined) {
  return { inputs: scope?.session, place: scope?.place }
}

const RECALL_TOKENS = 300

interface Recalling {
  readonly flags: PromptFlags
  readonly terminal: Terminal
  readonly workspace: Workspace
  readonly trust: Trust
}

/** What memory holds about the message, on request; an input of the same name overrides it. */
async function withRecall(
  inputs: Turn["inputs"],
  { flags, terminal, workspace, trust }: Recalling,
): Promise<Turn["inputs"]> {
  if (!flags.recall) return inputs
  const { message } = flags
  if (message === undefined) throw new IncipitError("bad-argument", "--recall needs a --message")
  // Imported here because it brings SQLite.
  const { recallFor } = await import("../agent/memory-store.ts")
  const { existingState } = await import("../agent/state-place.ts")
  const state = existingState({ ...flags, workspace: workspace.root }, terminal)
  const recall = await recallFor(workspace, message, { trust, budget: RECALL_TOKENS, state })
  return recall === undefined ? inputs : { recall, ...inputs }
}

function turnOf(flags: PromptFlags, terminal: Terminal, inputs: Turn["inputs"]): Turn {
  const { now, message, plan = false } = flags
  return {
    id: "turn-1",
    now: now === undefined ? terminal.now() : instant(now),
    timeZone: terminal.timeZone,
    planMode: plan,
    ...given({ message, inputs }),
  }
}

/** The time of `--now`. */
export function instant(text: string): number {
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time))
    throw new IncipitError(
      "bad-argument",
      `--now is "${text}", which is not a date such as 2026-11-15T08:30:00Z`,
    )
  return time
}

/** The agent's name: from its identity, else from its folder. */
function agentName(files: readonly SourceFile[], root: string): string {
  return identityName(files) ?? root.split(/[/\\]/).at(-1) ?? root
}

function mapped<T, R>(value: T | undefined, change: (value: T) => R): R | undefined {
  return value === undefined ? undefined : change(value)
}
