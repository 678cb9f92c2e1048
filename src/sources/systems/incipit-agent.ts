// Where Incipit keeps what changes only with the workspace: its files, rules, skills and memory.
import { join } from "node:path"
import type { SourceFile } from "../../core/model/source.ts"
import { pathBelow } from "../../files/files-below.ts"
import { markdownFiles } from "../../files/markdown-files.ts"
import { APPEND_SYSTEM_FILE, INCIPIT_FOLDER, SKILLS_FOLDER, SYSTEM_FILE } from "../../files/paths.ts"
import { listedPath, shownPath } from "../config/configured-trust.ts"
import { type Convention, type FileReader, fileReader } from "../file-reader.ts"
import { COMMANDS_FOLDER, gatherSkills, type SkillFolder } from "../skills/skills.ts"
import { type Gathered, rootsOf, type Workspace } from "../workspace.ts"
import { noneIn, noSkills, patternIn } from "./absent-files.ts"
import type { AgentSources } from "./system.ts"

/** The files whose names have a meaning. */
const AGENT_FILES: Readonly<Record<string, Convention>> = {
  "IDENTITY.md": { role: "identity", trust: "familiar" },
  "SOUL.md": { role: "soul", trust: "familiar" },
  "AGENTS.md": { role: "behaviour", trust: "familiar", stripComments: true },
  "TOOLS.md": { role: "tool-notes", trust: "familiar", stripComments: true },
  "USER.md": { role: "user", trust: "inner" },
}
const BASE_FILES: Readonly<Record<string, Convention>> = {
  [SYSTEM_FILE]: { role: "base", trust: "public" },
  [APPEND_SYSTEM_FILE]: { role: "append", trust: "public" },
}
/** From before SYSTEM.md existed in the home folder. */
const LEGACY_FILES = ["IDENTITY.md", "SOUL.md"]
const RULES: Convention = { role: "rules", trust: "familiar" }
const EXTRA: Convention = { role: "files", trust: "familiar" }

export function incipitAgent(workspace: Workspace): Gathered<AgentSources> {
  const { folder } = workspace
  const read = fileReader(workspace)
  const files = [
    ...baseFiles(workspace, read),
    ...Object.entries(AGENT_FILES).map(([name, convention]) => read(join(folder, name), convention)),
    ...markdownBelow(join(folder, "rules"), workspace).map((path) => read(path, RULES)),
    ...extraFiles(workspace).map((name) => read(join(folder, name), EXTRA)),
    ...sectionFiles(workspace, read),
  ].filter((file) => file !== undefined)
  const folders = skillFolders(workspace)
  const skills = gatherSkills(folders, workspace.cache.skills, read.gate)
  const absent = [
    ...read.absent,
    ...noneIn("rules", [patternIn(folder, "rules/*.md", workspace)], files),
    ...noSkills("skill", skills, folders),
  ]
  return {
    value: { files, skills: skills.skills, absent },
    diagnostics: [...read.diagnostics, ...skills.diagnostics],
  }
}

/** The workspace's files first, then the home folder's. A file that an audience may not see replaces no other. */
function baseFiles({ folder, home }: Workspace, read: FileReader): readonly (SourceFile | undefined)[] {
  const found = Object.entries(BASE_FILES).flatMap(([name, convention]) => [
    read(join(folder, name), convention),
    home === undefined ? undefined : read(join(home, name), convention),
  ])
  const hasBase = found.some((file) => file?.role === "base" && file.path.startsWith("~"))
  if (home === undefined || hasBase) return found
  const legacy = LEGACY_FILES.map((name) =>
    read(join(home, INCIPIT_FOLDER, name), { role: "legacy", trust: "familiar" }),
  )
  for (const file of legacy) {
    if (file !== undefined)
      read.diagnostics.push({
        code: "legacy-files",
        path: file.path,
        target: `~/${SYSTEM_FILE}`,
        needs: file.trust,
      })
  }
  return [...found, ...legacy]
}

/** Files that the configuration adds, except those with a fixed place. */
function extraFiles({ config }: Workspace): readonly string[] {
  const listed =
    config.prompt?.files?.filter(({ per_user }) => per_user !== true).map(({ path }) => listedPath(path)) ??
    []
  const known = [...Object.keys(AGENT_FILES), ...Object.keys(BASE_FILES), "MEMORY.md", "HEARTBEAT.md"]
  return listed.filter(
    (path) =>
      !known.includes(path) &&
      !/^(rules|memory|skills|users|prompts|channels|addendums|workflows)\//.test(path),
  )
}

/** Files of sections that the configuration adds or replaces. */
function sectionFiles({ root, config }: Workspace, read: FileReader): readonly (SourceFile | undefined)[] {
  return Object.entries(config.prompt?.sections ?? {}).map(([id, setting]) => {
    const path = typeof setting === "object" ? setting.file : undefined
    if (path === undefined) return undefined
    const file = read(join(root, path), { role: `section:${id}`, trust: "familiar" })
    if (file === undefined) read.diagnostics.push({ code: "section-file-missing", path, id, needs: "full" })
    return file
  })
}

/** The workspace's skills, and those of the home folder. */
export function skillFolders(workspace: Workspace): readonly SkillFolder[] {
  const { folder, home } = workspace
  const roots = rootsOf(workspace)
  const own = ["skills", ".agents/skills", ".claude/skills", COMMANDS_FOLDER].map((name): SkillFolder => {
    const path = join(folder, name)
    const isCommands = name === COMMANDS_FOLDER
    return { path, shown: shownPath(path, workspace), roots, isOwn: true, ...(isCommands && { isCommands }) }
  })
  if (home === undefined) return own
  const homes = [SKILLS_FOLDER, ".agents/skills"].map((name) => {
    const path = join(home, name)
    return { path, shown: `~/${name}`, roots: [path], isOwn: true }
  })
  return [...own, ...homes]
}

/** Markdown files in and below a folder, in code-point order. Follows links inside the workspace, each once. */
export function markdownBelow(folder: string, workspace: Workspace): readonly string[] {
  const { paths } = markdownFiles(folder, { roots: rootsOf(workspace) })
  return paths.map((path) => pathBelow(folder, path))
}
