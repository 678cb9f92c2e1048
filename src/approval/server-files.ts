// The files that an MCP server's command would run: a program of the workspace, scripts that its arguments name, what
// those import, and the code beside them. Any of them that changes makes another server of it. Runs nothing.
import { createHash } from "node:crypto"
import { readdirSync, realpathSync, statSync } from "node:fs"
import { basename, delimiter, dirname, extname, join, relative, resolve, sep } from "node:path"
import process from "node:process"
import { byCodePoint } from "../core/order.ts"
import { errorCode } from "../core/system-error.ts"
import { isInside } from "../files/inside.ts"
import { INCIPIT_FOLDER } from "../files/paths.ts"
import { readRegular } from "../files/read-regular.ts"
import { FORMATS, moduleFiles } from "../hooks/module-files.ts"
import type { Config } from "../sources/config-schema.ts"

export interface ServerFile {
  /** From the workspace on; a script elsewhere has its whole path. */
  readonly path: string
  readonly bytes: number
  readonly digest: string
}

type McpEntry = NonNullable<Config["mcp"]>[string]

/** Sorted by path. */
export function serverFiles(server: McpEntry, root: string): readonly ServerFile[] {
  if (server.command === undefined) return []
  const real = realpathSync(root)
  const named = namedFiles(server, real)
  const all = new Set(named.flatMap((path) => [path, ...importedBy(path, real), ...besides(path, real)]))
  return [...all]
    .slice(0, MOST_FILES)
    .map((path) => described(path, real))
    .toSorted((a, b) => byCodePoint(a.path, b.path))
}

/** Folders whose code belongs to a server. */
export function serverFolders(server: McpEntry, root: string): readonly ServerFolder[] {
  if (server.command === undefined) return []
  const real = realpathSync(root)
  return namedFiles(server, real)
    .filter(isCode)
    .map((path) => ({ folder: dirname(path), isDeep: isDeep(dirname(path), real) }))
}

export interface ServerFolder {
  readonly folder: string
  /** What is below belongs to it as well. */
  readonly isDeep: boolean
}

/** In the workspace itself, and in folders elsewhere, lies much that is not the server's. */
function isDeep(folder: string, root: string): boolean {
  return folder !== root && isInside(folder, root)
}

const MOST_FILES = 4_000
const MOST_BYTES = 64_000_000

/** Programs that run what a package.json or the folder says, and name no file. */
const RUNNERS = /^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx|deno|make|just|task|uv|uvx|poetry|pipenv)$/
/** What such programs go by. */
const MANIFESTS =
  /^(?:package\.json|deno\.jsonc?|makefile|justfile|taskfile\.ya?ml|pyproject\.toml|pipfile)$/i
const CODE =
  /\.(?:[cm]?[jt]sx?|py|pyc|rb|pl|php|sh|bash|zsh|fish|lua|awk|jar|class|so|dylib|dll|node|wasm|exe|bat|cmd|ps1)$/i

export function isCode(path: string): boolean {
  return CODE.test(path) || MANIFESTS.test(basename(path))
}

/** Real paths: the command, if it is in the workspace, and scripts that the arguments name. */
function namedFiles({ command = "", args = [], cwd = ".", env }: McpEntry, root: string): readonly string[] {
  const directory = resolve(root, cwd)
  const programs = /[/\\]/.test(command) ? [resolve(root, command)] : onPath(command, directory, env?.PATH)
  const words = args.flatMap((arg) => [arg, ...arg.split(/[\s;&|'"=,:()]+/)])
  const files = words.filter((word) => word !== "").map((word) => resolve(directory, word))
  // `python -m tides` names a module; a runner, what the folder's own files say.
  const modules = args.flatMap((arg, at) => (args[at - 1] === "-m" ? moduleOf(arg, directory) : []))
  const isRunner = RUNNERS.test(basename(command)) || args.includes("--run")
  const manifests = isRunner ? entriesOf(directory).filter((name) => MANIFESTS.test(name)) : []
  const bins = isRunner ? words.map((word) => join(directory, "node_modules", ".bin", basename(word))) : []
  const candidates = [...files, ...modules, ...bins, ...manifests.map((name) => join(directory, name))]
  const found = candidates.flatMap((path) => fileAt(path, root))
  // A program that is installed on the machine is the machine's own, even if it is a script.
  const own = programs.flatMap((path) => fileAt(path, root)).filter((path) => isInside(path, root))
  return [...new Set([...own, ...found])]
}

function onPath(command: string, directory: string, path: string | undefined): readonly string[] {
  const own = process.env.PATH ?? ""
  const places = (path ?? own).replaceAll(/\$\{?PATH\}?/g, () => own).split(delimiter)
  return places.map((place) => resolve(directory, place, command))
}

function moduleOf(name: string, directory: string): readonly string[] {
  const path = resolve(directory, ...name.split("."))
  return [`${path}.py`, join(path, "__main__.py"), join(path, "__init__.py")]
}

/** What lies elsewhere and is no script is the machine's own. */
function fileAt(path: string, root: string): readonly string[] {
  try {
    const real = realpathSync(path)
    return (isInside(real, root) || CODE.test(real)) && statSync(real).isFile() ? [real] : []
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}

/** What JavaScript imports, packages among it. */
function importedBy(path: string, root: string): readonly string[] {
  if (!FORMATS.get(extname(path))?.startsWith("module") || !isInside(path, root)) return []
  const all = moduleFiles({ path, folder: root })
  return "kind" in all ? [] : [...all.files.keys()].filter((file) => isInside(file, root))
}

/** Other languages import what lies beside the script: all code in its folder and below. */
function besides(path: string, root: string): readonly string[] {
  if (!isCode(path)) return []
  const folder = dirname(path)
  const found: string[] = []
  const open = [folder]
  for (const at of open) {
    for (const name of entriesOf(at)) {
      const child = join(at, name)
      const kind = kindOf(child)
      if (kind === "file" && isCode(name)) found.push(child)
      if (kind === "folder" && isDeep(folder, root) && !LEFT_OUT.has(name)) open.push(child)
    }
    if (found.length > MOST_FILES || open.length > MOST_FILES) break
  }
  return found
}

const LEFT_OUT: ReadonlySet<string> = new Set(["node_modules", ".git", INCIPIT_FOLDER, "__pycache__"])

/** A link is neither: where it leads is not beside the script. */
function kindOf(path: string): "file" | "folder" | undefined {
  try {
    const stat = statSync(path)
    if (realpathSync(path) !== path) return undefined
    return stat.isFile() ? "file" : stat.isDirectory() ? "folder" : undefined
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return undefined
  }
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted(byCodePoint)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}

function described(path: string, root: string): ServerFile {
  const shown = isInside(path, root) ? relative(root, path).split(sep).join("/") : path
  const read = readRegular(path, MOST_BYTES)
  if (read.kind === "read") {
    const digest = createHash("sha256").update(read.bytes).digest("hex")
    return { path: shown, bytes: read.bytes.length, digest }
  }
  // Too large to be read with every start: then whether somebody wrote to it decides.
  const stat = statSync(path, { throwIfNoEntry: false })
  const facts = [stat?.size, stat?.mtimeMs, stat?.ctimeMs, stat?.ino].join(":")
  return { path: shown, bytes: stat?.size ?? 0, digest: facts }
}
