// Gathers project context: the AGENTS.md and CLAUDE.md files from the file system root down to the working directory,
// plus `.claude` folders within its repository (docs/decisions/0027). Context that applies only to some files is held
// back until one of them is touched. Imported files come directly after the file that imports them (imports.ts).
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Trust } from "../../base/trust.ts"
import type { AbsentFile, SourceFile } from "../../core/model/source.ts"
import { asTrust } from "../../files/gate/requirement.ts"
import { isInside } from "../../files/inside.ts"
import { INCIPIT_FOLDER } from "../../files/paths.ts"
import { realPath } from "../../files/real-path.ts"
import { findWorktree, upward, type Worktree } from "../git/worktree.ts"
import {
  addFile,
  addImportsOf,
  type ContextAccess,
  type Found,
  type Gathering,
  importsFile,
  isAdmitted,
  MAX_FILES,
  peek,
  probe,
} from "../read/imports.ts"
import { addRules, appliesEverywhere, appliesTo, globsOf, rulesFolder } from "./context-rules.ts"
import { judgeSecondFile, type SecondFile } from "./second-file.ts"

/** Where to look for AGENTS.md and CLAUDE.md. */
export interface ContextOptions {
  /** The working directory, absolute. */
  readonly directory: string
  /** A real path: folders above it are not read. Default: the root of the disk. */
  readonly top?: string | undefined
  /** The user's home folder. Files in its `.incipit/` come first. */
  readonly home?: string
  /** Per directory: the first file that exists, or all. CLAUDE.local.md is read in addition. */
  readonly policy: "first" | "all"
  /**
   * Identities of files already in the prompt; for `contextFor`, including those from `gatherContext`. They aren't
   * repeated, but their imports are followed.
   */
  readonly known: ReadonlySet<string>
  readonly trust: Trust
  /** Holds back files that this audience may not see, or that are not project context. */
  readonly access?: ContextAccess
}

export interface Context {
  readonly files: readonly SourceFile[]
  /** Files that are not read because of another file. */
  readonly leftOut: readonly LeftOut[]
  /** Files that this audience has no access to. */
  readonly held: readonly AbsentFile[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface LeftOut {
  readonly identity: string
  readonly by: string
  /** It has different text. */
  readonly isLost: boolean
  /** With the policy "all", it would be read. */
  readonly isChoice: boolean
}

/** The first that exists counts. */
export const CONTEXT_NAMES: readonly string[] = [
  "AGENTS.override.md",
  "AGENTS.md",
  "AGENTS.MD",
  "CLAUDE.md",
  "CLAUDE.MD",
]
/**
 * A second place for CLAUDE.md, read in addition. Only within the repository: further up, `.claude` belongs to a
 * program.
 */
const IN_CLAUDE = join(".claude", "CLAUDE.md")
/** The user's private notes beside the shared ones, so it replaces no other file. */
export const LOCAL_CONTEXT = "CLAUDE.local.md"
/** The nearest folders are kept. */
const MAX_FOLDERS = 64

/** Reads AGENTS.md and CLAUDE.md from the root of the disk, or from `top`, down to the working directory. Applies from the start. */
export function gatherContext(options: ContextOptions): Context {
  const walk = startWalk(options)
  const above = nearest(fromTop(walk), walk)
  for (const folder of [walk.homeFolder, ...above]) if (folder !== undefined) addFolder(folder, walk)
  for (const folder of projectFolders(above, walk))
    addRules(folder, walk, {
      roots: [rootOf(folder, walk)],
      accepts: (rule) => appliesEverywhere(rule, walk),
    })
  return finish(walk)
}

/** What a known file imports, if no folder above the working directory leads to it. `roots` may be read. */
export function importsOf(path: string, roots: readonly string[], options: ContextOptions): Context {
  const walk = startWalk(options)
  addImportsOf(path, roots, walk)
  return finish(walk)
}

/**
 * Context that applies once files are touched: from the folders between the working directory and each file, every
 * folder once, and rules for their paths.
 */
export function contextFor(touched: string | readonly string[], options: ContextOptions): Context {
  const walk = startWalk(options)
  const paths = [touched]
    .flat()
    .map((path) => realPath(resolve(options.directory, path)))
    .filter((path) => isInside(path, walk.directory))
  if (paths.length === 0) return finish(walk)
  const folders = new Set(paths.map((path) => dirname(path)))
  const between = [...folders].flatMap((folder) =>
    nearest(
      upward(folder).filter((at) => at !== walk.directory && isInside(at, walk.directory)),
      walk,
    ),
  )
  const nested = [...new Set(between)]
  for (const folder of nested) addFolder(folder, walk)
  for (const folder of [...projectFolders(nearest(fromTop(walk), walk), walk), ...nested]) {
    const accepts = (rule: SourceFile) =>
      appliesTo(rule, folder, paths) || (nested.includes(folder) && appliesEverywhere(rule, walk))
    addRules(folder, walk, { roots: [rootOf(folder, walk)], accepts })
  }
  return finish(walk)
}

/**
 * The globs of a rule and the folder they are relative to. Returns undefined if the path is not a rule of the project.
 */
export function ruleAt(
  path: string,
  options: ContextOptions,
): { readonly folder: string; readonly globs: readonly string[] } | undefined {
  const walk = startWalk(options)
  const folder = upward(dirname(path)).find((at) => isInside(path, rulesFolder(at)))
  if (folder === undefined || !path.endsWith(".md") || !isOfProject(folder, walk)) return undefined
  const rule = isAdmitted(path, walk) ? peek(path, [rootOf(folder, walk)], walk) : undefined
  if (rule === undefined) return undefined
  return { folder, globs: appliesEverywhere(rule, walk) ? [] : globsOf(rule) }
}

/** The folder that a file is project context of, judged by its name; undefined if it isn't project context. */
export function contextFolderOf(path: string): string | undefined {
  const [folder, name] = [dirname(path), basename(path)]
  if (path.endsWith(sep + IN_CLAUDE)) return dirname(folder)
  return name === LOCAL_CONTEXT || CONTEXT_NAMES.includes(name) ? folder : undefined
}

interface Candidate extends Found {
  readonly path: string
}

/** A file that is not read because another one replaces it, or because it adds nothing to the other. */
interface Shadow extends Omit<LeftOut, "identity"> {
  readonly file: Candidate
}

interface Walk extends Gathering {
  readonly policy: ContextOptions["policy"]
  readonly top: string | undefined
  readonly homeFolder: string | undefined
  readonly worktree: Worktree | undefined
  readonly shadows: Shadow[]
  readonly held: AbsentFile[]
}

function startWalk({ directory: given, top, home, policy, known, trust, access }: ContextOptions): Walk {
  // Real paths, so that a directory gives the same prompt whichever link led to it.
  const directory = realPath(resolve(given))
  const homeFolder = home === undefined ? undefined : realPath(join(resolve(home), INCIPIT_FOLDER))
  return {
    ...{ directory, top, home, homeFolder, policy, trust, access, worktree: findWorktree(directory) },
    homes: homeFolder === undefined ? [] : [homeFolder],
    ...{
      files: [],
      diagnostics: [],
      shadows: [],
      held: [],
      seen: new Set(known),
      full: known.size + MAX_FILES,
    },
    elsewhere: new Set(known),
    shown: (path) =>
      homeFolder !== undefined && isInside(path, homeFolder)
        ? join("~", INCIPIT_FOLDER, relative(homeFolder, path))
        : path,
  }
}

/** The working directory and the folders above it that are read, nearest first. */
function fromTop({ directory, top }: Walk): readonly string[] {
  return upward(directory).filter((folder) => top === undefined || isInside(folder, top))
}

/** From the outermost to the nearest, up to the limit. */
function nearest(folders: readonly string[], { directory, diagnostics, trust }: Walk): readonly string[] {
  if (folders.length > MAX_FOLDERS)
    diagnostics.push({ code: "too-many-files", path: directory, limit: MAX_FOLDERS, needs: trust })
  return folders.slice(0, MAX_FOLDERS).toReversed()
}

/** The folders whose `.claude` belongs to the project: those of the repository, or the working directory alone. */
function projectFolders(folders: readonly string[], walk: Walk): readonly string[] {
  return folders.filter((folder) => isOfProject(folder, walk) && !isClosed(folder, walk))
}

function isOfProject(folder: string, { worktree, directory }: Walk): boolean {
  return isInside(folder, worktree?.root ?? directory)
}

function isClosed(folder: string, { access }: Walk): boolean {
  return access?.gate.guardOf(folder)?.isClosed === true
}

function addFolder(folder: string, walk: Walk): void {
  if (folder !== walk.homeFolder && isClosed(folder, walk)) return
  const names = isOfProject(folder, walk) ? [...CONTEXT_NAMES, IN_CLAUDE] : CONTEXT_NAMES
  const found = names.flatMap((name) => candidate(join(folder, name), walk))
  // A folder or a pipe with such a name is a diagnostic, and replaces no other file.
  const [odd, regular] = [found.filter(({ isFile }) => !isFile), found.filter(({ isFile }) => isFile)]
  const roots = [rootOf(folder, walk)]
  const chosen = walk.policy === "all" ? regular : chosenFrom(regular, roots, walk)
  for (const file of [...odd, ...chosen, ...candidate(join(folder, LOCAL_CONTEXT), walk)]) {
    const twin = folder === walk.homeFolder ? undefined : twinOf(file, walk)
    if (twin === undefined) addFile(file.path, { roots }, walk)
    else walk.shadows.push({ file, by: twin, isLost: true, isChoice: false })
  }
}

/** The first file, and those read in addition. The others are recorded as left out unless they add nothing. */
function chosenFrom(
  [winner, ...others]: readonly Candidate[],
  roots: readonly string[],
  walk: Walk,
): readonly Candidate[] {
  if (winner === undefined) return []
  const judged = others.map((file) => ({ file, says: judgeAgainst(file, winner, roots, walk) }))
  for (const { file, says } of judged)
    if (says !== "adds")
      walk.shadows.push({ file, by: winner.path, isLost: says === "other", isChoice: true })
  return [winner, ...judged.filter(({ says }) => says === "adds").map(({ file }) => file)]
}

function judgeAgainst(file: Candidate, winner: Candidate, roots: readonly string[], walk: Walk): SecondFile {
  if (file.identity === winner.identity) return "nothing"
  const name = basename(winner.path)
  const isSecondPlace = file.path.endsWith(IN_CLAUDE) && /^claude\.md$/i.test(name)
  if (isSecondPlace) return "adds"
  const [text, read] = [peek(file.path, roots, walk), peek(winner.path, roots, walk)]
  // An unreadable file cannot be compared, so report that it is left out.
  if (text === undefined || read === undefined) return "other"
  const imports = importsFile(text, file.path, winner.identity, walk.home)
  return judgeSecondFile(text, { read, name, imports })
}

/** A file that the audience may not see replaces no other file. */
function candidate(path: string, walk: Walk): readonly Candidate[] {
  const found = probe(path)
  if (found === undefined) return []
  if (isAdmitted(path, walk)) return [{ path, ...found }]
  const guard = walk.access?.gate.guardUnder(path, walk.access.person)
  if (guard !== undefined) walk.held.push({ role: "context", path: walk.shown(path), needs: asTrust(guard) })
  return []
}

/** The folder that files in this folder may read and import from. */
function rootOf(folder: string, { homeFolder, worktree, directory }: Walk): string {
  if (homeFolder !== undefined && folder === homeFolder) return homeFolder
  const project = worktree?.root ?? directory
  return isInside(folder, project) ? project : folder
}

/** The same file on the branch of a work tree inside the main checkout: the work tree's version counts there. */
function twinOf(file: Candidate, { worktree }: Walk): string | undefined {
  const main = worktree?.main
  if (worktree === undefined || main === undefined) return undefined
  if (!isInside(file.path, main) || isInside(file.path, worktree.root)) return undefined
  const twin = join(worktree.root, relative(main, file.path))
  const found = probe(twin)
  return found?.isFile && found.identity !== file.identity ? twin : undefined
}

/** A file that was imported after all isn't left out, nor is one that is in the prompt under another role. */
function finish({ files, diagnostics, shadows, held, seen, shown, trust }: Walk): Context {
  const hidden = new Map<string, Shadow>()
  for (const shadow of shadows) {
    const { identity } = shadow.file
    if (!seen.has(identity) && !hidden.has(identity)) hidden.set(identity, shadow)
  }
  const lost = [...hidden.values()].filter(({ isLost }) => isLost)
  const shadowed = lost.map(({ file, by, isChoice }): Diagnostic => {
    const places = { path: shown(file.path), by: shown(by) }
    return { code: "file-shadowed", ...places, ...(isChoice && { isChoice }), needs: trust }
  })
  return {
    files,
    held,
    leftOut: [...hidden].map(([identity, { by, isLost, isChoice }]) => {
      return { identity, by: shown(by), isLost, isChoice }
    }),
    diagnostics: [...diagnostics, ...shadowed],
  }
}
