// Gathers project context: the AGENTS.md and CLAUDE.md files from the root of the file system down to the
// working directory, and within its repository what `.claude` holds (docs/decisions/0027). What applies only to some
// files is held back until one of them is touched. Files that these import come directly after them (imports.ts).
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import type { Diagnostic } from "../../base/diagnostic.ts"
import type { Trust } from "../../base/trust.ts"
import type { SourceFile } from "../../core/model/source.ts"
import { isInside } from "../../files/inside.ts"
import { INCIPIT_FOLDER } from "../../files/paths.ts"
import { findWorktree, realPath, upward, type Worktree } from "../git/worktree.ts"
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
import { type Beside, beside } from "./beside.ts"
import { addRules, appliesEverywhere, appliesTo, globsOf, rulesFolder } from "./context-rules.ts"

export interface ContextOptions {
  /** The working directory, absolute. */
  readonly directory: string
  /** The user's home folder: what is in its `.incipit/` comes first. */
  readonly home?: string
  /** Per directory: the first that exists, or all. CLAUDE.local.md is read besides. */
  readonly policy: "first" | "all"
  /**
   * Identities that are in the prompt already; for `contextFor`, those of `gatherContext` too. They aren't repeated, but
   * what they import is followed.
   */
  readonly known: ReadonlySet<string>
  readonly trust: Trust
  /** What keeps files back that this audience may not see, or that are no project context. */
  readonly access?: ContextAccess
}

export interface Context {
  readonly files: readonly SourceFile[]
  /** Files that are not read because of another one; `isLost`: with a text of their own. */
  readonly leftOut: readonly LeftOut[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface LeftOut {
  readonly identity: string
  readonly by: string
  readonly isLost: boolean
}

const NAMES = ["AGENTS.override.md", "AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD"] as const
/** Another place for CLAUDE.md, read beside it. Only within the repository: further up it is a program's own folder. */
const IN_CLAUDE = join(".claude", "CLAUDE.md")
/** One's own notes beside the shared ones, so it takes nobody's place. */
const LOCAL = "CLAUDE.local.md"
/** The nearest are kept. */
const MAX_FOLDERS = 64

/** What applies in the working directory from the start. */
export function gatherContext(options: ContextOptions): Context {
  const walk = startWalk(options)
  const above = nearest(upward(walk.directory), walk)
  for (const folder of [walk.homeFolder, ...above]) if (folder !== undefined) addFolder(folder, walk)
  for (const folder of projectFolders(above, walk))
    addRules(folder, walk, {
      roots: [rootOf(folder, walk)],
      accepts: (rule) => appliesEverywhere(rule, walk),
    })
  return finish(walk)
}

/** What a known file imports, if no folder above the working directory leads to it. `roots`: what may be read. */
export function importsOf(path: string, roots: readonly string[], options: ContextOptions): Context {
  const walk = startWalk(options)
  addImportsOf(path, roots, walk)
  return finish(walk)
}

/**
 * What applies once files are touched: context between the working directory and each of them, every folder once, and
 * rules for their paths.
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
  for (const folder of [...projectFolders(nearest(upward(walk.directory), walk), walk), ...nested]) {
    const accepts = (rule: SourceFile) =>
      appliesTo(rule, folder, paths) || (nested.includes(folder) && appliesEverywhere(rule, walk))
    addRules(folder, walk, { roots: [rootOf(folder, walk)], accepts })
  }
  return finish(walk)
}

/** The globs of a rule, and the folder that they are meant from; nothing, if the path leads to no rule of the project. */
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

/** Whether a file of this name is project context, and of which folder. */
export function contextFolderOf(path: string): string | undefined {
  const [folder, name] = [dirname(path), basename(path)]
  if (path.endsWith(sep + IN_CLAUDE)) return dirname(folder)
  return name === LOCAL || NAMES.some((known) => known === name) ? folder : undefined
}

interface Candidate extends Found {
  readonly path: string
}

/** A file that is not read, because another takes its place; or because it adds nothing to the other. */
interface Shadow {
  readonly file: Candidate
  readonly by: string
  readonly isLost: boolean
}

interface Walk extends Gathering {
  readonly policy: ContextOptions["policy"]
  readonly homeFolder: string | undefined
  readonly worktree: Worktree | undefined
  readonly shadows: Shadow[]
}

function startWalk({ directory: given, home, policy, known, trust, access }: ContextOptions): Walk {
  // By real paths, so that one directory has one prompt whichever link led to it.
  const directory = realPath(resolve(given))
  const homeFolder = home === undefined ? undefined : realPath(join(resolve(home), INCIPIT_FOLDER))
  return {
    ...{ directory, home, homeFolder, policy, trust, access, worktree: findWorktree(directory) },
    homes: homeFolder === undefined ? [] : [homeFolder],
    ...{ files: [], diagnostics: [], shadows: [], seen: new Set(known), full: known.size + MAX_FILES },
    elsewhere: new Set(known),
    shown: (path) =>
      homeFolder !== undefined && isInside(path, homeFolder)
        ? join("~", INCIPIT_FOLDER, relative(homeFolder, path))
        : path,
  }
}

/** From the outermost to the nearest, and no more than are allowed. */
function nearest(folders: readonly string[], { directory, diagnostics, trust }: Walk): readonly string[] {
  if (folders.length > MAX_FOLDERS)
    diagnostics.push({ code: "too-many-files", path: directory, limit: MAX_FOLDERS, needs: trust })
  return folders.slice(0, MAX_FOLDERS).toReversed()
}

/** Those folders in which `.claude` is the project's: of the repository, or the working directory alone. */
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
  const names = isOfProject(folder, walk) ? [...NAMES, IN_CLAUDE] : NAMES
  const found = names.flatMap((name) => candidate(join(folder, name), walk))
  // A folder or a pipe with such a name is a finding, and takes nobody's place.
  const [odd, regular] = [found.filter(({ isFile }) => !isFile), found.filter(({ isFile }) => isFile)]
  const roots = [rootOf(folder, walk)]
  const chosen = walk.policy === "all" ? regular : chosenFrom(regular, roots, walk)
  for (const file of [...odd, ...chosen, ...candidate(join(folder, LOCAL), walk)]) {
    const twin = folder === walk.homeFolder ? undefined : twinOf(file, walk)
    if (twin === undefined) addFile(file.path, { roots }, walk)
    else walk.shadows.push({ file, by: twin, isLost: true })
  }
}

/** The first, and those that are read beside it; the others are noted as left out, unless nothing is lost with them. */
function chosenFrom(
  [winner, ...others]: readonly Candidate[],
  roots: readonly string[],
  walk: Walk,
): readonly Candidate[] {
  if (winner === undefined) return []
  const judged = others.map((file) => ({ file, says: besideWinner(file, winner, roots, walk) }))
  for (const { file, says } of judged)
    if (says !== "adds") walk.shadows.push({ file, by: winner.path, isLost: says === "other" })
  return [winner, ...judged.filter(({ says }) => says === "adds").map(({ file }) => file)]
}

function besideWinner(file: Candidate, winner: Candidate, roots: readonly string[], walk: Walk): Beside {
  if (file.identity === winner.identity) return "nothing"
  const name = basename(winner.path)
  const isSecondPlace = file.path.endsWith(IN_CLAUDE) && /^claude\.md$/i.test(name)
  if (isSecondPlace) return "adds"
  const [text, read] = [peek(file.path, roots, walk), peek(winner.path, roots, walk)]
  // What cannot be read says nothing about itself; that it is left out is worth saying.
  if (text === undefined || read === undefined) return "other"
  const imports = importsFile(text, file.path, winner.identity, walk.home)
  return beside(text, { read, name, imports })
}

/** What the audience may not see takes nobody's place. */
function candidate(path: string, walk: Walk): readonly Candidate[] {
  const found = probe(path)
  return found === undefined || !isAdmitted(path, walk) ? [] : [{ path, ...found }]
}

/** What files in this folder may read, and import from. */
function rootOf(folder: string, { homeFolder, worktree, directory }: Walk): string {
  if (homeFolder !== undefined && folder === homeFolder) return homeFolder
  const project = worktree?.root ?? directory
  return isInside(folder, project) ? project : folder
}

/** The same file on the branch of a work tree that lies inside the main checkout: that one is meant there. */
function twinOf(file: Candidate, { worktree }: Walk): string | undefined {
  const main = worktree?.main
  if (worktree === undefined || main === undefined) return undefined
  if (!isInside(file.path, main) || isInside(file.path, worktree.root)) return undefined
  const twin = join(worktree.root, relative(main, file.path))
  const found = probe(twin)
  return found?.isFile && found.identity !== file.identity ? twin : undefined
}

/** A file that was imported after all is not hidden by anything; nor is one that is told under another role. */
function finish({ files, diagnostics, shadows, seen, shown, trust }: Walk): Context {
  const hidden = new Map<string, Shadow>()
  for (const shadow of shadows) {
    const { identity } = shadow.file
    if (!seen.has(identity) && !hidden.has(identity)) hidden.set(identity, shadow)
  }
  const lost = [...hidden.values()].filter(({ isLost }) => isLost)
  const findings = lost.map(({ file, by }): Diagnostic => {
    return { code: "file-shadowed", path: shown(file.path), by: shown(by), needs: trust }
  })
  return {
    files,
    leftOut: [...hidden].map(([identity, { by, isLost }]) => ({ identity, by: shown(by), isLost })),
    diagnostics: [...diagnostics, ...findings],
  }
}
