// Collects all code that would run with a module: its file and everything it imports, by path or by name, recursively
// and up to a limit. Runs none of it. Imports that this file cannot see are refused at load time.
import { extname } from "node:path"
import { isInside } from "../files/inside.ts"
import { readRegular } from "../files/read-regular.ts"
import { type NamedFile, namedFile, type Package } from "./module-names.ts"

export interface ModuleFile {
  readonly text: string
  /** Its package in node_modules; undefined for the workspace's own files. */
  readonly package: string | undefined
}

export interface ModuleFiles {
  /** By real path. */
  readonly files: ReadonlyMap<string, ModuleFile>
  /** By importing file and specifier: the resolved file. */
  readonly imports: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** By name and version, such as `tide-table 1.2.0`. */
  readonly packages: readonly string[]
}

/** Why a module cannot be collected completely. */
export type Refusal =
  | { readonly kind: "outside"; readonly target: string }
  | { readonly kind: "unusable"; readonly reason: string }

/** Every file counts as an ES module, whatever its package.json says. */
export const FORMATS: ReadonlyMap<string, string> = new Map([
  [".ts", "module-typescript"],
  [".mts", "module-typescript"],
  [".js", "module"],
  [".mjs", "module"],
  [".json", "json"],
])

const MOST_FILES = 2_000
const MOST_BYTES = 16_000_000
const MOST_FILE_BYTES = 4_000_000
/** Each import is looked up on disk, even in a known file. */
const MOST_IMPORTS = 40_000

export function moduleFiles(entry: NamedFile): ModuleFiles | Refusal {
  const files = new Map<string, ModuleFile>()
  const imports = new Map<string, ReadonlyMap<string, string>>()
  const packages = new Set<string>()
  let bytes = 0
  let count = 0
  const take = (path: string, text: string, of: Package | undefined) => {
    const label = of === undefined ? undefined : labelOf(of)
    if (label !== undefined) packages.add(label)
    files.set(path, { text, package: label })
    bytes += Buffer.byteLength(text)
  }
  const open = [entry]
  for (const file of open) {
    const { path, folder, package: of, via } = file
    if (!isInside(path, folder)) return { kind: "outside", target: path }
    // A package.json affects what runs.
    for (const { manifest, text } of [of, via].filter((one) => one !== undefined))
      if (!files.has(manifest)) take(manifest, text, of)
    if (imports.has(path)) continue
    const read = readRegular(path, MOST_FILE_BYTES)
    if (read.kind !== "read") return { kind: "unusable", reason: `${path} is ${read.why}` }
    const text = read.bytes.toString("utf8")
    if (!files.has(path)) take(path, text, of)
    if (files.size > MOST_FILES || bytes > MOST_BYTES) return { kind: "unusable", reason: TOO_MUCH }
    const specifiers = extname(path) === ".json" ? [] : specifiersIn(text)
    count += specifiers.length
    if (count > MOST_IMPORTS) return { kind: "unusable", reason: TOO_MUCH }
    const found = importsOf(specifiers, file)
    imports.set(path, new Map(found.map(([specifier, target]) => [specifier, target.path])))
    const stray = found.find(([, target]) => !isInside(target.path, target.folder))
    if (stray !== undefined) return { kind: "outside", target: stray[0] }
    for (const [, target] of found) open.push(target)
  }
  return { files, imports, packages: [...packages].toSorted() }
}

const TOO_MUCH = `it imports more than ${MOST_FILES} files, ${MOST_BYTES} bytes or ${MOST_IMPORTS} imports`

function labelOf({ name, version, manifest }: Package): string {
  return `${name || manifest} ${version}`.trimEnd()
}

/**
 * Also matches text that only looks like an import, in a comment or a string: then more is digested than runs, never
 * less.
 */
const IMPORT = /\b(?:from|import)\s*(?:\(\s*)?(["'`])([^"'`\n]+)\1/g
/** Types are stripped before anything runs. */
const TYPES_ONLY = /\b(?:import|export)\s+type\s+(?!from\b)[^"'`;]{0,2000}?\bfrom\s*(["'`])[^"'`\n]+\1/g

function specifiersIn(text: string): readonly string[] {
  const all = text.replaceAll(TYPES_ONLY, "").matchAll(IMPORT)
  return [...new Set([...all].map(([, , specifier = ""]) => specifier))]
}

function importsOf(
  specifiers: readonly string[],
  from: NamedFile,
): readonly (readonly [string, NamedFile])[] {
  return specifiers.flatMap((specifier) => {
    const target = namedFile(specifier, from)
    return target !== undefined && FORMATS.has(extname(target.path)) ? [[specifier, target] as const] : []
  })
}
