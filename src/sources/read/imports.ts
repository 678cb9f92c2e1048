// Adds a context file to the gathering, followed by the files it imports with `@path`. Never changes the text of the
// importing file, so that its line numbers stay exact and each text keeps its provenance: an imported file is a
// separate entry directly after the file that names it.
import { statSync } from "node:fs"
import { dirname, extname, join, resolve } from "node:path"
import type { Diagnostic } from "../../base/diagnostic.ts"
import { errorCode } from "../../base/system-error.ts"
import { fenceLines } from "../../base/text/fence.ts"
import type { Trust } from "../../base/trust.ts"
import { countNewlines } from "../../core/model/content.ts"
import type { Audience } from "../../core/model/inputs.ts"
import type { SourceFile } from "../../core/model/source.ts"
import type { Gate } from "../../files/gate/gate.ts"
import { asTrust, meets, type Requirement } from "../../files/gate/requirement.ts"
import { identityOf } from "../../files/identity.ts"
import { isInside } from "../../files/inside.ts"
import { realPath } from "../../files/real-path.ts"
import { type FileFound, leadingComments, readSourceFile, underGuard } from "./source-file.ts"

/** The state of a gathering; the walk adds to it. */
export interface Gathering {
  readonly files: SourceFile[]
  readonly diagnostics: Diagnostic[]
  /** Identities of files that have been read or are elsewhere in the prompt. */
  readonly seen: Set<string>
  /** The part of `seen` that is elsewhere in the prompt and whose imports have not been followed yet. */
  readonly elsewhere: Set<string>
  /** The limit for the size of `seen`. */
  readonly full: number
  readonly trust: Trust
  readonly access: ContextAccess | undefined
  /** Real paths of folders whose files are context even though they are in a closed place. */
  readonly homes: readonly string[]
  readonly home: string | undefined
  /** The working directory, named in diagnostics about the whole gathering. */
  readonly directory: string
  readonly shown: (path: string) => string
}

/** The audience for which context is gathered, and the gate that decides what it may see. */
export interface ContextAccess {
  readonly gate: Gate
  readonly audience: Audience
  readonly person?: string | undefined
}

interface AddOptions {
  /** Real paths of the folders that must contain the file and its imports. */
  readonly roots: readonly string[]
  /** Decides from the frontmatter whether to include the file. */
  readonly accepts?: (file: SourceFile) => boolean
}

/** The file or folder at a path. */
export interface Found {
  readonly isFile: boolean
  readonly identity: string
}

interface Reference {
  readonly target: string
  readonly line: number
  /** Nothing else is on the line, so it must be an import rather than a mention. */
  readonly isAlone: boolean
}

/** The file that contains an import. */
interface Importer {
  readonly path: string
  readonly shown: string
  readonly roots: readonly string[]
  /** The identities from the first file down to this one. */
  readonly chain: readonly string[]
}

/** More files in one gathering are a mistake or an attack. */
export const MAX_FILES = 200
const MAX_DEPTH = 4
/** Each reference is looked up on disk. */
const MAX_REFERENCES = 1000
const TEXT_EXTENSIONS: ReadonlySet<string> = new Set([".md", ".mdc", ".txt"])
/** Punctuation at the end of a path does not belong to it. */
const CLOSING: ReadonlySet<string> = new Set(".,;:!?)]}>\"'*_")

export function addFile(path: string, options: AddOptions, to: Gathering): void {
  const found = probe(path)
  if (found === undefined || !isAdmitted(path, to)) return
  const by = { path, roots: options.roots, chain: [] }
  if (isSeen(found.identity, by, to) || isFull(to)) return
  to.seen.add(found.identity)
  const read = readGuarded(path, options.roots, to, to.access?.gate.guardUnder(path, to.access.person))
  if (read.file !== undefined && options.accepts?.(read.file) === false) {
    // Held back for now, but another file can still import it.
    to.seen.delete(found.identity)
    return
  }
  to.diagnostics.push(...read.diagnostics)
  if (read.file !== undefined) addWithImports(read.file, by, to)
}

/** Follows the imports of a file that is elsewhere in the prompt; does nothing if it isn't. */
export function addImportsOf(path: string, roots: readonly string[], to: Gathering): void {
  const found = probe(path)
  if (found !== undefined && isAdmitted(path, to)) isSeen(found.identity, { path, roots, chain: [] }, to)
}

/** The text of a file that the audience may see, without adding the file or its diagnostics. */
export function peek(path: string, roots: readonly string[], to: Gathering): SourceFile | undefined {
  return readGuarded(path, roots, to, to.access?.gate.guardUnder(path, to.access.person)).file
}

/** Whether the file directly imports the one with that identity. */
export function importsFile(
  file: SourceFile,
  path: string,
  identity: string,
  home: string | undefined,
): boolean {
  const from = realPath(path)
  return referencesIn(file)
    .slice(0, MAX_REFERENCES)
    .some(({ target }) => {
      const place = placeOf(target, from, home)
      return place !== undefined && probe(place)?.identity === identity
    })
}

/** Returns undefined if there is no such file, or its folder may not be searched. */
export function probe(path: string): Found | undefined {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
    return stat && { isFile: stat.isFile(), identity: identityOf(stat) }
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    // A circular link exists but cannot be read.
    return code === "ELOOP" ? { isFile: true, identity: path } : undefined
  }
}

/** Whether the audience may see the file. If not, treat it as missing. */
export function isAdmitted(path: string, { access, trust }: Pick<Gathering, "access" | "trust">): boolean {
  const guard = access?.gate.guardUnder(path, access.person)
  return access === undefined || guard === undefined || meets(access.audience, guard, trust)
}

function readGuarded(
  path: string,
  roots: readonly string[],
  { trust, shown }: Gathering,
  guard: Requirement | undefined,
): FileFound {
  const options = { role: "context", trust, shown: shown(path), roots, isOwn: false }
  return underGuard(readSourceFile(path, options), guard)
}

function isFull({ seen, full, diagnostics, directory, trust }: Gathering): boolean {
  if (seen.size < full) return false
  const isReported = diagnostics.some(
    (diagnostic) => diagnostic.code === "too-many-files" && diagnostic.limit === MAX_FILES,
  )
  if (!isReported)
    diagnostics.push({ code: "too-many-files", path: directory, limit: MAX_FILES, needs: trust })
  return true
}

/** Whether a file is already in the prompt. If it got there another way, its imports are still to be added. */
function isSeen(identity: string, by: Omit<Importer, "shown">, to: Gathering): boolean {
  if (!to.seen.has(identity)) return false
  if (!to.elsewhere.delete(identity)) return true
  // Diagnostics about the file itself were reported where it was read.
  const file = peek(by.path, by.roots, to)
  if (file !== undefined) addImports({ ...file, ...withoutComments(file) }, by, to)
  return true
}

/** The workspace's AGENTS.md is sent without the comments at its top, so imports inside them don't count. */
function withoutComments({ text, firstLine }: SourceFile): Pick<SourceFile, "text" | "firstLine"> {
  const { length } = leadingComments(text)
  return { text: text.slice(length), firstLine: firstLine + countNewlines(text, 0, length) }
}

function addWithImports(file: SourceFile, by: Omit<Importer, "shown">, to: Gathering): void {
  if (file.text.trim() === "" && file.unavailable === undefined) return
  to.files.push(file)
  addImports(file, by, to)
}

function addImports(file: SourceFile, by: Omit<Importer, "shown">, to: Gathering): void {
  // Paths are relative to the real file, not to a link to it.
  const importer: Importer = {
    path: realPath(by.path),
    shown: file.path,
    roots: by.roots,
    chain: [...by.chain, file.identity],
  }
  const references = referencesIn(file)
  for (const reference of references.slice(0, MAX_REFERENCES)) follow(reference, importer, to)
  if (references.length > MAX_REFERENCES)
    to.diagnostics.push({
      code: "too-many-files",
      path: file.path,
      limit: MAX_REFERENCES,
      needs: to.trust,
    })
}

function follow({ target, line, isAlone }: Reference, importer: Importer, to: Gathering): void {
  const place = { path: importer.shown, line, target, needs: to.trust }
  const path = placeOf(target, importer.path, to.home)
  const found = path === undefined ? undefined : probe(path)
  if (path === undefined || found === undefined) {
    const isMeant = isAlone && TEXT_EXTENSIONS.has(extname(target))
    if (isMeant) to.diagnostics.push({ code: "import-missing", ...place })
    return
  }
  const guard = guardOfImport(path, to)
  if (guard !== undefined && isKeptBack(guard, to)) {
    const isMeant = isAlone && TEXT_EXTENSIONS.has(extname(target))
    if (isMissing(guard, to)) {
      if (isMeant) to.diagnostics.push({ code: "import-missing", ...place })
    } else to.diagnostics.push({ code: "import-outside", ...place, needs: asTrust(guard) })
    return
  }
  if (importer.chain.includes(found.identity)) {
    to.diagnostics.push({ code: "import-cycle", ...place })
    return
  }
  // A mention may name a folder; only alone on its line is that a mistake.
  if (isSeen(found.identity, { ...importer, path }, to) || (!found.isFile && !isAlone)) return
  if (importer.chain.length > MAX_DEPTH) {
    to.diagnostics.push({ code: "import-too-deep", ...place, limit: MAX_DEPTH })
    return
  }
  if (isFull(to)) return
  const read = readGuarded(path, importer.roots, to, guard)
  if (read.diagnostics.some(({ code }) => code === "outside-roots")) {
    // Not marked as seen: a file that may read it can still import it.
    to.diagnostics.push({ code: "import-outside", ...place })
    return
  }
  to.seen.add(found.identity)
  to.diagnostics.push(...read.diagnostics)
  if (read.file !== undefined) addWithImports(read.file, { ...importer, path }, to)
}

/** What the real imported file requires. Files in the home folder count as context at their own place. */
function guardOfImport(path: string, { access, homes }: Gathering): Requirement | undefined {
  if (access === undefined) return undefined
  const real = realPath(path)
  return homes.some((home) => isInside(real, home))
    ? access.gate.guardUnder(real, access.person)
    : access.gate.guardOf(real, access.person)
}

/** A file in a closed place is not project context for any audience. */
function isKeptBack(guard: Requirement, to: Gathering): boolean {
  return guard.isClosed === true || isMissing(guard, to)
}

function isMissing(guard: Requirement, { access, trust }: Gathering): boolean {
  return access !== undefined && !meets(access.audience, guard, trust)
}

function placeOf(target: string, from: string, home: string | undefined): string | undefined {
  if (!target.startsWith("~/")) return resolve(dirname(from), target)
  return home === undefined ? undefined : join(home, target.slice(2))
}

/** Each target once, at its first occurrence; skips code. */
function referencesIn(file: SourceFile): readonly Reference[] {
  const link = linkIn(file)
  // If the file it names does not exist, this may be a text of one word.
  if (link !== undefined) return [{ target: link, line: file.firstLine, isAlone: false }]
  const lines = file.text.split("\n")
  const isCode = fenceLines(lines, "any")
  const found = new Map<string, Reference>()
  for (const [at, line] of lines.entries()) {
    if (isCode[at] || !line.includes("@")) continue
    for (const reference of referencesOf(line, file.firstLine + at)) {
      const before = found.get(reference.target)
      if (before === undefined || (reference.isAlone && !before.isAlone))
        found.set(reference.target, reference)
    }
  }
  return [...found.values()]
}

/**
 * The target of a link that was checked out as a plain file: where git cannot create links, it writes only the target.
 */
function linkIn({ text }: SourceFile): string | undefined {
  const target = text.trimEnd()
  return /^[^\s@`*#<>]+$/.test(target) && TEXT_EXTENSIONS.has(extname(target)) ? target : undefined
}

function referencesOf(line: string, number: number): readonly Reference[] {
  const [, alone] = /^\s*@((?:\\ |[^\s`])+)\s*$/.exec(line) ?? []
  if (alone !== undefined) return referenceTo(alone, number, true)
  const words = withoutCode(line).matchAll(/(?<![^\s([{<"'*_])@((?:\\ |[^\s`])+)/g)
  return [...words].flatMap(([, word = ""]) => referenceTo(word, number, false))
}

function referenceTo(word: string, line: number, isAlone: boolean): readonly Reference[] {
  // A loop, because a regular expression takes quadratic time on hostile text.
  let end = word.length
  while (end > 0 && CLOSING.has(word.charAt(end - 1))) end -= 1
  const target = word.slice(0, end).replaceAll("\\ ", " ")
  return target === "" ? [] : [{ target, line, isAlone }]
}

/**
 * The line with each span of inline code replaced by one backtick: from a run of backticks to the next run of that
 * length.
 */
function withoutCode(line: string): string {
  const runs = [...line.matchAll(/`+/g)].map(({ 0: run, index }) => ({ length: run.length, index }))
  const closing = closingRuns(runs.map(({ length }) => length))
  const kept: string[] = []
  let from = 0
  for (const [at, { index }] of runs.entries()) {
    const close = runs[closing[at] ?? -1]
    if (index < from || close === undefined) continue
    kept.push(line.slice(from, index))
    from = close.index + close.length
  }
  return [...kept, line.slice(from)].join("`")
}

/** For each run, the next run of the same length; computed from the end in one pass. */
function closingRuns(lengths: readonly number[]): readonly (number | undefined)[] {
  const next = new Map<number, number>()
  return lengths
    .map((length, at) => ({ length, at }))
    .toReversed()
    .map(({ length, at }) => {
      const close = next.get(length)
      next.set(length, at)
      return close
    })
    .reverse()
}
