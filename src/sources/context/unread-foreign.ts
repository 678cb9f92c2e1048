// The hints about instructions and skills that other programs read and no prompt here has: at most one of each for a
// folder, and none for files that only lead to those that are read, or repeat them.
import { basename, dirname, join } from "node:path"
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Agent, Session, Skill } from "../../core/model/inputs.ts"
import type { SourceFile } from "../../core/model/source.ts"
import { identityAt } from "../../files/identity.ts"
import { shownPath } from "../config/configured-trust.ts"
import { readSourceFile } from "../read/source-file.ts"
import type { Workspace } from "../workspace.ts"
import { type ForeignPlace, foreignPlaces, foreignSkillPlaces } from "./foreign-files.ts"
import { judgeSecondFile } from "./second-file.ts"

export interface GatheredFiles {
  readonly agent: Pick<Agent, "files" | "skills">
  readonly session: Pick<Session, "files" | "skills">
}

export function unreadForeign(workspace: Workspace, gathered: GatheredFiles): readonly Diagnostic[] {
  const path = shownPath(workspace.folder, workspace)
  const instructions = unreadInstructions(workspace, gathered).map((place) => nameOf(place, "files"))
  const skills = unreadSkills(workspace, gathered).map((place) => nameOf(place, "skills"))
  return [
    ...(instructions.length > 0
      ? [{ code: "foreign-files", path, instructions: instructions.join(", "), needs: "full" } as const]
      : []),
    ...(skills.length > 0
      ? [{ code: "foreign-skills", path, skills: skills.join(", "), needs: "full" } as const]
      : []),
  ]
}

function unreadInstructions(
  { folder }: Workspace,
  { agent, session }: GatheredFiles,
): readonly ForeignPlace[] {
  const read = [...agent.files, ...session.files]
  return foreignPlaces(folder).filter(({ files }) =>
    files.some((path) => saysMore(join(folder, path), folder, read)),
  )
}

/** A place that is a link to one that is searched, or a copy of it, has nothing of its own. */
function unreadSkills({ folder }: Workspace, { agent, session }: GatheredFiles): readonly ForeignPlace[] {
  const read: readonly Skill[] = [...(agent.skills ?? []), ...(session.skills ?? [])]
  const identities = new Set(read.map(({ identity }) => identity))
  const names = new Set(read.map(({ location }) => basename(dirname(location))))
  return foreignSkillPlaces(folder).flatMap(({ path, files }) => {
    const own = files.filter((file) => {
      const identity = identityAt(join(folder, file))
      return identity !== undefined && !identities.has(identity) && !names.has(basename(dirname(file)))
    })
    return own.length === 0 ? [] : [{ path, files: own }]
  })
}

function nameOf({ path, files }: ForeignPlace, what: "files" | "skills"): string {
  return files.length > 1 ? `${path} (${files.length} ${what})` : path
}

/** Whether the file has text of its own beside the files that are read. */
function saysMore(path: string, root: string, read: readonly SourceFile[]): boolean {
  const identity = identityAt(path)
  if (identity === undefined || read.some((file) => file.identity === identity)) return false
  const options = { role: "foreign", trust: "full", shown: path, roots: [root], isOwn: false } as const
  const { file } = readSourceFile(path, options)
  if (file === undefined || file.text.trim() === "") return false
  return read.every(
    (other) => judgeSecondFile(file, { read: other, name: basename(other.path), imports: false }) === "other",
  )
}
