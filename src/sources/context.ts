// Gathers project context: the AGENTS.md and CLAUDE.md files from the root of the file system down to the
// working directory, and the rules of that directory. What applies only to some files is held back until
// one of them is touched. Files that these import come directly after them (imports.ts).

import { readdirSync } from "node:fs"
import { dirname, join, matchesGlob, relative, resolve, sep } from "node:path"
import type { Diagnostic } from "../core/diagnostic.ts"
import { byCodePoint } from "../core/order.ts"
import type { SourceFile } from "../core/source.ts"
import { errorCode } from "../core/system-error.ts"
import type { Trust } from "../core/trust.ts"
import { isInside } from "../files/inside.ts"
import { INCIPIT_FOLDER } from "../files/paths.ts"
import {
  addFile,
  type ContextAccess,
  type Found,
  type Gathering,
  isAdmitted,
  MAX_FILES,
  probe,
} from "./imports.ts"
import { findWorktree, realPath, upward, type Worktree } from "./worktree.ts"

export interface ContextOptions {
  /** The working directory, absolute. */
  readonly directory: string
  /** The user's home folder: what is in its `.incipit/` comes first. */
  readonly home?: string
  /** Per directory: the first that exists, or all. CLAUDE.local.md is read besides. */
  readonly policy: "first" | "all"
  /** Identities that are in the prompt already; for `contextFor`, those of `gatherContext` too. */
  readonly known: ReadonlySet<string>
  readonly trust: Trust
  /** What keeps files back that this audience may not see, or that are no project context. */
  readonly access?: ContextAccess
}

export interface Context {
  readonly files: readonly SourceFile[]
  readonly diagnostics: readonly Diagnostic[]
}

const NAMES = ["AGENTS.override.md", "AGENTS.md", "AGENTS.MD", "CLAUDE.md", "CLAUDE.MD"] as const
/** One's own notes beside the shared ones, so it takes nobody's place. */
const LOCAL = "CLAUDE.local.md"
/** The nearest are kept. */
const MAX_FOLDERS = 64

/** What applies in the working directory from the start. */
export function gatherContext(options: ContextOptions): Context {
  const walk = startWalk(options)
  const above = nearest(upward(walk.directory), walk)
  for (const folder of [walk.homeFolder, ...above]) if (folder !== undefined) addFolder(folder, walk)
  addRules(walk, (rule) => appliesEverywhere(rule, walk))
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
  for (const folder of new Set(between)) addFolder(folder, walk)
  const ways = paths.map((path) => relative(walk.directory, path).split(sep).join("/"))
  addRules(walk, (rule) => {
    const globs = globsOf(rule).filter(isSimple)
    return ways.some((way) => globs.some((glob) => matchesGlob(way, glob)))
  })
  return finish(walk)
}

interface Candidate extends Found {
  readonly path: string
}

/** A file that is not read, because another takes its place. */
interface Shadow {
  readonly file: Candidate
  readonly by: string
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

function addFolder(folder: string, walk: Walk): void {
  if (folder !== walk.homeFolder && walk.access?.gate.guardOf(folder)?.isClosed === true) return
  const found = NAMES.flatMap((name) => candidate(join(folder, name), walk))
  // A folder or a pipe with such a name is a finding, and takes nobody's place.
  const [odd, regular] = [found.filter(({ isFile }) => !isFile), found.filter(({ isFile }) => isFile)]
  const [winner, ...others] = regular
  const chosen = walk.policy === "all" ? regular : regular.slice(0, 1)
  if (winner !== undefined && walk.policy === "first")
    walk.shadows.push(...others.map((file) => ({ file, by: winner.path })))
  const roots = [rootOf(folder, walk)]
  for (const file of [...odd, ...chosen, ...candidate(join(folder, LOCAL), walk)]) {
    const twin = folder === walk.homeFolder ? undefined : twinOf(file, walk)
    if (twin === undefined) addFile(file.path, { roots }, walk)
    else walk.shadows.push({ file, by: twin })
  }
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

function addRules(walk: Walk, accepts: (rule: SourceFile) => boolean): void {
  const folder = join(walk.directory, ".claude", "rules")
  const roots = [rootOf(walk.directory, walk)]
  const names = markdownIn(folder).filter((name) => isAdmitted(join(folder, name), walk))
  // Rules that are held back are read too, and are not among the files that count.
  if (names.length > MAX_FILES)
    walk.diagnostics.push({ code: "too-many-files", path: folder, limit: MAX_FILES, needs: walk.trust })
  for (const name of names.slice(0, MAX_FILES)) addFile(join(folder, name), { roots, accepts }, walk)
}

function markdownIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".md") && !name.startsWith("."))
      .sort(byCodePoint)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}

/** A rule without globs; of others, this is the one time to say which can never match. */
function appliesEverywhere(rule: SourceFile, { diagnostics, trust }: Walk): boolean {
  const globs = globsOf(rule)
  for (const glob of globs.filter((item) => !isSimple(item))) {
    const problem = `the glob ${JSON.stringify(glob.slice(0, 80))} is too complicated, and matches nothing`
    diagnostics.push({ code: "bad-frontmatter", path: rule.path, line: 2, problem, needs: trust })
  }
  return globs.length === 0
}

function globsOf({ fields }: SourceFile): readonly string[] {
  const paths: readonly unknown[] = Array.isArray(fields.paths) ? fields.paths : [fields.paths]
  return paths.filter((item) => typeof item === "string").map((glob) => glob.replace(/^(?:\.\/)+/, ""))
}

/** Node's matcher takes hours on some short globs, and these come with cloned repositories. */
function isSimple(glob: string): boolean {
  if (glob.length > 256 || /[?*+@!]\(|\.\./.test(glob)) return false
  if (glob.split("{").length > 4 || glob.split(",").length > 32) return false
  return glob.split("/").every((part) => part.split(/\*+/).length <= 4)
}

/** A file that was imported after all is not hidden by anything; nor is one that is told under another role. */
function finish({ files, diagnostics, shadows, seen, shown, trust }: Walk): Context {
  const hidden = shadows.flatMap(({ file, by }): readonly Diagnostic[] => {
    if (seen.has(file.identity)) return []
    seen.add(file.identity)
    return [{ code: "file-shadowed", path: shown(file.path), by: shown(by), needs: trust }]
  })
  return { files, diagnostics: [...diagnostics, ...hidden] }
}
