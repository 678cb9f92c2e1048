// Finds the workspace files that a script would run, judged by its text: JavaScript imports and requires, Python
// imports, and paths with a code extension. Prefers finding too much over too little. Runs nothing.
import { statSync } from "node:fs"
import { dirname, extname, join, resolve } from "node:path"
import { errorCode } from "../base/system-error.ts"
import { isInside } from "../files/inside.ts"
import { readRegular } from "../files/read-regular.ts"
import { existingPathOf } from "../files/real-path.ts"
import { isPath, namedFile } from "../hooks/module-names.ts"

export interface Surroundings {
  /** The workspace. A real path. */
  readonly root: string
  /** Further folders that paths and modules may be relative to, in addition to the script's own. */
  readonly folders: readonly string[]
  /** How many more names may be looked up. Negative: some were left out. */
  readonly lookups: { left: number }
}

/** A longer script is a bundle that contains what it needs. */
const MOST_BYTES = 4_000_000
/** In one import. */
const MOST_NAMES = 50

/** The scripts and everything they lead to. Real paths, in the order found. */
export function withMentioned(scripts: readonly string[], where: Surroundings): ReadonlySet<string> {
  const found = new Set(scripts)
  for (const path of found) {
    if (where.lookups.left < 0) break
    const read = isInside(path, where.root) ? readRegular(path, MOST_BYTES) : undefined
    if (read?.kind !== "read") continue
    for (const file of mentionedIn(read.bytes.toString("utf8"), path, where)) found.add(file)
  }
  return found
}

/** `path`: the script's path, which need not exist. */
export function mentionedIn(text: string, path: string, where: Surroundings): readonly string[] {
  const imported = some(text.matchAll(IMPORT), where).flatMap(([, , specifier = ""]) =>
    imports(specifier, path, where),
  )
  // In a package, words are often names of files, so only imports count.
  if (/[/\\]node_modules[/\\]/.test(path)) return imported
  const starts = [dirname(path), ...where.folders]
  const words = new Set([...text.matchAll(WORD)].flatMap(([word]) => (CODE_PATH.test(word) ? [word] : [])))
  const named = some(words, where, starts.length).flatMap((word) =>
    starts.map((start) => resolve(start, word)),
  )
  const modules = some(text.matchAll(PYTHON), where, starts.length).flatMap(
    ([, from = "", names = "", plain = ""]) => pythonModules({ from: from || plain, names, starts }),
  )
  return [...imported, ...[...named, ...modules].flatMap((file) => ownFile(file, where.root))]
}

/** As many items as may still be looked up, each from `starts` folders. */
function some<T>(all: Iterable<T>, { lookups }: Surroundings, starts = 1): readonly T[] {
  const taken: T[] = []
  for (const one of all) {
    lookups.left -= starts
    if (lookups.left < 0) break
    taken.push(one)
  }
  return taken
}

/** What a path that is not a file means to Node or Python: a name without its extension, or a folder. */
export function behind(path: string): readonly string[] {
  const inFolder = ["index.js", "index.cjs", "index.mjs", "index.json", "__main__.py", "package.json"]
  return [
    ...ENDINGS.map((ending) => `${path}${ending}`),
    ...inFolder.map((name) => join(path, name)),
    ...mainOf(path),
  ]
}

export function moduleOf(name: string, folder: string): readonly string[] {
  const path = resolve(folder, ...name.split("."))
  return [`${path}.py`, join(path, "__main__.py"), join(path, "__init__.py")]
}

const ENDINGS = [".js", ".cjs", ".mjs", ".json", ".node", ".ts", ".py"]
const IMPORT = /\b(?:from|import|require(?:\.resolve)?)\s*(?:\(\s*)?(["'`])([^"'`\n]{1,1000})\1/g
const WORD = /[\w@.+/-]+/g
const CODE_PATH = /^.{1,500}\.(?:[cm]?[jt]sx?|py|rb|pl|php|sh|bash|zsh|fish|lua|awk|jar|so|dylib|node|wasm)$/
const PYTHON =
  /(?:^|[\n;])[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t(]*([\w, \t\n]{1,2000})|import[ \t]+([\w., \t]{1,2000}))/g

/** For both `import` and `require`: a package may have a file for each. */
function imports(specifier: string, path: string, { root }: Surroundings): readonly string[] {
  const targets = [undefined, ["node", "require", "default"]].flatMap((conditions) => {
    const target = namedFile(specifier, { path, folder: root, ...(conditions && { conditions }) })
    return target === undefined ? [] : [target]
  })
  const files = targets.flatMap((target) => [
    target.path,
    ...[target.package, target.via].flatMap((one) => one?.manifest ?? []),
  ])
  const more = targets.length === 0 && isPath(specifier) ? behind(resolve(dirname(path), specifier)) : []
  return [...files, ...more].flatMap((file) => ownFile(file, root))
}

interface PythonImport {
  readonly from: string
  readonly names: string
  readonly starts: readonly string[]
}

/** Leading dots go up from the script's folder, which is the first start. */
function pythonModules({ from, names, starts }: PythonImport): readonly string[] {
  const [dots = ""] = /^\.*/.exec(from) ?? []
  const [own = "."] = starts
  const folders = dots === "" ? starts : [resolve(own, "../".repeat(dots.length - 1))]
  const bases = listed(from.slice(dots.length))
  const inner = listed(names)
  const all =
    bases.length === 0 ? inner : bases.flatMap((base) => [base, ...inner.map((name) => `${base}.${name}`)])
  return folders.flatMap((folder) => all.flatMap((name) => moduleOf(name, folder)))
}

/** `a, b as c` gives a and b. */
function listed(text: string): readonly string[] {
  return text.split(",", MOST_NAMES).flatMap((one) => /^\s*(\w[\w.]*)/.exec(one)?.[1] ?? [])
}

/** The entry file that a package.json names. */
function mainOf(folder: string): readonly string[] {
  const read = readRegular(join(folder, "package.json"), MOST_BYTES)
  const main =
    read.kind === "read" ? /"main"\s*:\s*"([^"]+)"/.exec(read.bytes.toString("utf8"))?.[1] : undefined
  if (main === undefined) return []
  const path = resolve(folder, main)
  return [
    path,
    ...(extname(path) === "" ? ENDINGS.map((ending) => `${path}${ending}`) : []),
    join(path, "index.js"),
  ]
}

function ownFile(path: string, root: string): readonly string[] {
  try {
    // Most names do not exist, and this check is the fastest.
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return []
    const real = existingPathOf(path)
    return real !== undefined && isInside(real, root) ? [real] : []
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}
