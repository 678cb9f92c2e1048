// Where Coop keeps an agent: the files of its convention, what `prompt.files` adds in its order, `users/<id>/`,
// overlays, skills and memory stores. Reads nothing outside the workspace, and no project context.
import { join } from "node:path"
import type { AbsentFile, SourceFile } from "../../core/model/source.ts"
import type { Gate } from "../../files/gate/gate.ts"
import { listedPath, shownPath } from "../config/configured-trust.ts"
import type { Resolved } from "../config/policy.ts"
import { type Convention, fileReader } from "../file-reader.ts"
import { described, gatherSkills, type SkillsFound } from "../skills/skills.ts"
import { type Gathered, rootsOf, segment, type Workspace } from "../workspace.ts"
import { wholeFile } from "./editable-places.ts"
import { incipitSession } from "./incipit-session.ts"
import type { AgentSources, System } from "./system.ts"

/** Layers with a fixed place, wherever the configuration lists them. */
const LAYERS: Readonly<Record<string, Convention>> = {
  "SOUL.md": { role: "soul", trust: "familiar" },
  "AGENTS.md": { role: "behaviour", trust: "familiar" },
  "USER.md": { role: "user", trust: "inner" },
}
/** Workspace files in the order of their sections. */
const WORKSPACE_FILES: Readonly<Record<string, Convention>> = {
  "TOOLS.md": { role: "tool-notes", trust: "familiar" },
  "IDENTITY.md": { role: "identity", trust: "familiar" },
}
const FURTHER: Convention = { role: "files", trust: "familiar" }
/** Sent elsewhere, listed only with their token count, or private to one person. */
const ELSEWHERE = /^(?:SOUL|AGENTS|USER|MEMORY|HEARTBEAT)\.md$|^(?:memory|users)\//

/** Where Coop keeps its files. */
export const coopSystem: System = {
  reads:
    "AGENTS.md, SOUL.md, USER.md, TOOLS.md, IDENTITY.md, HEARTBEAT.md, what prompt.files lists, skills/, the overlay of the situation, channels/ for the channel, and users/ for the person",
  homes: [],
  listsMemory: true,
  agent: coopAgent,
  places: ({ folder }) => ({ instructions: wholeFile(join(folder, "AGENTS.md")) }),
  withoutTools: ["responsibility_remove", "workflow_advance"],
  session: (workspace, options, resolved) => {
    // Without a working directory there is no project context, which Coop does not use.
    const { directory: _directory, ...rest } = options
    const { value, diagnostics } = incipitSession(workspace, rest, resolved)
    const files = value.files.filter((file) => !isMemory(file))
    const own = personSkills(workspace, resolved)
    const absent = value.absent ?? []
    return {
      value: {
        files,
        skills: own.skills,
        absent: [...absent.filter(({ role }) => role !== "project-skill"), ...noPersonSkills(own, resolved)],
      },
      diagnostics: [...diagnostics, ...own.diagnostics],
    }
  },
}

function coopAgent(workspace: Workspace): Gathered<AgentSources> {
  const { folder } = workspace
  const read = fileReader(workspace)
  const further = furtherFiles(workspace)
  const named = Object.entries({ ...LAYERS, ...WORKSPACE_FILES }).filter(([name]) => !further.includes(name))
  const files = [
    ...named.map(([name, convention]) => read(join(folder, name), convention)),
    ...further.map((name) => read(join(folder, name), FURTHER)),
  ].filter((file) => file !== undefined)
  const skills = skillsIn(join(folder, "skills"), workspace, read.gate)
  return {
    value: {
      files,
      skills: skills.skills,
      absent: [
        ...read.absent,
        ...(skills.skills.length > 0 ? [] : [{ role: "skill", path: "skills/*/SKILL.md" }]),
      ],
    },
    diagnostics: [...read.diagnostics, ...skills.diagnostics],
  }
}

/** `users/<id>/skills` of the person who is talking. */
function personSkills(workspace: Workspace, { person }: Resolved): SkillsFound {
  const id = segment(person)
  if (id === undefined) return { skills: [], diagnostics: [] }
  const { gate } = fileReader(workspace, person)
  const { skills, diagnostics } = skillsIn(join(workspace.folder, "users", id, "skills"), workspace, gate)
  return { skills: skills.map((skill) => ({ ...skill, isPersonal: true })), diagnostics }
}

function noPersonSkills({ skills }: SkillsFound, { person }: Resolved): readonly AbsentFile[] {
  return skills.length > 0 || person === undefined
    ? []
    : [{ role: "project-skill", path: `users/${person}/skills/*/SKILL.md` }]
}

function skillsIn(path: string, workspace: Workspace, gate: Gate): SkillsFound {
  const folder = { path, shown: shownPath(path, workspace), roots: rootsOf(workspace), isOwn: true }
  return gatherSkills([described(folder)], workspace.cache.skills, gate)
}

/**
 * Configured files that are sent together, in the configured order. A file of the convention is included only if the
 * configuration moves it out of the section order.
 */
function furtherFiles({ config }: Workspace): readonly string[] {
  const places = Object.keys(WORKSPACE_FILES)
  const shared = config.prompt?.files?.filter(({ per_user }) => per_user !== true) ?? []
  const names = shared.map(({ path }) => listedPath(path)).filter((name) => !ELSEWHERE.test(name))
  const listed = [...new Set(names)]
  const first = listed.findIndex(
    (name, at) => places.indexOf(name) <= (at === 0 ? -1 : places.indexOf(listed[at - 1] ?? "")),
  )
  return first === -1 ? [] : listed.slice(first)
}

/** Memory is listed with its token count, never included in full. That holds for a person's memory, too. */
function isMemory({ role, path }: SourceFile): boolean {
  return role === "user-files" && path.endsWith("/MEMORY.md")
}
