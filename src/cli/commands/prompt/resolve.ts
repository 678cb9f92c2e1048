// From the shared flags to a compiled prompt: open the workspace, gather, compile.
import { resolve } from "node:path"
import { approvedDirectories } from "../../../approval/approvable.ts"
import { defined } from "../../../base/defined.ts"
import type { Diagnostic } from "../../../base/diagnostic.ts"
import { IncipitError } from "../../../base/error.ts"
import type { Trust } from "../../../base/trust.ts"
import { createCompiler } from "../../../core/compile/compiler.ts"
import { identityName } from "../../../core/model/identity.ts"
import type { Turn } from "../../../core/model/inputs.ts"
import { activeTools, type Profile } from "../../../core/model/profile.ts"
import type { Prompt } from "../../../core/model/prompt.ts"
import type { SourceFile } from "../../../core/model/source.ts"
import { statAt } from "../../../files/identity.ts"
import { gitState } from "../../../sources/git/git.ts"
import { incipitSystem } from "../../../sources/systems/incipit-system.ts"
import type { System } from "../../../sources/systems/system.ts"
import { openWorkspace, type ReadCache, type Workspace } from "../../../sources/workspace.ts"
import { o200k } from "../../../tokens/o200k.ts"
import { agentToolDefinitions } from "../../../workspace/agent-tools.ts"
import { type Profiled, profiled } from "../../../workspace/profile/profiled.ts"
import { type PromptInput, promptInput } from "../../../workspace/prompt-input.ts"
import { toolFormatOf } from "../../../workspace/tool-format.ts"
import { senderOf } from "../../command-line/agent-flags.ts"
import { readScope, type ScopeInputs } from "../../command-line/inputs.ts"
import type { FlagsOf } from "../../command-line/invocation.ts"
import { readTools, type ToolsFile } from "../../command-line/tools-file.ts"
import { homeFolder, withVariables, workspaceFolder } from "../../command-line/variables.ts"
import type { Terminal } from "../../terminal.ts"
import { inSandbox } from "./in-sandbox.ts"

/** The flags that a prompt depends on; commands that compile have most of them. */
export type PromptFlags = Partial<FlagsOf<"build">>

/** Everything that a prompt is made from, according to the flags, the environment and the workspace. */
export interface Input extends PromptInput {
  readonly workspace: Workspace
  readonly profile: Profile
  /** Whose files are read. */
  readonly system: System
  readonly turn: Turn
  readonly toolsFrom: ToolsFrom
}

/** Whose tools the prompt has: a running agent's, the profile's own, those of a file, or none. */
export type ToolsFrom = "agent" | "profile" | "file" | "none"

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

export function compileInput(input: Input): Compiled {
  const { profile, agent, session, turn, budget, ttl, workspace, diagnostics } = input
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
  const root =
    options.folder === undefined ? workspaceFolder(flags, terminal) : resolve(terminal.cwd, options.folder)
  const directory = path(flags.cwd) ?? root
  // Start git first, so that it runs while everything else is read.
  const asked = gitState(directory)
  const folder = await openFolder(root, { flags, terminal }, options)
  const { workspace } = folder
  const { model } = withVariables(flags, terminal)
  const scope = mapped(path(flags.scope), readScope)
  const { tools, toolsFrom, ...aboutTools } = toolsNamed(flags.tools, path(flags.tools), folder)
  const gathered = promptInput({
    folder,
    tools,
    toolFormat: flags.toolFormat ?? toolFormatOf(model ?? workspace.config.model, workspace.config),
    approved: approvedDirectories(workspace, homeFolder(flags, terminal)),
    showsUnapproved: true,
    headLimit: flags.budget,
    session: {
      ...senderOf(flags),
      ...defined({ mode: flags.mode, id: flags.session, model, task: flags.task, ...scopeOf(scope) }),
      ...{ directory, timeZone: terminal.timeZone, env: terminal.env },
      background: flags.background ?? false,
    },
  })
  const home = homeFolder(flags, terminal)
  const input = await inSandbox(gathered, { workspace, directory, home, terminal })
  const { agent, session, budget, ttl, diagnostics } = input
  const git = await asked
  const inputs = await withRecall(scope?.turn, { flags, terminal, workspace, trust: session.audience.trust })
  const turn = { ...turnOf(flags, terminal, inputs), ...(git.state && { git: git.state }) }
  return {
    ...{ ...folder, agent, session, turn, budget, ttl, toolsFrom },
    diagnostics: [...diagnostics, ...aboutTools.diagnostics, ...git.diagnostics],
  }
}

async function openFolder(
  root: string,
  { flags, terminal }: { readonly flags: PromptFlags; readonly terminal: Terminal },
  { folder, cache }: GatherOptions,
): Promise<Profiled> {
  const { profile: named, database } = withVariables(flags, terminal)
  const home = homeFolder(flags, terminal)
  const found = openWorkspace(root, { home, agent: flags.agent, cache })
  const opened =
    folder === undefined && database !== undefined ? await withCopy(found, flags, terminal) : found
  return profiled(opened, { profile: named, directory: terminal.cwd, home })
}

/** Imported here because it brings SQLite. */
async function withCopy(workspace: Workspace, flags: PromptFlags, terminal: Terminal): Promise<Workspace> {
  const { copiedWorkspace } = await import("../agent/documents-place.ts")
  return copiedWorkspace(workspace, flags, terminal)
}

/**
 * A file, if there is one of that name; a folder does not count. By default, an agent has the tools that it runs with; a
 * profile of another system has that system's.
 */
function toolsNamed(
  name: string | undefined,
  file: string | undefined,
  { profile, system, workspace }: Pick<Input, "profile" | "system" | "workspace">,
): ToolsFile & Pick<Input, "toolsFrom"> {
  const diagnostics: readonly Diagnostic[] = []
  const isFile = file !== undefined && statAt(file)?.isFile() === true
  if (file !== undefined && (isFile || (name !== "agent" && name !== "none")))
    return { ...readTools(file, profile), toolsFrom: "file" }
  if (name === "none") return { tools: [], diagnostics, toolsFrom: "none" }
  const own = activeTools(profile)
  if (name === "agent" || (system === incipitSystem && own.length === 0))
    return { tools: agentToolDefinitions(workspace.config, system), diagnostics, toolsFrom: "agent" }
  return { tools: own, diagnostics, toolsFrom: "profile" }
}

function scopeOf(scope: ScopeInputs | undefined) {
  return { inputs: scope?.session, place: scope?.place }
}

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
  if (message === undefined) throw new IncipitError("bad-argument", "--recall needs --message")
  // Imported here because it brings SQLite.
  const { recallFor } = await import("../agent/memory-store.ts")
  const { existingState } = await import("../agent/state-place.ts")
  const state = existingState({ ...flags, workspace: workspace.root }, terminal)
  const recall = await recallFor(workspace, message, { trust, state })
  return recall === undefined ? inputs : { recall, ...inputs }
}

function turnOf(flags: PromptFlags, terminal: Terminal, inputs: Turn["inputs"]): Turn {
  const { now, message, plan = false } = flags
  return {
    id: "turn-1",
    now: now === undefined ? terminal.now() : instant(now),
    timeZone: terminal.timeZone,
    planMode: plan,
    ...defined({ message, inputs }),
  }
}

/** The time of `--now`. */
export function instant(text: string): number {
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time))
    throw new IncipitError("bad-argument", `--now must be a time such as 2026-11-15T08:30:00Z, not "${text}"`)
  return time
}

/** The agent's name: from its identity, else from its folder. */
function agentName(files: readonly SourceFile[], root: string): string {
  return identityName(files) ?? root.split(/[/\\]/).at(-1) ?? root
}

function mapped<T, R>(value: T | undefined, change: (value: T) => R): R | undefined {
  return value === undefined ? undefined : change(value)
}
