// Finds the skills in folders, by the convention of Agent Skills: `<name>/SKILL.md` with frontmatter. Only what
// lists a skill is kept of its text. Which of two with one name counts is settled later, in the view.

import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { Diagnostic } from "../core/diagnostic.ts"
import { byCodePoint } from "../core/order.ts"
import type { Skill } from "../core/scope.ts"
import { errorCode } from "../core/system-error.ts"
import { isTrust, type Trust } from "../core/trust.ts"
import type { Gate } from "../files/gate.ts"
import { isInside } from "../files/inside.ts"
import { asTrust, type Requirement, strictest } from "../files/requirement.ts"
import { readSource } from "./file.ts"
import { splitFrontMatter } from "./frontmatter.ts"
import { IGNORE_FILES, type Ignored, ignoredBelow, NOTHING_IGNORED } from "./ignored.ts"
import { inspectText } from "./inspect.ts"
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
}

export interface SkillsFound {
  /** In the order of the folders; within one, by code point of the path. */
  readonly skills: readonly Skill[]
  readonly diagnostics: readonly Diagnostic[]
}

const SKILL_FILE = "SKILL.md"
const MAX_DEPTH = 8
const MAX_SKILLS = 2000
/** Of directories that are no skills themselves; a link to a large tree should not be walked to its end. */
const MAX_ENTRIES = 50_000
const MAX_NAME = 64
/** What a skill needs unless its frontmatter says otherwise; also what it takes to hear of one that can not be read. */
const DEFAULT_TRUST: Trust = "familiar"

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

/** The file of a skill, found but not yet read. */
interface SkillFile {
  readonly shown: string
  /** As it was found, before links are followed. */
  readonly at: string
  readonly location: string
  /** The skill's name if its frontmatter has none. */
  readonly name: string
  /** It has a directory of its own, and should be called like it. */
  readonly hasDirectory: boolean
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
    const [own] = entriesOf(
      names.filter(({ name }) => name === SKILL_FILE),
      here,
    )
    if (own !== undefined) addFile(walk, ownFile(walk.folder, own))
    else enterBelow(walk, names, here)
  })
}

function enterBelow(walk: Walk, names: readonly Dirent[], here: Directory): void {
  countEntries(walk, names.length)
  if (walk.isFull) return
  for (const { real, path, isDirectory } of entriesOf(names, here)) {
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
): readonly Entry[] {
  const entries = names.flatMap((entry) => {
    const { name } = entry
    if (name.startsWith(".") || name === "node_modules") return []
    const isLink = entry.isSymbolicLink()
    const real = isLink ? targetOf(join(parent, name)) : join(parent, name)
    const isFile = name === SKILL_FILE || (depth === 0 && isLoose(name))
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
    ...{ name, hasDirectory: true },
  }
}

/** A skill that is a file among others, at the top of the folder. */
function looseFile(folder: SkillFolder, { path, real }: Pick<Entry, "path" | "real">): SkillFile {
  return {
    ...{ shown: shownIn(folder, path), at: join(folder.path, path), location: real },
    ...{ name: basename(path, ".md"), hasDirectory: false },
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

/** What was read of one file, by whatever path. */
export interface ReadSkill {
  readonly identity: string
  readonly trust: Trust
  /** Only in these situations and modes. */
  readonly limits?: Pick<Skill, "situations" | "modes">
  readonly isOwn: boolean
  /** Nothing, if it can not be listed. */
  readonly listing: Omit<Skill, "identity" | "trust"> | undefined
  readonly findings: readonly Diagnostic[]
}

function underGuard(skill: ReadSkill, guard: Requirement | undefined): ReadSkill {
  if (guard === undefined) return skill
  const joined = strictest([{ ...skill.limits, trust: skill.trust }, guard]) ?? guard
  const { trust = skill.trust, situations, modes } = joined
  if (trust === "never") return { ...skill, trust: "full", listing: undefined }
  return { ...skill, trust, limits: { ...(situations && { situations }), ...(modes && { modes }) } }
}

function readAgain(file: SkillFile, folder: SkillFolder, cache: SkillCache): ReadSkill {
  const key = `${folder.isOwn} ${file.shown} ${file.location}`
  const state = stateOf(file.location)
  const known = cache.get(key)
  if (known !== undefined && known.state === state) return known.skill
  const skill = readSkill(file, folder)
  if (state !== undefined) cache.set(key, { state, skill })
  return skill
}

function readSkill(file: SkillFile, { roots, isOwn }: SkillFolder): ReadSkill {
  const { shown: path, location } = file
  const found = readSource(location, { roots, shown: path })
  const unread = { identity: path, trust: DEFAULT_TRUST, isOwn, listing: undefined }
  if (found.kind === "absent") return { ...unread, findings: [] }
  if (found.kind === "refused") return { ...unread, findings: [found.diagnostic] }
  if (found.kind === "unavailable")
    return { ...unread, findings: [{ code: "source-unavailable", path, reason: found.reason }] }
  const { identity, digest } = found
  const { text, diagnostics: seen } = inspectText(found.text, { path, firstLine: 1, isOwn })
  const { fields, firstLine, isBroken, diagnostics } = splitFrontMatter(text, path)
  const declared = isBroken ? "full" : fields.trust
  const policy = isOwn ? trustOf(declared, path) : { trust: DEFAULT_TRUST, findings: [] }
  const read = { identity, trust: policy.trust, isOwn, listing: undefined }
  const findings = [...policy.findings, ...found.diagnostics, ...seen, ...diagnostics]
  const description = oneLine(fields.description)
  if (description === "")
    return { ...read, findings: [...findings, { code: "skill-without-description", path }] }
  const name = oneLine(fields.name) || file.name
  const problem = problemOf(name, file)
  const manual = fields["disable-model-invocation"] === true
  return {
    ...read,
    listing: { name, description, path, location, digest, ...(manual && { manual }) },
    findings: [
      ...findings,
      ...(problem === ""
        ? []
        : [{ code: "skill-name-invalid" as const, path, line: lineOfName(text, firstLine), name, problem }]),
    ],
  }
}

/** A level that does not exist hides the skill from all but the owner. */
function trustOf(declared: unknown, path: string): Pick<ReadSkill, "trust" | "findings"> {
  const trust = declared ?? DEFAULT_TRUST
  if (isTrust(trust)) return { trust, findings: [] }
  // An object's own toString may be anything that the file says.
  const value = typeof trust === "object" ? "a list or a map" : String(trust)
  return { trust: "full", findings: [{ code: "unknown-trust", path, value, used: "full" }] }
}

/** What is not text is as good as not there. */
function oneLine(value: unknown): string {
  if (typeof value !== "string") return ""
  const lines = value.split(/[\n\v\f\r\u0085\u2028\u2029]/).map((line) => line.trim())
  return lines.filter((line) => line !== "").join(" ")
}

/** Everything that is wrong with a name, in words that go on from it; "" if nothing is. */
function problemOf(name: string, { name: directory, hasDirectory }: SkillFile): string {
  const problems = [
    name.length > MAX_NAME && `is longer than ${MAX_NAME} characters`,
    /[^a-z0-9-]/.test(name) && "has something other than lower-case letters, digits and hyphens",
    /^-|-$/.test(name) && "starts or ends with a hyphen",
    name.includes("--") && "has two hyphens in a row",
    hasDirectory && name !== directory && `is not that of its directory, "${directory}"`,
  ]
  return problems.filter((problem) => problem !== false).join(", and ")
}

/** 1 if the frontmatter has none, or writes it in a way of its own. */
function lineOfName(text: string, firstLine: number): number {
  const lines = text.split("\n", firstLine - 1)
  return (
    Math.max(
      0,
      lines.findIndex((line) => /^(["']?)name\1[ \t]*:/.test(line)),
    ) + 1
  )
}
