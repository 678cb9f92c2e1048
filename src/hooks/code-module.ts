// A module of code that a configuration names, and its import once it is approved. Code that runs is the text that was
// digested: it is handed to Node from memory, and a file that was not digested can not be imported along with it.

import { realpathSync, statSync } from "node:fs"
import { findPackageJSON, registerHooks } from "node:module"
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { Diagnostic } from "../core/diagnostic.ts"
import { type Digest, digestOf } from "../core/digest.ts"
import { byCodePoint } from "../core/order.ts"
import { errorCode } from "../core/system-error.ts"
import { isInside } from "../files/inside.ts"
import { MAX_DATA_BYTES, MAX_TEXT_BYTES, readBounded } from "../files/read-bounded.ts"
import { firstLine } from "./call.ts"

/** A module that is named in the configuration. Nothing of it has run. */
export interface CodeModule {
  /** The name of its file or package. */
  readonly name: string
  /** As it is written in the configuration. */
  readonly given: string
  /** The file that is imported. */
  readonly path: string
  /** Of all its files, with their places. */
  readonly digest: Digest
  /** The file itself, and all that it imports by a relative path; a package also has its package.json. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[]
}

export interface FoundModule {
  readonly module: CodeModule
  /** By real path. */
  readonly texts: ReadonlyMap<string, string>
}

/** Looks at a module without running anything of it. A path starts at the root, and stays in it. */
export async function findModule(given: string, root: string): Promise<FoundModule | Diagnostic> {
  try {
    const real = realpathSync(root)
    const isPath = /^\.{1,2}[/\\]/.test(given) || isAbsolute(given)
    const place = isPath ? inWorkspace(given, real) : await inPackage(given, real)
    if ("code" in place) return place
    if (!statSync(place.entry).isFile()) return { code: "not-a-regular-file", path: given, needs: "full" }
    const texts = gather(place, given)
    return "code" in texts ? texts : { module: describe(given, place, texts), texts }
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ERR_MODULE_NOT_FOUND")
      return { code: "hook-missing", path: given, needs: "full" }
    return notLoaded(given, firstLine(error))
  }
}

/** What the module exports. Runs its code: whoever calls this has asked whether its digest is approved. */
export async function importModule({
  module,
  texts,
}: FoundModule): Promise<Readonly<Record<string, unknown>>> {
  const urlOf = (path: string) => markedUrl(path, module.digest)
  for (const [path, text] of texts) TEXTS.set(urlOf(path), text)
  return importText(urlOf(module.path))
}

/** Where a module is: `root` is the folder that its own files may come from. */
interface Place {
  readonly name: string
  readonly entry: string
  readonly root: string
  /** The package.json of a package. */
  readonly manifest?: string
}

function inWorkspace(given: string, root: string): Place | Diagnostic {
  const entry = realpathSync(resolve(root, given))
  if (!isInside(entry, root)) return { code: "outside-roots", path: given, target: entry, needs: "full" }
  return { name: basename(given, extname(given)), entry, root }
}

/** As an `import` in the workspace would find it. */
async function inPackage(given: string, root: string): Promise<Place | Diagnostic> {
  const [name] = PACKAGE.exec(given) ?? []
  if (name === undefined) return notLoaded(given, "it is neither a path nor the name of a package")
  searches += 1
  const asker = join(root, "incipit.mjs")
  const url = markedUrl(asker, `search-${searches}`)
  TEXTS.set(url, `export const url = import.meta.resolve(${JSON.stringify(given)})`)
  const { url: found } = await importText(url).finally(() => TEXTS.delete(url))
  const manifest = findPackageJSON(name, pathToFileURL(asker))
  if (typeof found !== "string" || !found.startsWith("file:") || manifest === undefined)
    return notLoaded(given, "it is no package")
  const folder = realpathSync(dirname(manifest))
  const entry = realpathSync(fileURLToPath(found))
  return { name: given, entry, root: folder, manifest: join(folder, "package.json") }
}

/** The name of a package, with or without a path in it behind. */
const PACKAGE = /^(?:@[\w.-]+\/)?[\w][\w.-]*(?=\/|$)/

/** Each search is a module of its own, because Node remembers what a module found. */
let searches = 0

/** The text of the module and of all files that it imports by relative paths, and they in turn. */
function gather({ entry, root, manifest }: Place, given: string): FoundModule["texts"] | Diagnostic {
  if (!FORMATS.get(extname(entry))?.startsWith("module"))
    return notLoaded(given, "a module ends in .ts, .mts, .js or .mjs")
  const texts = new Map<string, string>()
  if (manifest !== undefined) texts.set(manifest, readBounded(manifest, MAX_TEXT_BYTES))
  const open = [entry]
  for (const path of open) {
    if (texts.has(path)) continue
    const text = readBounded(path, MAX_DATA_BYTES)
    texts.set(path, text)
    if (extname(path) === ".json") continue
    for (const [, , specifier = ""] of text.matchAll(RELATIVE_IMPORT)) {
      const target = importedFile(specifier, path)
      if (target === undefined) continue
      if (!isInside(target, root))
        return { code: "hook-imports-outside", path: given, target: specifier, needs: "full" }
      open.push(target)
    }
  }
  return texts
}

/** Also finds what only looks like an import, in a comment or a text: then more is digested than runs, never less. */
const RELATIVE_IMPORT = /\b(?:from|import)\s*\(?\s*(["'`])(\.{1,2}\/[^"'`\n]+)\1/g

/** Nothing if there is no such file: then the import will say so, if it is one. */
function importedFile(specifier: string, from: string): string | undefined {
  try {
    const path = realpathSync(fileURLToPath(new URL(specifier, pathToFileURL(from))))
    return FORMATS.has(extname(path)) && statSync(path).isFile() ? path : undefined
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return undefined
  }
}

function describe(given: string, { name, entry, root }: Place, texts: FoundModule["texts"]): CodeModule {
  const shown = (path: string) => relative(root, path).split(sep).join("/")
  const files = [...texts].map(([path, text]) => [shown(path), text] as const)
  files.sort(([a], [b]) => byCodePoint(a, b))
  return {
    name,
    given,
    path: entry,
    digest: digestOf([shown(entry), ...files.flat()]),
    files: files.map(([path, text]) => ({ path, bytes: Buffer.byteLength(text) })),
  }
}

/** Marks the address of a module whose text is kept here; the digest in it makes a changed one another module. */
const MARK = "incipit-hooks"

function markedUrl(path: string, digest: string): string {
  return `${pathToFileURL(path).href}?${MARK}=${digest}`
}

/** What Node may import as a part of approved modules, by address. Lives as long as Node's own table of modules. */
const TEXTS = new Map<string, string>()

/** Every file counts as an ES module: what a folder's package.json says is not asked. */
const FORMATS: ReadonlyMap<string, string> = new Map([
  [".ts", "module-typescript"],
  [".mts", "module-typescript"],
  [".js", "module"],
  [".mjs", "module"],
  [".json", "json"],
])

async function importText(url: string): Promise<Readonly<Record<string, unknown>>> {
  serveTexts()
  // A data: address is imported by Node itself, whatever bundler or test runner has taken over `import`.
  const source = `export * as module from ${JSON.stringify(url)}`
  const wrapper: { readonly module: Readonly<Record<string, unknown>> } = await import(
    `data:text/javascript,${encodeURIComponent(source)}`
  )
  return wrapper.module
}

/** Addresses that approved code asked for, of files that were not digested with it. */
const REFUSED = new Set<string>()
let isServing = false

function serveTexts(): void {
  if (isServing) return
  isServing = true
  registerHooks({
    resolve(specifier, context, next) {
      if (TEXTS.has(specifier)) return { url: specifier, format: formatOf(specifier), shortCircuit: true }
      const found = next(specifier, context)
      const { parentURL = "" } = context
      if (!TEXTS.has(parentURL) || !/^(?:\.{0,2}\/|file:|#)/.test(specifier)) return found
      const url = new URL(found.url)
      url.search = new URL(parentURL).search
      // Other files may be asked for their place, to be read as data; only to load them as code is refused.
      if (!TEXTS.has(url.href)) REFUSED.add(url.href)
      return { ...found, url: url.href, format: formatOf(url.href), shortCircuit: true }
    },
    load(url, context, next) {
      const source = TEXTS.get(url)
      if (source !== undefined) return { source, format: formatOf(url), shortCircuit: true }
      if (!REFUSED.has(url)) return next(url, context)
      throw new Error(`${fileURLToPath(url)} is not among the files that were approved`)
    },
  })
}

function formatOf(url: string): string {
  return FORMATS.get(extname(new URL(url).pathname)) ?? "module"
}

export function notLoaded(path: string, reason: string): Diagnostic {
  return { code: "hook-not-loaded", path, reason, needs: "full" }
}
