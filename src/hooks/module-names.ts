// Resolves an import to a file: a path, a package in node_modules, the folder's own package, or a name from its
// `imports`. Only reads package.json files, so that looking for a module runs and trusts nothing in the workspace.
import { statSync } from "node:fs"
import { isBuiltin } from "node:module"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { readRegular } from "../files/read-regular.ts"
import { existingPathOf } from "../files/real-path.ts"
import { exportedPath, importedName } from "./package-map.ts"

/** A file, and the folder from which it may import by path: the workspace, or its package. */
export interface NamedFile {
  readonly path: string
  readonly folder: string
  /** Its package in node_modules. */
  readonly package?: Package
  /** The package.json that led to it, if it is a different one. */
  readonly via?: Package
  /** The conditions for resolving exports. Default: those of `import`. */
  readonly conditions?: readonly string[]
}

export interface Package {
  readonly name: string
  readonly version: string
  /** A real path, like the folder. */
  readonly manifest: string
  readonly text: string
}

/** Incipit itself, which is never resolved in the workspace. */
export function isIncipit(specifier: string): boolean {
  return /^incipit(?:\/|$)/.test(specifier)
}

export function isPath(specifier: string): boolean {
  return /^(?:\.{1,2}(?:\/|\\|$)|\/|file:)/.test(specifier)
}

/** The package name at the start of a specifier. */
export function packageName(specifier: string): string | undefined {
  return PACKAGE.exec(specifier)?.[0]
}

const PACKAGE = /^(?:@[\w.-]+\/)?[\w][\w.-]*(?=\/|$)/

/** Undefined for built-ins (Node's modules, Incipit) and for what is not found: then the import itself fails. */
export function namedFile(specifier: string, from: NamedFile): NamedFile | undefined {
  if (isBuiltin(specifier) || isIncipit(specifier)) return undefined
  if (isPath(specifier)) return atPath(specifier, from)
  if (specifier.startsWith("#")) return behindHash(specifier, from)
  return inOwnPackage(specifier, from) ?? inPackages(specifier, from)
}

/** The URL of a path in an import. */
export function addressOf(specifier: string, from: string): URL | undefined {
  const base = pathToFileURL(from).href
  return URL.canParse(specifier, base) ? new URL(specifier, base) : undefined
}

function atPath(specifier: string, { path: from, folder, package: of }: NamedFile): NamedFile | undefined {
  const url = addressOf(specifier, from)
  const path = url?.protocol === "file:" ? regularFile(fileURLToPath(url)) : undefined
  return path === undefined ? undefined : { path, folder, ...(of && { package: of }) }
}

function behindHash(specifier: string, from: NamedFile): NamedFile | undefined {
  const scope = scopeOf(from.path)
  const name =
    scope === undefined ? undefined : importedName(scope.fields.imports, specifier, from.conditions)
  if (scope === undefined || name === undefined || name.startsWith("#")) return undefined
  return name.startsWith("./") ? inScope(scope, name, from) : namedFile(name, from)
}

function inOwnPackage(specifier: string, from: NamedFile): NamedFile | undefined {
  const name = packageName(specifier)
  const scope = scopeOf(from.path)
  if (name === undefined || scope?.fields.name !== name || scope.fields.exports === undefined)
    return undefined
  const target = exportedPath(scope.fields.exports, `.${specifier.slice(name.length)}`, from.conditions)
  return target === undefined ? undefined : inScope(scope, target, from)
}

function inScope({ folder, manifest }: Scope, target: string, from: NamedFile): NamedFile | undefined {
  const path = regularFile(join(folder, target))
  if (path === undefined) return undefined
  return { path, folder: from.folder, via: manifest, ...(from.package && { package: from.package }) }
}

/** In the nearest `node_modules` that has it, as Node does. */
function inPackages(specifier: string, from: NamedFile): NamedFile | undefined {
  const name = packageName(specifier)
  if (name === undefined) return undefined
  for (let at = dirname(from.path); ; at = dirname(at)) {
    const found = realFolder(join(at, "node_modules", name))
    if (found !== undefined) return inPackage(found, specifier.slice(name.length), from.conditions)
    if (at === dirname(at)) return undefined
  }
}

function inPackage(folder: string, rest: string, conditions: NamedFile["conditions"]): NamedFile | undefined {
  const scope = scopeIn(folder)
  if (scope === undefined) return undefined
  const { exports, main } = scope.fields
  const targets =
    exports !== undefined && exports !== null
      ? [exportedPath(exports, `.${rest}`, conditions)]
      : rest === ""
        ? [typeof main === "string" ? main : undefined, "index.js"]
        : [`.${rest}`]
  for (const target of targets) {
    const path = target === undefined ? undefined : regularFile(resolve(folder, target))
    if (path !== undefined) return { path, folder, package: scope.manifest }
  }
  return undefined
}

interface Scope {
  readonly folder: string
  readonly fields: Readonly<Record<string, unknown>>
  readonly manifest: Package
}

/** A file's package: the nearest folder above with a package.json. */
function scopeOf(file: string): Scope | undefined {
  for (let at = dirname(file); ; at = dirname(at)) {
    const scope = scopeIn(at)
    if (scope !== undefined) return scope
    if (at === dirname(at) || at.endsWith("node_modules")) return undefined
  }
}

/** Longer than any package.json. */
const MOST_BYTES = 1_000_000

function scopeIn(folder: string): Scope | undefined {
  const manifest = join(folder, "package.json")
  if (regularFile(manifest) === undefined) return undefined
  const read = readRegular(manifest, MOST_BYTES)
  if (read.kind !== "read") return undefined
  const text = read.bytes.toString("utf8")
  const fields = fieldsOf(text)
  if (fields === undefined) return undefined
  const { name, version } = fields
  const named = {
    name: typeof name === "string" ? name : "",
    version: typeof version === "string" ? version : "",
  }
  return { folder, fields, manifest: { ...named, manifest, text } }
}

function fieldsOf(text: string): Scope["fields"] | undefined {
  try {
    const fields: unknown = JSON.parse(text)
    return typeof fields === "object" && fields !== null ? { ...fields } : undefined
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

function regularFile(path: string): string | undefined {
  const real = existingPathOf(path)
  return real !== undefined && statSync(real, { throwIfNoEntry: false })?.isFile() ? real : undefined
}

function realFolder(path: string): string | undefined {
  const real = existingPathOf(path)
  return real !== undefined && statSync(real, { throwIfNoEntry: false })?.isDirectory() ? real : undefined
}
