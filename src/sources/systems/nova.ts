// Where Nova keeps an agent's prompt: agents/<id>/agent.json, memories.json, and tasks/tasks.json for a conversation
// bound to a task. Makes paths in them absolute; the profile only formats.
import { existsSync, readdirSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { z } from "zod"
import { byCodePoint } from "../../base/order.ts"
import { errorCode } from "../../base/system-error.ts"
import type { SourceFile } from "../../core/model/source.ts"
import { isInside } from "../../files/inside.ts"
import { existingPathOf } from "../../files/real-path.ts"
import type { Convention } from "../file-reader.ts"
import { jsonReader, type Shape } from "../read/json-file.ts"
import { type Gathered, segment, type Workspace } from "../workspace.ts"
import type { EditablePlaces } from "./editable-places.ts"
import { novaFacts, novaInstructions, novaResponsibilities } from "./nova-places.ts"
import type { SessionFacts } from "./session-facts.ts"
import type { AgentSources, SessionSources, System } from "./system.ts"

const AGENT: Convention = { role: "identity", trust: "familiar" }
const MEMORIES: Convention = { role: "memories", trust: "inner" }
const TASKS: Convention = { role: "tasks", trust: "inner" }

const text = z.string().nullish()

const agentFields = z.looseObject({
  name: text,
  identity: text,
  instructions: text,
  role: text,
  responsibilities: z.array(z.looseObject({ title: z.string(), content: z.string() })).nullish(),
  directories: z.array(z.string()).nullish(),
  capabilities: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).nullish(),
  trust: text,
})

const identified = z.looseObject({ id: z.union([z.string(), z.number()]) })
const taskFields = identified.extend({
  title: text,
  description: text,
  status: text,
  owner: text,
  steps: z.array(z.looseObject({ title: z.string(), done: z.boolean().nullish() })).nullish(),
})

const agentShape: Shape = () => agentFields
const memoriesShape: Shape = () => z.array(z.string())
const tasksShape: Shape = (value) =>
  Array.isArray(value) ? z.array(taskFields) : z.looseObject({ tasks: z.array(taskFields) })

/** Where Nova keeps its files. */
export const novaSystem: System = {
  reads: "agent.json in agents/<id>/, memories.json, and tasks/tasks.json for a conversation about a task",
  homes: [],
  // Most conversations are not about a task, and their prompts contain none.
  closed: { "memories.json": MEMORIES.trust, tasks: TASKS.trust },
  agent: novaAgent,
  session: novaSession,
  places: novaPlaces,
  withoutTools: ["workflow_advance"],
}

function novaPlaces(workspace: Workspace): EditablePlaces {
  const agent = join(agentFolder(workspace, agentIds(workspace)), "agent.json")
  return {
    instructions: novaInstructions(agent),
    responsibilities: novaResponsibilities(agent),
    facts: novaFacts(join(workspace.root, "memories.json")),
  }
}

function novaAgent(workspace: Workspace, approved?: ReadonlySet<string>): Gathered<AgentSources> {
  const { root } = workspace
  const read = jsonReader(workspace)
  const ids = agentIds(workspace)
  const folder = agentFolder(workspace, ids)
  const agent = read(join(folder, "agent.json"), AGENT, agentShape)
  const memories = read(join(root, "memories.json"), MEMORIES, memoriesShape)
  if (agent === undefined && workspace.folder === root && ids.length > 1)
    read.diagnostics.push({ code: "several-agents", path: "agents", agents: ids.join(", "), needs: "full" })
  const files = [agent && usable(resolved(agent, folder, workspace), workspace, approved), memories].filter(
    (file) => file !== undefined,
  )
  return { value: { files, skills: [], absent: read.absent }, diagnostics: read.diagnostics }
}

function novaSession(workspace: Workspace, { task }: SessionFacts): Gathered<SessionSources> {
  if (task === undefined) return { value: { files: [], skills: [] }, diagnostics: [] }
  const read = jsonReader(workspace)
  const file = read(join(workspace.root, "tasks", "tasks.json"), TASKS, tasksShape)
  if (file?.unavailable === undefined && !taskIds(file).includes(task)) {
    const needs = file?.trust ?? TASKS.trust
    read.diagnostics.push({ code: "unknown-task", path: "tasks/tasks.json", task, needs })
  }
  return {
    value: { files: file === undefined ? [] : [file], skills: [] },
    diagnostics: read.diagnostics,
  }
}

/** The named agent, else the only one, else "main". */
function agentFolder({ root, folder }: Workspace, ids: readonly string[]): string {
  if (folder !== root) return folder
  const [only = "main", ...others] = ids
  return join(root, "agents", others.length === 0 ? only : "main")
}

function agentIds({ root }: Workspace): readonly string[] {
  try {
    return readdirSync(join(root, "agents"))
      .filter((id) => segment(id) !== undefined && existsSync(join(root, "agents", id, "agent.json")))
      .sort(byCodePoint)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}

/** Adds the working directory, which is the agent's folder, and makes its directories absolute. */
function resolved(file: SourceFile, folder: string, { root, home }: Workspace): SourceFile {
  const { directories } = file.fields
  const absolute = (path: unknown) => {
    if (typeof path !== "string" || isAbsolute(path)) return path
    if (/^~(?=\/|$)/.test(path)) return home === undefined ? path : join(home, path.slice(1))
    return join(root, path)
  }
  return {
    ...file,
    fields: {
      ...file.fields,
      cwd: folder,
      ...(Array.isArray(directories) && { directories: directories.map(absolute) }),
    },
  }
}

/** A folder may come from elsewhere: paths that it names outside itself are sent only if they may be used. */
function usable(
  file: SourceFile,
  { root }: Workspace,
  approved: ReadonlySet<string> | undefined,
): SourceFile {
  const { directories } = file.fields
  if (approved === undefined || !Array.isArray(directories)) return file
  const mayBeUsed = (path: unknown) => {
    if (typeof path !== "string") return false
    const real = existingPathOf(path) ?? path
    return isInside(real, root) || approved.has(real)
  }
  return { ...file, fields: { ...file.fields, directories: directories.filter(mayBeUsed) } }
}

function taskIds(file: SourceFile | undefined): readonly string[] {
  const tasks = file?.fields.tasks ?? file?.fields.list
  return Array.isArray(tasks)
    ? tasks.map((task: unknown) => String(identified.safeParse(task).data?.id).trim())
    : []
}
