// Finds the skills in folders, by the Agent Skills convention: `<name>/SKILL.md` with frontmatter. Also finds commands,
// each a Markdown file. Keeps only what is needed to list them (read-skill.ts). The view resolves name conflicts.
import { type Dirent, readdirSync, statSync } from "node:fs"
import { basename, dirname, extname, join } from "node:path"
import type { Diagnostic } from "../../base/diagnostic.ts"
import { byCodePoint } from "../../base/order.ts"
import { errorCode } from "../../base/system-error.ts"
import { mostOf, type Trust } from "../../base/trust.ts"
import type { Skill } from "../../core/model/inputs.ts"
import type { Gate } from "../../files/gate/gate.ts"
import { asTrust, type Requirement, strictest } from "../../files/gate/requirement.ts"
import { stampAt } from "../../files/identity.ts"
import { isInside } from "../../files/inside.ts"
import { existingPathOf, isThere, requireRealPath } from "../../files/real-path.ts"
import { readSource } from "../read/file.ts"
import { IGNORE_FILES, type Ignored, ignoredBelow, NOTHING_IGNORED } from "../read/ignored.ts"
import { DEFAULT_TRUST, type ReadSkill, readSkill, type SkillFile } from "./read-skill.ts"

export interface SkillFolder {
  /** Absolute. */
  readonly path: string
  /** The path to show to people, such as "~/.incipit/skills". */
  readonly shown: string
  /** Real paths of the folders that may be read. */
  readonly roots: readonly string[]
  /** A folder of the workspace itself: frontmatter may restrict who sees a skill. A cloned repository's may not. */
  readonly isOwn: boolean
  /** Every Markdown file in and below it is a command, named by its path: `git/commit.md` is `git:commit`. */
  readonly isCommands?: true
  /** Leaves out skills without a description, as another system does, instead of listing them by their first line. */
  readonly needsDescription?: true
}

/** A folder of another system, which leaves out skills without a description. */
export function described(folder: SkillFolder): SkillFolder {
  return { ...folder, needsDescription: true }
}

export interface SkillsFound {
  /** In the order of the folders; within one folder, by code point of the path. */
  readonly skills: readonly Skill[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Where Claude Code keeps commands: prompts that a person or the model calls by name. */
export const COMMANDS_FOLDER = ".claude/commands"

const SKILL_FILE = "SKILL.md"
const MAX_DEPTH = 8
const MAX_SKILLS = 2000
/**
 * Counts entries of directories that are not skills themselves, so that a link to a large tree is not walked to its
 * end.
 */
const MAX_ENTRIES = 50_000

/** The result for each SKILL.md, with the state of the file at the time it was read. */
export type SkillCache = Map<string, { readonly state: string; readonly skill: ReadSkill }>

/** With a gate, a skill reached by a link requires what its real path requires. */
export function gatherSkills(
  folders: readonly SkillFolder[],
  cache: SkillCache = new Map(),
  gate?: Gate,
): SkillsFound {
  const diagnostics: Diagnostic[] = []
  const read = new Map<string, ReadSkill>()
  for (const folder of folders) {
    const { files, diagnostics: found } = findSkillFiles(folder, gate)
    diagnostics.push(...found)
    for (const { file, guard } of files) {
      const skill = underGuard(readAgain(file, folder, cache), guard)
      const same = read.get(skill.identity)
      if (same === undefined) read.set(skill.identity, skill)
      // Listed once, under the first path. But no path bypasses the restrictions of a folder of the workspace.
      else if (skill.isOwn && !same.isOwn) read.set(skill.identity, { ...skill, listing: same.listing })
    }
  }
  const unique = [...read.values()]
  return {
    skills: unique.flatMap(({ listing, identity, trust, limits }) =>
      listing ? { ...listing, ...limits, identity, trust } : [],
    ),
    diagnostics: [
      ...diagnostics,
      ...unique.flatMap(({ diagnostics, trust, limits }) =>
        diagnostics.map((diagnostic) => ({ ...diagnostic, needs: asTrust({ trust, ...limits }) })),
      ),
    ],
  }
}

interface Walk {
  readonly folder: SkillFolder
  readonly gate: Gate | undefined
  readonly files: { readonly file: SkillFile; readonly guard: Requirement | undefined }[]
  readonly diagnostics: Diagnostic[]
  /** Real paths, so that circular links end. */
  readonly entered: Set<string>
  /** By requirement: skills that an audience may not see must not use up the limit of those it may. */
  readonly counts: Map<string, Counts>
}

interface Counts {
  files: number
  entries: number
}

interface Directory {
  readonly real: string
  /** Relative to the folder, with forward slashes; "" for the folder itself. */
  readonly path: string
  readonly depth: number
  readonly ignored: Ignored
  /** What the directories above it require: a link out of a closed directory opens nothing. */
  readonly above: Requirement | undefined
}

type Place = Pick<Directory, "path" | "above">

function findSkillFiles(folder: SkillFolder, gate: Gate | undefined): Pick<Walk, "files" | "diagnostics"> {
  const walk: Walk = { folder, gate, files: [], diagnostics: [], entered: new Set(), counts: new Map() }
  const top = { path: "", depth: 0, ignored: NOTHING_IGNORED, above: undefined }
  if (isThere(folder.path))
    unlessUnreadable(walk, top, () => enter(walk, { ...top, real: requireRealPath(folder.path) }))
  return walk
}

function enter(walk: Walk, directory: Directory): void {
  const { real, path, depth } = directory
  if (depth > MAX_DEPTH || walk.entered.has(real)) return
  walk.entered.add(real)
  if (!walk.folder.roots.some((root) => isInside(real, root))) {
    walk.diagnostics.push({
      code: "outside-roots",
      path: shownIn(walk.folder, path),
      target: real,
      needs: "full",
    })
    return
  }
  unlessUnreadable(walk, directory, () => {
    const names = readdirSync(real, { withFileTypes: true })
    const here = { ...directory, ignored: withIgnoreFiles(walk, directory, names) }
    const own = walk.folder.isCommands === true ? undefined : skillFileIn(names, here)
    if (own !== undefined) return addFile(walk, ownFile(walk.folder, own))
    const misspelt = misspeltIn(names, here)
    if (misspelt !== undefined && walk.folder.isCommands !== true)
      find(walk, here, { code: "file-misspelt", path: shownIn(walk.folder, misspelt), as: SKILL_FILE })
    enterBelow(walk, names, here)
  })
}

/** At the top of a folder of skills, such a name is that of a loose file. */
function misspeltIn(names: readonly Dirent[], { path, depth, ignored }: Directory): string | undefined {
  const inOtherCase = names.find(
    (entry) =>
      entry.isFile() && entry.name !== SKILL_FILE && entry.name.toLowerCase() === SKILL_FILE.toLowerCase(),
  )
  if (depth === 0 || inOtherCase === undefined) return undefined
  const at = pathIn(path, inOtherCase.name)
  return ignored.isIgnored(at) ? undefined : at
}

function skillFileIn(names: readonly Dirent[], here: Directory): Entry | undefined {
  const own = names.filter(({ name }) => name === SKILL_FILE)
  return entriesOf(own, here, false)[0]
}

function enterBelow(walk: Walk, names: readonly Dirent[], here: Directory): void {
  const guard = guardIn(walk, here)
  if (!hasRoom(walk, guard, names.length)) return
  for (const path of brokenLinks(names, here))
    walk.diagnostics.push({ code: "file-gone", path: shownIn(walk.folder, path), needs: "full" })
  for (const { real, path, isDirectory } of entriesOf(names, here, walk.folder.isCommands === true)) {
    if (isDirectory) enter(walk, { ...here, real, path, depth: here.depth + 1, above: guard })
    else addFile(walk, looseFile(walk.folder, { real, path }))
  }
}

function shownIn(folder: SkillFolder, path: string): string {
  return path === "" ? folder.shown : `${folder.shown}/${path}`
}

/** Runs a step of the walk. Skips what does not exist, and reports what the system refuses. */
function unlessUnreadable(walk: Walk, directory: Place, step: () => void): void {
  try {
    step()
  } catch (error) {
    const reason = errorCode(error)
    if (reason === undefined) throw error
    if (reason === "ENOENT" || reason === "ENOTDIR") return
    const path = shownIn(walk.folder, directory.path)
    find(walk, directory, { code: "source-unavailable", path, reason })
  }
}

function withIgnoreFiles(walk: Walk, directory: Directory, entries: readonly Dirent[]): Ignored {
  const { real, path, ignored } = directory
  const present = IGNORE_FILES.filter((name) => entries.some((entry) => entry.name === name))
  return present.reduce((above, name) => {
    const shown = shownIn(walk.folder, pathIn(path, name))
    const found = readSource(join(real, name), { roots: walk.folder.roots, shown })
    if (found.kind === "refused") find(walk, directory, found.diagnostic)
    if (found.kind !== "read") return above
    const { length: bytes } = found.text
    if (bytes <= above.room) return ignoredBelow(above, path, found.text)
    find(walk, directory, { code: "file-too-large", path: shown, bytes, limit: above.room })
    return above
  }, ignored)
}

function pathIn(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`
}

interface Entry {
  /** As in `Directory`. */
  readonly path: string
  readonly real: string
  readonly isDirectory: boolean
}

/** The subdirectories and skill files to visit in a directory, in path order. */
function entriesOf(
  names: readonly Dirent[],
  { real: parent, path: above, depth, ignored }: Directory,
  isCommands: boolean,
): readonly Entry[] {
  const entries = names.flatMap((entry) => {
    const { name } = entry
    if (name.startsWith(".") || name === "node_modules") return []
    const isLink = entry.isSymbolicLink()
    const at = join(parent, name)
    // A broken link is kept as it is; reading it reports the reason.
    const real = isLink ? (existingPathOf(at) ?? at) : at
    const isFile = name === SKILL_FILE || ((depth === 0 || isCommands) && isLoose(name))
    const isDirectory = isLink ? leadsToDirectory(real) : entry.isDirectory()
    const path = pathIn(above, name)
    const order = isDirectory ? `${path}/` : path
    return (isFile || isDirectory) && !ignored.isIgnored(order) ? [{ path, real, isDirectory, order }] : []
  })
  return entries.sort((a, b) => byCodePoint(a.order, b.order))
}

/**
 * Links to nothing, which could have been skills: for full trust, because others may not know what there is at the end of
 * a link. A broken link named as a skill's file is reported by its reader.
 */
function brokenLinks(names: readonly Dirent[], { real, path: above, ignored }: Directory): readonly string[] {
  return names
    .filter((entry) => entry.isSymbolicLink() && !entry.name.startsWith(".") && extname(entry.name) === "")
    .map(({ name }) => ({ at: join(real, name), path: pathIn(above, name) }))
    .filter(({ at, path }) => !ignored.isIgnored(`${path}/`) && existingPathOf(at) === undefined)
    .map(({ path }) => path)
}

function isLoose(name: string): boolean {
  return name.endsWith(".md") && name.toLowerCase() !== "readme.md"
}

function leadsToDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
}

/** A skill with its own directory. */
function ownFile(folder: SkillFolder, { path, real }: Entry): SkillFile {
  const name = basename(dirname(join(folder.path, path)))
  return {
    ...{ shown: shownIn(folder, path), at: join(folder.path, path), location: real },
    ...{ name, kind: "skill" },
  }
}

/** A skill or command that is a single file. */
function looseFile(folder: SkillFolder, { path, real }: Pick<Entry, "path" | "real">): SkillFile {
  return {
    ...{ shown: shownIn(folder, path), at: join(folder.path, path), location: real },
    ...(folder.isCommands === true
      ? { name: path.replace(/\.md$/, "").replaceAll("/", ":"), kind: "command" }
      : { name: basename(path, ".md"), kind: "note" }),
  }
}

function addFile(walk: Walk, file: SkillFile): void {
  const guard = walk.gate?.guardUnder(file.at)
  const counts = countsFor(walk, guard)
  if (counts.entries > MAX_ENTRIES) return
  counts.files += 1
  if (counts.files <= MAX_SKILLS) walk.files.push({ file, guard })
  else if (counts.files === MAX_SKILLS + 1) tellFull(walk, guard, MAX_SKILLS)
}

/** Whether a directory with this many entries is within the limit. */
function hasRoom(walk: Walk, guard: Requirement | undefined, entries: number): boolean {
  const counts = countsFor(walk, guard)
  const isFirst = counts.entries <= MAX_ENTRIES
  counts.entries += entries
  if (counts.entries <= MAX_ENTRIES) return true
  if (isFirst) tellFull(walk, guard, MAX_ENTRIES)
  return false
}

function countsFor({ counts }: Walk, guard: Requirement | undefined): Counts {
  const key = JSON.stringify(guard ?? null)
  const known = counts.get(key) ?? { files: 0, entries: 0 }
  counts.set(key, known)
  return known
}

function tellFull({ folder, diagnostics }: Walk, guard: Requirement | undefined, limit: number): void {
  diagnostics.push({ code: "too-many-files", path: folder.shown, limit, needs: needsOf(guard) })
}

/** A diagnostic about a place is only for those who may see the place. */
function find(walk: Walk, place: Place, diagnostic: Diagnostic): void {
  walk.diagnostics.push({ ...diagnostic, needs: needsOf(guardIn(walk, place)) })
}

function needsOf(guard: Requirement | undefined): Trust {
  return guard === undefined ? DEFAULT_TRUST : mostOf(DEFAULT_TRUST, asTrust(guard))
}

function guardIn({ folder, gate }: Walk, { path, above }: Place): Requirement | undefined {
  return strictest([above, gate?.guardUnder(join(folder.path, path))])
}

function underGuard(skill: ReadSkill, guard: Requirement | undefined): ReadSkill {
  if (guard === undefined) return skill
  const joined = strictest([{ ...skill.limits, trust: skill.trust }, guard]) ?? guard
  const { trust = skill.trust, situations, modes } = joined
  if (trust === "never") return { ...skill, trust: "full", listing: undefined }
  return { ...skill, trust, limits: { ...(situations && { situations }), ...(modes && { modes }) } }
}

function readAgain(file: SkillFile, folder: SkillFolder, cache: SkillCache): ReadSkill {
  const { isOwn, needsDescription = false, isCommands = false } = folder
  const key = `${isOwn} ${needsDescription} ${isCommands} ${file.shown} ${file.location}`
  const state = stampAt(file.location)
  const known = cache.get(key)
  if (known !== undefined && known.state === state) return known.skill
  const skill = readSkill(file, folder)
  if (state !== undefined) cache.set(key, { state, skill })
  return skill
}
