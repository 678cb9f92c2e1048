// The files that an MCP server's command would run: a program of the workspace, scripts named in its arguments, what
// those import, and the code beside them. A change to any of them requires a new approval. Runs nothing.
import { createHash, randomUUID } from "node:crypto"
import { readdirSync, statSync } from "node:fs"
import { basename, delimiter, dirname, join, resolve } from "node:path"
import process from "node:process"
import { byCodePoint } from "../base/order.ts"
import { errorCode } from "../base/system-error.ts"
import { stampOf } from "../files/identity.ts"
import { isInside, shownFrom } from "../files/inside.ts"
import { INCIPIT_FOLDER } from "../files/paths.ts"
import { readRegular } from "../files/read-regular.ts"
import { existingPathOf, requireRealPath } from "../files/real-path.ts"
import type { Config } from "../sources/config/config-schema.ts"
import { behind, mentionedIn, moduleOf, withMentioned } from "./mentioned-files.ts"

export interface ServerFile {
  /** Relative to the workspace; absolute for a script elsewhere. */
  readonly path: string
  readonly bytes: number
  readonly digest: string
}

type McpEntry = NonNullable<Config["mcp"]>[string]

/** The shared limits for all servers of a configuration, and what has been read for one of them. */
export interface Looking {
  readonly lookups: { left: number }
  /** By real path. */
  readonly known: Map<string, ServerFile>
}

export function lookingAtServers(): Looking {
  return { lookups: { left: MOST_LOOKUPS }, known: new Map() }
}

/** Sorted by path. */
export function serverFiles(
  server: McpEntry,
  root: string,
  looking: Looking = lookingAtServers(),
): readonly ServerFile[] {
  if (server.command === undefined) return []
  const { lookups } = looking
  lookups.left -= wordsIn(server).length
  if (lookups.left < 0 || wordsIn(server).length > MOST_WORDS) return [UNKNOWN]
  const real = requireRealPath(root)
  const named = namedFiles(server, real)
  const folders = [...new Set([startOf(server, real), ...named.map(dirname), ...moduleFolders(server, real)])]
  const where = { root: real, folders, lookups }
  const said = (server.args ?? []).flatMap((arg) =>
    mentionedIn(arg, join(startOf(server, real), "argument"), where),
  )
  // Named files and what they lead to come first, so that other code cannot crowd them out.
  const run = withMentioned([...named, ...said], where)
  const around = [...named.filter(isCode).map(dirname), ...moduleFolders(server, real)]
  const beside = [...new Set(around)].map((folder) => codeIn(folder, real, lookups))
  const all = [...new Set([...run, ...beside.flatMap((files) => files ?? [])])]
  const read = described(all.slice(0, MOST_FILES), real, looking)
  return [
    ...read.toSorted((a, b) => byCodePoint(a.path, b.path)),
    ...further(all.slice(MOST_FILES)),
    ...(beside.includes(undefined) || lookups.left < 0 ? [UNKNOWN] : []),
  ]
}

/** Folders whose code belongs to a server. */
export function serverFolders(server: McpEntry, root: string): readonly ServerFolder[] {
  if (server.command === undefined || wordsIn(server).length > MOST_WORDS) return []
  const real = requireRealPath(root)
  return [...namedFiles(server, real).filter(isCode).map(dirname), ...moduleFolders(server, real)].map(
    (folder) => ({ folder, isDeep: isDeep(folder, real) }),
  )
}

export interface ServerFolder {
  readonly folder: string
  /** Subfolders belong to it, too. */
  readonly isDeep: boolean
}

/** The workspace root, and folders elsewhere, hold much that does not belong to the server. */
function isDeep(folder: string, root: string): boolean {
  return folder !== root && isInside(folder, root)
}

const MOST_FILES = 4_000
/** For one file, and for all files of a server. */
const MOST_BYTES = 64_000_000
const MOST_BYTES_READ = 256_000_000
/** Names to look up. */
const MOST_LOOKUPS = 100_000
/** Reading this many bytes takes as long as looking up a name. */
const BYTES_A_LOOKUP = 50_000
const MOST_WORDS = 2_000

/** Programs that run what a package.json or the folder says, without naming a file. */
const RUNNERS = /^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx|deno|make|just|task|uv|uvx|poetry|pipenv)$/
/** Files that control such programs. */
const MANIFESTS =
  /^(?:package\.json|\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.cjs|bunfig\.toml|deno\.jsonc?|(?:gnu)?makefile|justfile|taskfile\.ya?ml|pyproject\.toml|uv\.toml|pipfile)$/i
const CODE =
  /\.(?:[cm]?[jt]sx?|py|pyc|rb|pl|php|sh|bash|zsh|fish|lua|awk|jar|class|so|dylib|dll|node|wasm|exe|bat|cmd|ps1)$/i

export function isCode(path: string): boolean {
  return CODE.test(path) || MANIFESTS.test(basename(path))
}

/** The folder a server starts in. */
function startOf({ cwd = "." }: McpEntry, root: string): string {
  return resolve(root, cwd)
}

/** Workspace folders named by a variable such as PYTHONPATH or NODE_PATH. */
function moduleFolders(server: McpEntry, root: string): readonly string[] {
  return Object.entries(server.env ?? {})
    .filter(([name]) => /(?:PATH|LIB)$/.test(name))
    .flatMap(([, value]) => value.split(delimiter))
    .map((place) => resolve(startOf(server, root), place))
    .flatMap((path) => kindOf(path) ?? [])
    .filter(({ kind, real }) => kind === "folder" && isInside(real, root))
    .map(({ real }) => real)
}

/** Real paths: the command, if it is in the workspace, and scripts named in arguments and variables. */
function namedFiles(server: McpEntry, root: string): readonly string[] {
  const { command = "", args = [], env = {} } = server
  const directory = startOf(server, root)
  const programs = /[/\\]/.test(command) ? [resolve(root, command)] : onPath(command, directory, env.PATH)
  const words = wordsIn(server)
  const files = words.map((word) => resolve(directory, word))
  // `python -m tides` names a module; a runner runs what the files of the folder say.
  const modules = args.flatMap((arg, at) => [
    ...(args[at - 1] === "-m" ? moduleOf(arg, directory) : []),
    ...(/^-m./.test(arg) ? moduleOf(arg.slice(2), directory) : []),
  ])
  const isRunner = RUNNERS.test(basename(command)) || args.includes("--run")
  const bins = isRunner ? words.map((word) => join(directory, "node_modules", ".bin", basename(word))) : []
  // For a runner, a folder is one to run in or to work on; for other programs it may be the program itself.
  const more = isRunner ? [directory, ...files].flatMap(manifestsIn) : files.flatMap(behind)
  const found = [...files, ...modules, ...bins, ...more].flatMap((path) => fileAt(path, root))
  // A program installed on the machine belongs to the machine, even if it is a script.
  const own = programs.flatMap((path) => fileAt(path, root)).filter((path) => isInside(path, root))
  return [...new Set([...own, ...found])]
}

function wordsIn({ args = [], env = {} }: McpEntry): readonly string[] {
  const words = [...args, ...Object.values(env)].flatMap(wordsOf)
  return [...new Set(words)].filter((word) => word !== "")
}

/** A text, the words in it, and what follows a flag in the same word: `-r./boot.cjs`. */
function wordsOf(text: string): readonly string[] {
  const words = [text, ...text.split(/[\s;&|'"=,:()]+/)]
  return words.flatMap((word) => (/^-[A-Za-z]./.test(word) ? [word, word.slice(2)] : [word]))
}

function manifestsIn(folder: string): readonly string[] {
  return entriesOf(folder)
    .filter((name) => MANIFESTS.test(name))
    .map((name) => join(folder, name))
}

function onPath(command: string, directory: string, path: string | undefined): readonly string[] {
  const own = process.env.PATH ?? ""
  const places = (path ?? own).replaceAll(/\$\{?PATH\}?/g, () => own).split(delimiter)
  return places.map((place) => resolve(directory, place, command))
}

/** A file outside the workspace that is not a script belongs to the machine. */
function fileAt(path: string, root: string): readonly string[] {
  const found = kindOf(path)
  return found?.kind === "file" && (isInside(found.real, root) || CODE.test(found.real)) ? [found.real] : []
}

/**
 * Other languages import what is beside the script: all code in and below its folder, also behind links. Returns
 * undefined if there is too much to scan.
 */
function codeIn(folder: string, root: string, lookups: Looking["lookups"]): readonly string[] | undefined {
  const found = new Set<string>()
  const open = new Set([folder])
  for (const at of open) {
    for (const name of entriesOf(at)) {
      lookups.left -= 1
      const child = kindOf(join(at, name))
      if (child === undefined || (child.isLink && !isInside(child.real, root))) continue
      if (child.kind === "file" && (isCode(name) || isCode(child.real))) found.add(child.real)
      const isEntered = isDeep(folder, root) && isDeep(child.real, root) && !LEFT_OUT.has(name)
      if (child.kind === "folder" && isEntered) open.add(child.real)
    }
    if (lookups.left < 0) return undefined
  }
  return [...found]
}

/** Never the same twice, so that no approval is valid. */
const UNKNOWN: ServerFile = {
  path: "more files than can be checked",
  bytes: 0,
  get digest() {
    return randomUUID()
  },
}
const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", ".git", INCIPIT_FOLDER, "__pycache__"])

interface Child {
  readonly kind: "file" | "folder"
  readonly real: string
  readonly isLink: boolean
}

function kindOf(path: string): Child | undefined {
  const real = existingPathOf(path)
  if (real === undefined) return undefined
  const stat = statSync(real, { throwIfNoEntry: false })
  const kind = stat?.isFile() ? "file" : stat?.isDirectory() ? "folder" : undefined
  return kind && { kind, real, isLink: real !== path }
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted(byCodePoint)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}

function described(
  paths: readonly string[],
  root: string,
  { lookups, known }: Looking,
): readonly ServerFile[] {
  let bytes = 0
  return paths.map((path) => {
    const file = known.get(path) ?? digested(path, root, lookups.left < 0 || bytes > MOST_BYTES_READ)
    if (!known.has(path)) lookups.left -= Math.ceil(file.bytes / BYTES_A_LOOKUP)
    known.set(path, file)
    bytes += file.bytes
    return file
  })
}

function digested(path: string, root: string, isTooMuch: boolean): ServerFile {
  const shown = shownFrom(path, root)
  const read = isTooMuch ? undefined : readRegular(path, MOST_BYTES)
  if (read?.kind === "read") {
    const digest = createHash("sha256").update(read.bytes).digest("hex")
    return { path: shown, bytes: read.bytes.length, digest }
  }
  // Too large to read at every start, so its size and times decide.
  return { path: shown, ...writtenAt(path) }
}

function writtenAt(path: string): Omit<ServerFile, "path"> {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return { bytes: Number(stat?.size ?? 0n), digest: stat ? stampOf(stat) : "" }
}

/** Combines the files that are too many to read at every start. */
function further(paths: readonly string[]): readonly ServerFile[] {
  if (paths.length === 0) return []
  const facts = paths.toSorted(byCodePoint).map((path) => ({ path, ...writtenAt(path) }))
  const hash = createHash("sha256")
  for (const { path, digest } of facts) hash.update(`${path}\0${digest}\0`)
  const bytes = facts.reduce((sum, one) => sum + one.bytes, 0)
  return [{ path: `${paths.length} further files`, bytes, digest: hash.digest("hex") }]
}
