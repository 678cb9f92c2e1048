// Where Moltis keeps its files: persona, user and workspace files in `~/.moltis`; project files from the file system
// root down to the working directory, all of each directory; rules of the working directory last.
import { readdirSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Diagnostic } from "../../base/diagnostic.ts"
import { byCodePoint } from "../../base/order.ts"
import { errorCode } from "../../base/system-error.ts"
import type { Skill } from "../../core/model/inputs.ts"
import type { AbsentFile, SourceFile } from "../../core/model/source.ts"
import type { Gate } from "../../files/gate/gate.ts"
import { isInside } from "../../files/inside.ts"
import { realPath } from "../../files/real-path.ts"
import { type Convention, fileReader } from "../file-reader.ts"
import { findWorktree, upward } from "../git/worktree.ts"
import { MAX_FILES } from "../read/imports.ts"
import { readSourceFile, underGuard } from "../read/source-file.ts"
import { described, gatherSkills, type SkillFolder } from "../skills/skills.ts"
import type { Gathered, Workspace } from "../workspace.ts"
import { workspaceGate } from "../workspace-gate.ts"
import { wholeFile } from "./editable-places.ts"
import type { SessionFacts } from "./session-facts.ts"
import type { AgentSources, SessionSources, System } from "./system.ts"

const HOME = ".moltis"
const HOME_FILES: Readonly<Record<string, Convention>> = {
  "IDENTITY.md": { role: "identity", trust: "familiar" },
  "SOUL.md": { role: "soul", trust: "familiar" },
  "USER.md": { role: "user", trust: "inner" },
  "AGENTS.md": { role: "behaviour", trust: "familiar", stripComments: true },
  "TOOLS.md": { role: "tool-notes", trust: "familiar", stripComments: true },
}
/** Per directory, in this order. None replaces another. */
const PROJECT_FILES = ["CLAUDE.md", "CLAUDE.local.md", "AGENTS.md"] as const
/** The nearest folders are kept. */
const MAX_FOLDERS = 64

/** Where Moltis keeps its files. */
export const moltisSystem: System = {
  reads:
    "~/.moltis, CLAUDE.md, CLAUDE.local.md and AGENTS.md from the root of the disk down to the working directory, and .claude/rules and .moltis/skills in the working directory",
  inSession: true,
  homes: [HOME],
  agent: moltisAgent,
  places: ({ home, folder }) => ({
    instructions: wholeFile(join(home === undefined ? folder : join(home, HOME), "AGENTS.md")),
  }),
  withoutTools: ["responsibility_remove", "workflow_advance"],
  session: moltisSession,
}

function moltisAgent(workspace: Workspace): Gathered<AgentSources> {
  const { home } = workspace
  if (home === undefined) return { value: { files: [], skills: [] }, diagnostics: [] }
  const read = fileReader(workspace)
  const files = Object.entries(HOME_FILES).map(([name, convention]) =>
    read(join(home, HOME, name), convention),
  )
  const path = join(home, HOME, "skills")
  const found = skillsIn(
    { path, shown: `~/${HOME}/skills`, roots: [path], isOwn: true },
    workspace,
    read.gate,
  )
  return {
    value: {
      files: files.filter((file) => file !== undefined),
      skills: found.skills,
      absent: [
        ...read.absent,
        ...(found.skills.length > 0 ? [] : [{ role: "skill", path: `~/${HOME}/skills/*/SKILL.md` }]),
      ],
    },
    diagnostics: [...read.diagnostics, ...found.diagnostics],
  }
}

function moltisSession(
  workspace: Workspace,
  { directory: given, known = [] }: SessionFacts,
): Gathered<SessionSources> {
  if (given === undefined) return { value: { files: [], skills: [] }, diagnostics: [] }
  const directory = realPath(resolve(given))
  const gate = workspaceGate(workspace, [directory])
  const project = gatherProject(directory, new Set(known.map(({ identity }) => identity)), gate)
  const path = join(directory, HOME, "skills")
  const found = skillsIn({ path, shown: path, roots: [directory], isOwn: false }, workspace, gate)
  return {
    value: {
      files: project.value,
      skills: found.skills,
      absent: noProject(project.value, directory, found.skills),
    },
    diagnostics: [...project.diagnostics, ...found.diagnostics],
  }
}

function noProject(
  files: readonly SourceFile[],
  upFrom: string,
  skills: readonly Skill[],
): readonly AbsentFile[] {
  const absent = files.length > 0 ? [] : PROJECT_FILES.map((path) => ({ role: "context", path, upFrom }))
  return skills.length > 0
    ? absent
    : [...absent, { role: "skill", path: join(upFrom, HOME, "skills", "*", "SKILL.md") }]
}

/** In Moltis, a skill always has its own folder. */
function skillsIn(folder: SkillFolder, { cache }: Workspace, gate: Gate) {
  const { skills, diagnostics } = gatherSkills([described(folder)], cache.skills, gate)
  return { skills: skills.filter(({ path }) => path.endsWith("/SKILL.md")), diagnostics }
}

/** A file already in the prompt is not repeated, whichever path leads to it. */
function gatherProject(
  directory: string,
  known: ReadonlySet<string>,
  gate: Gate,
): Gathered<readonly SourceFile[]> {
  const folders = upward(directory).filter((folder) => gate.guardOf(folder)?.isClosed !== true)
  const diagnostics: Diagnostic[] = []
  if (folders.length > MAX_FOLDERS) diagnostics.push(tooMany(directory, MAX_FOLDERS))
  const outermostFirst = folders.slice(0, MAX_FOLDERS).toReversed()
  const tree = findWorktree(directory)?.root ?? directory
  const paths = [
    ...outermostFirst.flatMap((folder) =>
      PROJECT_FILES.map((name) => ({
        path: join(folder, name),
        root: isInside(folder, tree) ? tree : folder,
      })),
    ),
    ...rulesIn(directory, tree, diagnostics).map((path) => ({ path, root: tree })),
  ]
  const seen = new Set(known)
  const files: SourceFile[] = []
  for (const { path, root } of paths) {
    const options = { role: "context", trust: "familiar", shown: path, roots: [root], isOwn: false } as const
    const { file, diagnostics: found } = underGuard(readSourceFile(path, options), gate.guardUnder(path))
    if (file !== undefined && seen.has(file.identity)) continue
    diagnostics.push(...found)
    if (file === undefined) continue
    seen.add(file.identity)
    files.push(file)
  }
  return { value: files, diagnostics }
}

function rulesIn(directory: string, tree: string, diagnostics: Diagnostic[]): readonly string[] {
  const folder = join(directory, ".claude", "rules")
  // The target could be a whole home folder, so it is listed as a file; reading it reports why it was left out.
  if (!isInside(realPath(folder), tree)) return [folder]
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith(".md"))
    if (names.length > MAX_FILES) diagnostics.push(tooMany(folder, MAX_FILES))
    return names
      .sort(byCodePoint)
      .slice(0, MAX_FILES)
      .map((name) => join(folder, name))
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}

function tooMany(path: string, limit: number): Diagnostic {
  return { code: "too-many-files", path, limit, needs: "familiar" }
}
