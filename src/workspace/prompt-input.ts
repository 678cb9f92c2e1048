// From an opened folder and an audience to what a compile takes. `build` and the commands like it, the running agent and
// its preview all ask here, so that the same folder, audience and moment give the same bytes. Only reads.
import type { Diagnostic } from "../base/diagnostic.ts"
import type { Budget } from "../core/fit/budget.ts"
import type { Agent, Extension, Session, Tool, ToolFormat } from "../core/model/inputs.ts"
import type { Mode } from "../core/model/mode.ts"
import type { SourceFile } from "../core/model/source.ts"
import { realPath } from "../files/real-path.ts"
import { budgetOf, ownBudget } from "../sources/config/budget.ts"
import { cacheTtl } from "../sources/config/defaults.ts"
import { noFiles } from "../sources/context/no-files.ts"
import { gatherSkills, type SkillFolder } from "../sources/skills/skills.ts"
import { gatherAgent, type Registered } from "../sources/systems/gather-agent.ts"
import { gatherSession } from "../sources/systems/gather-session.ts"
import type { SessionFacts } from "../sources/systems/session-facts.ts"
import { forOneLook, workspaceGate } from "../sources/workspace-gate.ts"
import type { Profiled } from "./profile/profiled.ts"

export interface PromptRequest {
  readonly folder: Profiled
  /** Who is talking, where, and about what. */
  readonly session: Omit<SessionFacts, "known" | "approved">
  readonly tools: readonly Tool[]
  readonly extensions?: readonly Extension[] | undefined
  readonly toolFormat: ToolFormat
  /** Real paths of folders outside the workspace that the user has approved. */
  readonly approved: ReadonlySet<string>
  /** Shows every folder that a file of the agent names, approved or not: for a person who looks at the files. */
  readonly showsUnapproved?: boolean | undefined
  /** Replaces the configured limit of the head, in tokens. */
  readonly headLimit?: number | undefined
  /** Found by hooks. Reusable prompts are not part of this prompt, but what is wrong with them is reported. */
  readonly skillFolders?: readonly SkillFolder[] | undefined
  readonly promptFolders?: readonly SkillFolder[] | undefined
  /** The files of long-term memory, if they were listed before. */
  readonly memory?: Registered["memory"] | undefined
  /** More context for this session, such as that of folders in which the agent has worked. */
  readonly contextFor?: ((session: Session) => readonly SourceFile[]) | undefined
  /** Removes the agent's own keys, which a file may contain, and which neither the model nor a reader needs. */
  readonly withoutKeys?: (<T>(gathered: T) => T) | undefined
}

export interface PromptInput {
  readonly agent: Agent
  readonly session: Session
  readonly budget: Budget
  /** How long the provider is asked to keep the cached prefix. */
  readonly ttl: string
  readonly diagnostics: readonly Diagnostic[]
}

/** Never waits, so that all files are checked and read in one look at the folder; only memory may be listed before. */
export function promptInput(given: PromptRequest): PromptInput {
  const request = { ...given, folder: { ...given.folder, workspace: forOneLook(given.folder.workspace) } }
  const { workspace, system, diagnostics } = request.folder
  const { approved, withoutKeys = (gathered) => gathered } = request
  const agent = gatherAgent(workspace, registeredIn(request))
  const session = gatherSession(workspace, {
    ...request.session,
    ...directoryOf(request.session),
    ...{ system, known: agent.value.files, approved },
  })
  const found = foundByHooks(request)
  const ownAgent = withoutKeys(withSkills(agent.value, found.skills))
  const ownSession = withoutKeys(withContext(session.value, request.contextFor?.(session.value)))
  return {
    agent: ownAgent,
    session: ownSession,
    ...limitsOf(request, ownSession.model),
    diagnostics: [
      ...agent.diagnostics,
      ...diagnostics,
      ...session.diagnostics,
      ...found.diagnostics,
      ...noFiles(workspace, { agent: ownAgent, session: ownSession, system }),
    ],
  }
}

function limitsOf(
  { folder: { workspace, profile, limits }, headLimit: head }: PromptRequest,
  model: string | undefined,
): Pick<PromptInput, "budget" | "ttl"> {
  const { config } = workspace
  if (limits === undefined)
    return { budget: budgetOf(config, profile, { head, model }), ttl: cacheTtl(config) }
  return { budget: ownBudget(limits.budget ?? {}, profile, model), ttl: limits.ttl ?? cacheTtl(config) }
}

function registeredIn(request: PromptRequest): Registered {
  const { system } = request.folder
  const { session, tools, extensions = [], toolFormat, approved, showsUnapproved, memory } = request
  return {
    ...{ system, tools: toolsFor(session.mode, tools), extensions, toolFormat },
    ...(showsUnapproved !== true && { approved }),
    ...(memory && { memory }),
  }
}

/** A delegated part cannot delegate further. */
export function toolsFor(mode: Mode | undefined, tools: readonly Tool[]): readonly Tool[] {
  return mode === "subagent" ? tools.filter(({ name }) => name !== "delegate") : tools
}

/** The prompt names the directory, so one that was reached by a link has the same name as without it. */
function directoryOf({ directory }: PromptRequest["session"]) {
  return directory === undefined ? {} : { directory: realPath(directory) }
}

function foundByHooks({ folder: { workspace }, skillFolders = [], promptFolders = [] }: PromptRequest) {
  if (skillFolders.length + promptFolders.length === 0) return { skills: [], diagnostics: [] }
  const gate = workspaceGate(workspace)
  const found = gatherSkills(skillFolders, workspace.cache.skills, gate)
  const prompts = gatherSkills(promptFolders, workspace.cache.skills, gate)
  return { skills: found.skills, diagnostics: [...found.diagnostics, ...prompts.diagnostics] }
}

function withSkills(agent: Agent, skills: NonNullable<Agent["skills"]>): Agent {
  return skills.length === 0 ? agent : { ...agent, skills: [...(agent.skills ?? []), ...skills] }
}

function withContext(session: Session, files: readonly SourceFile[] = []): Session {
  return files.length === 0 ? session : { ...session, files: [...session.files, ...files] }
}
