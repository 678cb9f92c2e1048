// What was looked for and not found, beyond single files: folders without a file of a kind, and project context.
import { basename, join, resolve } from "node:path"
import type { Skill } from "../../core/model/inputs.ts"
import type { AbsentFile, SourceFile } from "../../core/model/source.ts"
import { isInside } from "../../files/inside.ts"
import { realPath } from "../../files/real-path.ts"
import { shownPath } from "../config/configured-trust.ts"
import type { SkillFolder } from "../skills/skills.ts"
import type { Workspace } from "../workspace.ts"

/** `patterns`: where files with the role would be. */
export function noneIn(
  role: string,
  patterns: readonly string[],
  files: readonly SourceFile[],
): readonly AbsentFile[] {
  return files.some((file) => file.role === role) ? [] : patterns.map((path) => ({ role, path }))
}

/** A pattern below a folder of the workspace, as a person would write it. */
export function patternIn(folder: string, pattern: string, workspace: Workspace): string {
  return shownPath(join(folder, pattern), workspace)
}

/** Only the nearest folders are named: those above are searched in the same way. */
const MAX_FOLDERS = 4

export function noSkills(
  role: string,
  { skills }: { readonly skills: readonly Skill[] },
  folders: readonly SkillFolder[],
): readonly AbsentFile[] {
  if (skills.length > 0) return []
  // The working directory is the workspace.
  if (folders.length === 0) return [{ role, path: ".agents/skills", usedAs: "skills" }]
  return folders.slice(0, MAX_FOLDERS).map(({ shown, isCommands }) => {
    return { role, path: `${shown}/${isCommands ? "*.md" : "*/SKILL.md"}` }
  })
}

const CONTEXT_NAMES = ["AGENTS.md", "CLAUDE.md"]

export interface ContextSearch {
  /** The agent's folder. */
  readonly folder: string
  readonly directory: string | undefined
  /** Files that are in the prompt for another reason. */
  readonly known?: readonly SourceFile[] | undefined
  /** Files that this audience has no access to. */
  readonly held: readonly AbsentFile[]
}

/** Why there is no project context. */
export function noContext(
  files: readonly SourceFile[],
  { folder, directory, known = [], held }: ContextSearch,
): readonly AbsentFile[] {
  if (files.some(({ role }) => role === "context")) return []
  const role = "context"
  if (directory === undefined) return held
  const upFrom = realPath(resolve(directory))
  const used = known.find(({ path }) => CONTEXT_NAMES.includes(basename(path)))
  if (used !== undefined && isInside(upFrom, realPath(folder)))
    return [{ role, path: used.path, usedAs: used.role }, ...held]
  return [...CONTEXT_NAMES.map((path) => ({ role, path, upFrom })), ...held]
}
