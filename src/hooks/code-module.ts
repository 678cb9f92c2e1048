// A code module named in a configuration: where it is, everything that would run with it, and the digest that an
// approval is bound to. Finds all of this by reading; runs nothing.
import { statSync } from "node:fs"
import { basename, extname, isAbsolute, join, resolve } from "node:path"
import type { Diagnostic } from "../base/diagnostic.ts"
import { type Digest, digestOf } from "../base/digest.ts"
import { firstLine } from "../base/first-line.ts"
import { byCodePoint } from "../base/order.ts"
import { errorCode } from "../base/system-error.ts"
import { folderIdentity, folderKey } from "../files/identity.ts"
import { isInside, shownFrom } from "../files/inside.ts"
import { requireRealPath } from "../files/real-path.ts"
import { FORMATS, type ModuleFiles, moduleFiles } from "./module-files.ts"
import { type NamedFile, namedFile, packageName } from "./module-names.ts"

/** A module named in the configuration. None of it has run. */
export interface CodeModule {
  /** The name of its file or package. */
  readonly name: string
  /** As written in the configuration. */
  readonly given: string
  /** The file to import. */
  readonly path: string
  /** Covers the folder that names it, and all its files with their paths. */
  readonly digest: Digest
  /** The file itself, everything it imports, and each package.json that affects resolution. */
  readonly files: readonly CodeFile[]
}

export interface CodeFile {
  /** Relative to the workspace; absolute for a file elsewhere. */
  readonly path: string
  readonly bytes: number
  /** Its package in node_modules, with the version. */
  readonly package?: string
}

export interface FoundModule extends ModuleFiles {
  readonly module: CodeModule
}

/** Inspects a module without running any of it. A path is relative to the root and must stay inside it. */
export function findModule(given: string, root: string): FoundModule | Diagnostic {
  try {
    const real = requireRealPath(root)
    const isNamedByPath = /^\.{1,2}[/\\]/.test(given) || isAbsolute(given)
    const place = isNamedByPath ? inWorkspace(given, real) : inPackage(given, real)
    if ("code" in place) return place
    if (!statSync(place.path).isFile()) return { code: "not-a-regular-file", path: given, needs: "full" }
    if (!FORMATS.get(extname(place.path))?.startsWith("module"))
      return notLoaded(given, "a module's name must end in .ts, .mts, .js or .mjs")
    const all = moduleFiles(place)
    if ("kind" in all)
      return all.kind === "outside"
        ? { code: "hook-imports-outside", path: given, target: all.target, needs: "full" }
        : notLoaded(given, all.reason)
    const name = isNamedByPath ? basename(given, extname(given)) : given
    return { ...all, module: describe({ name, given, entry: place.path, root: real }, all) }
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    if (code === "ENOENT" || code === "ENOTDIR") return { code: "hook-missing", path: given, needs: "full" }
    return notLoaded(given, firstLine(error))
  }
}

function inWorkspace(given: string, root: string): NamedFile | Diagnostic {
  const path = requireRealPath(resolve(root, given))
  if (!isInside(path, root)) return { code: "outside-roots", path: given, target: path, needs: "full" }
  return { path, folder: root }
}

/** Resolved like an `import` in the workspace. */
function inPackage(given: string, root: string): NamedFile | Diagnostic {
  if (packageName(given) === undefined) return notLoaded(given, "it is neither a path nor a package name")
  const found = namedFile(given, { path: join(root, "incipit.mjs"), folder: root })
  return found ?? { code: "hook-missing", path: given, needs: "full" }
}

interface Described {
  readonly name: string
  readonly given: string
  readonly entry: string
  readonly root: string
}

/** The digest includes the folder; otherwise an approval would hold for any copy, whatever is around it. */
function describe({ name, given, entry, root }: Described, { files: all }: ModuleFiles): CodeModule {
  const shown = (path: string) => shownFrom(path, root)
  const files = [...all].map(([path, file]) => ({ ...file, path: shown(path) }))
  files.sort((a, b) => byCodePoint(a.path, b.path))
  const identity = folderIdentity(root)
  const texts = files.flatMap((file) => [file.path, file.text])
  return {
    ...{ name, given, path: entry },
    digest: digestOf(["module", identity ? folderKey(identity) : "", shown(entry), ...texts]),
    files: files.map((file) => ({
      path: file.path,
      bytes: Buffer.byteLength(file.text),
      ...(file.package !== undefined && { package: file.package }),
    })),
  }
}

export function notLoaded(path: string, reason: string): Diagnostic {
  return { code: "hook-not-loaded", path, reason, needs: "full" }
}
