// Finds the skills in folders, by the convention of Agent Skills: `<name>/SKILL.md` with frontmatter; and commands, each
// a Markdown file. Only what lists one is kept (read-skill.ts). Which of two with one name counts is settled in the view.

import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { Diagnostic } from "../core/diagnostic.ts"
import { byCodePoint } from "../core/order.ts"
import type { Skill } from "../core/scope.ts"
import { errorCode } from "../core/system-error.ts"
import type { Gate } from "../files/gate.ts"
import { isInside } from "../files/inside.ts"
import { asTrust, type Requirement, strictest } from "../files/requirement.ts"
import { readSource } from "./file.ts"
import { IGNORE_FILES, type Ignored, ignoredBelow, NOTHING_IGNORED } from "./ignored.ts"
import { DEFAULT_TRUST, type ReadSkill, readSkill, type SkillFile } from "./read-skill.ts"
import { stateOf } from "./source-file.ts"

export interface SkillFolder {
  /** Absolute. */
  readonly path: string
  /** How it is named to people, such as "~/.incipit/skills". */
  readonly shown: string
  /** Real paths of the folders that may be read. */
  readonly roots: readonly string[]
  /** A folder of the workspace itself: frontmatter may say who sees a skill. A cloned repository's may not. */
  readonly isOwn: boolean
  /** Every Markdown file in it and below is a command, called like its path: `git/commit.md` is `git:commit`. */
  readonly isCommands?: true
  /** As in another system: what has no description is left out, rather than listed by its first line. */
  readonly needsDescription?: true
}

/** The folder of another system, which leaves out what has no description. */
export function described(folder: SkillFolder): SkillFolder {
  return { ...folder, needsDescription: true }
}

export interface SkillsFound {
  /** In the order of the folders; within one, by code point of the path. */
  readonly skills: readonly Skill[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Where Claude Code keeps commands: prompts that a person, or the model, asks for by name. */
export const COMMANDS_FOLDER = ".claude/commands"

const SKILL_FILE = "SKILL.md"
const MAX_DEPTH = 8
const MAX_SKILLS = 2000
/** Of directories that are no skills themselves; a link to a large tree should not be walked to its end. */
const MAX_ENTRIES = 50_000

/** What was read of each SKILL.md before, with the state of the file that it was read from. */
export type SkillCache = Map<string, { readonly state: string; readonly skill: ReadSkill }>

/** With a gate, a skill that is reached by a link needs what it needs where it really stands. */
export function gatherSkills(
  folders: readonly SkillFolder[],
  cache: SkillCache = new Map(),
  gate?: Gate,
): SkillsFound {
  const diagnostics: Diagnostic[] = []
  const read = new Map<string, ReadSkill>()
  for (const folder of folders) {
    const { files, findings } = findSkillFiles(folder)
    diagnostics.push(...findings)
    for (const file of files) {
      const skill = underGuard(readAgain(file, folder, cache), gate?.guardUnder(file.at))
      const same = read.get(skill.identity)
      if (same === undefined) read.set(skill.identity, skill)
      // Listed once, by the first path; but no path gets round what an own folder says about who sees it.
      else if (skill.isOwn && !same.isOwn) read.set(skill.identity, { ...skill, listing: same.listing })
    }
  }
  const unique = [...read.values()]
  return {
    skills: unique.flatMap(({ listing, identity, trust, limits }) =>
      listing ? { ...listing, ...limits, identity, trust } : [],
    ),
    diagnostics: [
      ...diagnostics.map((finding) => ({ ...finding, needs: DEFAULT_TRUST })),
      ...unique.flatMap(({ findings, trust, limits }) =>
        findings.map((finding) => ({ ...finding, needs: asTrust({ trust, ...limits }) })),
      ),
    ],
  }
}

interface Walk {
  readonly folder: SkillFolder
  readonly files: SkillFile[]
  readonly findings: Diagnostic[]
  /** Real paths, so that a link back to where the walk has been ends there. */
  readonly entered: Set<string>
  entries: number
  isFull: boolean
}

interface Directory {
  readonly real: string
  /** Relative to the folder, with forward slashes; "" for the folder itself. */
  readonly path: string
  readonly depth: number
  readonly ignored: Ignored
}

function findSkillFiles(folder: SkillFolder): Pick<Walk, "files" | "findings"> {
  const walk: Walk = { folder, files: [], findings: [], entered: new Set(), entries: 0, isFull: false }
  unlessUnreadable(walk, "", () => {
    enter(walk, { real: realpathSync(folder.path), path: "", depth: 0, ignored: NOTHING_IGNORED })
  })
  return walk
}

function enter(walk: Walk, directory: Directory): void {
  const { real, path, depth } = directory
  if (depth > MAX_DEPTH || walk.entered.has(real)) return
  walk.entered.add(real)
  if (!walk.folder.roots.some((root) => isInside(real, root))) {
    walk.findings.push({ code: "outside-roots", path: shownIn(walk.folder, path), target: real })
    return
  }
  unlessUnreadable(walk, path, () => {
    const names = readdirSync(real, { withFileTypes: true })
    const here = { ...directory, ignored: withIgnoreFiles(walk, directory, names) }
    const own = walk.folder.isCommands === true ? undefined : skillFileIn(names, here)
    if (own !== undefined) addFile(walk, ownFile(walk.folder, own))
    else enterBelow(walk, names, here)
  })
}

function skillFileIn(names: readonly Dirent[], here: Directory): Entry | undefined {
  const own = names.filter(({ name }) => name === SKILL_FILE)
  return entriesOf(own, here, false)[0]
}

function enterBelow(walk: Walk, names: readonly Dirent[], here: Directory): void {
  countEntries(walk, names.length)
  if (walk.isFull) return
  for (const { real, path, isDirectory } of entriesOf(names, here, walk.folder.isCommands === true)) {
    if (walk.isFull) return
    if (isDirectory) enter(walk, { ...here, real, path, depth: here.depth + 1 })
    else addFile(walk, looseFile(walk.folder, { real, path }))
  }
}

function shownIn(folder: SkillFolder, path: string): string {
  return path === "" ? folder.shown : `${folder.shown}/${path}`
}

/** Does a step of the walk; what is not there is nothing, and what the system refuses is left out and said. */
function unlessUnreadable(walk: Walk, path: string, step: () => void): void {
  try {
    step()
  } catch (error) {
    const reason = errorCode(error)
    if (reason === undefined) throw error
    if (reason === "ENOENT" || reason === "ENOTDIR") return
    walk.findings.push({ code: "source-unavailable", path: shownIn(walk.folder, path), reason })
  }
}

function withIgnoreFiles(
  walk: Walk,
  { real, path, ignored }: Directory,
  entries: readonly Dirent[],
): Ignored {
  const present = IGNORE_FILES.filter((name) => entries.some((entry) => entry.name === name))
  return present.reduce((above, name) => {
    const shown = shownIn(walk.folder, pathIn(path, name))
    const found = readSource(join(real, name), { roots: walk.folder.roots, shown })
    if (found.kind === "refused") walk.findings.push(found.diagnostic)
    if (found.kind !== "read") return above
    const { length: bytes } = found.text
    if (bytes <= above.room) return ignoredBelow(above, path, found.text)
    walk.findings.push({ code: "file-too-large", path: shown, bytes, limit: above.room })
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

/** What the walk has to look at in a directory: further ones and files of skills, in the order of their paths. */
function entriesOf(
  names: readonly Dirent[],
  { real: parent, path: above, depth, ignored }: Directory,
  isCommands: boolean,
): readonly Entry[] {
  const entries = names.flatMap((entry) => {
    const { name } = entry
    if (name.startsWith(".") || name === "node_modules") return []
    const isLink = entry.isSymbolicLink()
    const real = isLink ? targetOf(join(parent, name)) : join(parent, name)
    const isFile = name === SKILL_FILE || ((depth === 0 || isCommands) && isLoose(name))
    const isDirectory = isLink ? leadsToDirectory(real) : entry.isDirectory()
    const path = pathIn(above, name)
    const order = isDirectory ? `${path}/` : path
    return (isFile || isDirectory) && !ignored.isIgnored(order) ? [{ path, real, isDirectory, order }] : []
  })
  return entries.sort((a, b) => byCodePoint(a.order, b.order))
}

function isLoose(name: string): boolean {
  return name.endsWith(".md") && name.toLowerCase() !== "readme.md"
}

/** A link that leads nowhere stands for itself; reading it tells why. */
function targetOf(link: string): string {
  try {
    return realpathSync(link)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return link
  }
}

function leadsToDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
}

/** A skill with a directory of its own. */
function ownFile(folder: SkillFolder, { path, real }: Entry): SkillFile {
  const name = basename(dirname(join(folder.path, path)))
  return {
    ...{ shown: shownIn(folder, path), at: join(folder.path, path), location: real },
    ...{ name, kind: "skill" },
  }
}

/** A skill or command that is a file among others. */
function looseFile(folder: SkillFolder, { path, real }: Pick<Entry, "path" | "real">): SkillFile {
  return {
    ...{ shown: shownIn(folder, path), at: join(folder.path, path), location: real },
    ...(folder.isCommands === true
      ? { name: path.replace(/\.md$/, "").replaceAll("/", ":"), kind: "command" }
      : { name: basename(path, ".md"), kind: "note" }),
  }
}

function addFile(walk: Walk, file: SkillFile): void {
  if (walk.files.length < MAX_SKILLS) walk.files.push(file)
  else endWalk(walk, MAX_SKILLS)
}

function countEntries(walk: Walk, entries: number): void {
  walk.entries += entries
  if (walk.entries > MAX_ENTRIES) endWalk(walk, MAX_ENTRIES)
}

function endWalk(walk: Walk, limit: number): void {
  walk.isFull = true
  walk.findings.push({ code: "too-many-files", path: walk.folder.shown, limit })
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
  const state = stateOf(file.location)
  const known = cache.get(key)
  if (known !== undefined && known.state === state) return known.skill
  const skill = readSkill(file, folder)
  if (state !== undefined) cache.set(key, { state, skill })
  return skill
}
