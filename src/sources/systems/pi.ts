// Where pi keeps its files: `.pi/` in the project and `~/.pi/agent`, or `.sf/` and `~/.sf/agent`; project context from
// the file system root down; skills. Returns everything found; the profile chooses among several.
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Diagnostic } from "../../base/diagnostic.ts"
import { mostOf } from "../../base/trust.ts"
import type { AbsentFile, SourceFile } from "../../core/model/source.ts"
import { isInside } from "../../files/inside.ts"
import { realPath } from "../../files/real-path.ts"
import { shownPath } from "../config/configured-trust.ts"
import { type Convention, type FileReader, fileReader } from "../file-reader.ts"
import { findWorktree, upward } from "../git/worktree.ts"
import { readSourceFile, underGuard } from "../read/source-file.ts"
import { described, gatherSkills, type SkillFolder } from "../skills/skills.ts"
import { type Gathered, rootsOf, type Workspace } from "../workspace.ts"
import { noSkills } from "./absent-files.ts"
import { wholeFile } from "./editable-places.ts"
import { piDocumentation } from "./pi-documentation.ts"
import type { SessionFacts } from "./session-facts.ts"
import type { AgentSources, SessionSources, System } from "./system.ts"

const PROJECT_FOLDERS = [".pi", ".sf"]
const HOME_FOLDERS = [".pi/agent", ".sf/agent"]
const CONTEXT_NAMES = ["AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD"]

const BASE_FILES: Readonly<Record<string, Convention>> = {
  "SYSTEM.md": { role: "base", trust: "public", sendsFrontMatter: true },
  "APPEND_SYSTEM.md": { role: "append", trust: "public", sendsFrontMatter: true },
}
const GLOBAL_CONTEXT: Convention = { role: "global-context", trust: "familiar", sendsFrontMatter: true }
const CONTEXT: Convention = { role: "context", trust: "familiar", sendsFrontMatter: true }

/** Where pi keeps its files. */
export const piSystem: System = {
  reads:
    "SYSTEM.md and APPEND_SYSTEM.md in .pi/ and ~/.pi/agent, one AGENTS.md or CLAUDE.md for each folder from the root of the disk down to the working directory, and skills",
  inSession: true,
  homes: HOME_FOLDERS,
  agent: piAgent,
  session: piSession,
  places: (workspace) => ({ instructions: wholeFile(appendPath(workspace)) }),
  withoutTools: ["responsibility_remove", "workflow_advance"],
}

/** The APPEND_SYSTEM.md that is sent; if there is none, the project's path. */
function appendPath(workspace: Workspace): string {
  const paths = baseFolders(workspace).map((folder) => join(folder, "APPEND_SYSTEM.md"))
  return paths.find((path) => existsSync(path)) ?? join(workspace.folder, ".pi", "APPEND_SYSTEM.md")
}

/** The project's folder first, then the home folder's. */
function baseFolders(workspace: Workspace): readonly string[] {
  return [
    ...PROJECT_FOLDERS.map((name) => join(workspace.folder, name)),
    ...homeFolders(workspace, HOME_FOLDERS),
  ]
}

function piAgent(workspace: Workspace): Gathered<AgentSources> {
  const read = fileReader(workspace)
  const folders = baseFolders(workspace)
  const files = Object.entries(BASE_FILES)
    .flatMap(([name, convention]) => folders.map((folder) => read(join(folder, name), convention)))
    .filter((file) => file !== undefined)
  return { value: { files, skills: [], absent: read.absent }, diagnostics: read.diagnostics }
}

function piSession(workspace: Workspace, options: SessionFacts): Gathered<SessionSources> {
  const directory = realPath(options.directory ?? workspace.folder)
  const read = fileReader(workspace)
  const global = homeFolders(workspace, HOME_FOLDERS).flatMap((folder) =>
    contextIn(folder, GLOBAL_CONTEXT, workspace, read),
  )
  const nearer =
    options.directory === undefined
      ? []
      : upward(directory)
          .toReversed()
          .filter((folder) => read.gate.guardOf(folder)?.isClosed !== true)
          .flatMap((folder) => contextIn(folder, CONTEXT, workspace, read))
  const folders = skillFolders(workspace, directory)
  const skills = gatherSkills(folders.map(described), workspace.cache.skills, read.gate)
  const documentation = piDocumentation(options.env, workspace.home)
  return {
    value: {
      files: [...global, ...nearer],
      skills: skills.skills,
      absent: [...noContext(global, nearer, directory), ...noSkills("project-skill", skills, folders)],
      ...(documentation && { inputs: { documentation } }),
    },
    diagnostics: [...read.diagnostics, ...skills.diagnostics],
  }
}

function noContext(
  global: readonly SourceFile[],
  nearer: readonly SourceFile[],
  upFrom: string,
): readonly AbsentFile[] {
  if (global.length + nearer.length > 0) return []
  return ["AGENTS.md", "CLAUDE.md"].map((path) => ({ role: "context", path, upFrom }))
}

function homeFolders({ home }: Workspace, names: readonly string[]): readonly string[] {
  return home === undefined ? [] : names.map((name) => join(home, name))
}

/** Every file of a folder that could be sent, once each, with its full path, which is its heading in the prompt. */
function contextIn(
  folder: string,
  convention: Convention,
  workspace: Workspace,
  read: FileReader,
): readonly SourceFile[] {
  const isOwn = rootsOf(workspace).some((root) => isInside(folder, root))
  const found = CONTEXT_NAMES.flatMap((name): readonly SourceFile[] => {
    const path = join(folder, name)
    const file = isOwn ? read(path, convention) : readElsewhere(path, folder, convention, read)
    return file === undefined ? [] : [{ ...file, path }]
  })
  // On a case-insensitive disk, or with a link, two names can be one file.
  const distinct = found.filter(
    ({ identity }, at) => found.findIndex((other) => other.identity === identity) === at,
  )
  const [winner, ...others] = distinct
  if (winner !== undefined) read.diagnostics.push(...others.map((file) => shadowed(file, winner)))
  return distinct
}

function readElsewhere(
  path: string,
  folder: string,
  convention: Convention,
  { gate, diagnostics }: FileReader,
): SourceFile | undefined {
  const options = { ...convention, shown: path, roots: [folder], isOwn: false }
  const found = underGuard(readSourceFile(path, options), gate.guardUnder(path))
  diagnostics.push(...found.diagnostics)
  return found.file
}

function shadowed(file: SourceFile, winner: SourceFile): Diagnostic {
  const needs = mostOf(file.trust, winner.trust)
  return { code: "file-shadowed", path: file.path, by: winner.path, needs }
}

/** In order of precedence: the project's, those of its parents up to the repository root, the home folder's. */
function skillFolders(workspace: Workspace, directory: string): readonly SkillFolder[] {
  const { folder, root } = workspace
  const project = PROJECT_FOLDERS.map((name) => own(join(folder, name, "skills"), workspace))
  const top = findWorktree(directory)?.root
  const above = upward(directory)
    .filter((at) => top === undefined || isInside(at, top))
    .map((at): SkillFolder => {
      const path = join(at, ".agents", "skills")
      return isInside(at, root) ? own(path, workspace) : { path, shown: path, roots: [at], isOwn: false }
    })
  const homes = [...HOME_FOLDERS, ".agents"].flatMap((name) =>
    homeFolders(workspace, [`${name}/skills`]).map((path): SkillFolder => {
      return { path, shown: `~/${name}/skills`, roots: [path], isOwn: true }
    }),
  )
  return [...project, ...above, ...homes]
}

function own(path: string, workspace: Workspace): SkillFolder {
  return { path, shown: shownPath(path, workspace), roots: rootsOf(workspace), isOwn: true }
}
