// Imports a module that is approved. Code that runs is the text that was digested: it is handed to Node from memory, and
// each import leads where it led when it was digested. A file that was not digested cannot be loaded along with it.

import { existsSync } from "node:fs"
import { isBuiltin, type ResolveFnOutput, type ResolveHookContext, registerHooks } from "node:module"
import { extname } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { FoundModule } from "./code-module.ts"
import { FORMATS } from "./module-files.ts"
import { addressOf, isIncipit, isPath } from "./module-names.ts"

/** What the module exports. Runs its code: whoever calls this has asked whether its digest is approved. */
export async function importModule({
  module,
  files,
  imports,
}: FoundModule): Promise<Readonly<Record<string, unknown>>> {
  const urlOf = (path: string) => markedUrl(path, module.digest)
  for (const [path, { text }] of files) {
    const targets = [...(imports.get(path) ?? [])].map(
      ([specifier, target]) => [specifier, urlOf(target)] as const,
    )
    CODE.set(urlOf(path), { text, path, imports: new Map(targets) })
    PATHS.add(pathToFileURL(path).href)
  }
  serve()
  // A data: address is imported by Node itself, whatever bundler or test runner has taken over `import`.
  const source = `export * as module from ${JSON.stringify(urlOf(module.path))}`
  const wrapper: { readonly module: Readonly<Record<string, unknown>> } = await import(
    `data:text/javascript,${encodeURIComponent(source)}`
  )
  return wrapper.module
}

interface Code {
  readonly text: string
  readonly path: string
  /** By what an import says. */
  readonly imports: ReadonlyMap<string, string>
}

/** What Node may import as a part of approved modules, by address. Lives as long as Node's own table of modules. */
const CODE = new Map<string, Code>()
/** Addresses of the same files without the mark: what `require` takes for its parent. */
const PATHS = new Set<string>()
/** Addresses that approved code asked for, of files that were not digested with it. */
const REFUSED = new Set<string>()

/** Marks the address of a module whose text is kept here; the digest in it makes a changed one another module. */
const MARK = "incipit-hooks"

function markedUrl(path: string, digest: string): string {
  return `${pathToFileURL(path).href}?${MARK}=${digest}`
}

/** Of Node's own modules: through these, files are run as code past the hooks below. */
const LOADERS = /^(?:node:)?(?:module|worker_threads|cluster)$/

let isServing = false

function serve(): void {
  if (isServing) return
  isServing = true
  registerHooks({
    resolve(specifier, context, next) {
      if (CODE.has(specifier)) return found(specifier)
      const code = CODE.get(context.parentURL ?? "")
      if (code !== undefined) return importedBy(code, specifier, context, next)
      if (isRequire(context) && PATHS.has(context.parentURL ?? "") && !isBuiltin(specifier))
        throw refusal(specifier)
      return next(specifier, context)
    },
    load(url, context, next) {
      const code = CODE.get(url)
      if (code !== undefined) return { source: code.text, format: formatOf(url), shortCircuit: true }
      if (REFUSED.has(url)) throw refusal(fileURLToPath(url))
      return next(url, context)
    },
  })
}

type Next = (specifier: string, context?: Partial<ResolveHookContext>) => ResolveFnOutput

function importedBy(code: Code, specifier: string, context: ResolveHookContext, next: Next): ResolveFnOutput {
  const known = code.imports.get(specifier)
  if (known !== undefined) return found(known)
  // Ours, wherever the module is: a package of that name in the workspace is not asked.
  if (isIncipit(specifier)) return next(specifier, { ...context, parentURL: import.meta.url })
  if (LOADERS.test(specifier))
    throw new Error(
      `${specifier} can load code that was not approved, so that approved code may not import it`,
    )
  if (isBuiltin(specifier)) return next(specifier, context)
  const url = isPath(specifier) ? addressOf(specifier, code.path) : undefined
  if (url?.protocol !== "file:") throw refusal(specifier)
  const path = fileURLToPath(url)
  const marked = markedUrl(path, new URL(context.parentURL ?? "").searchParams.get(MARK) ?? "")
  if (CODE.has(marked)) return found(marked)
  if (!existsSync(path)) throw new Error(`Cannot find module '${path}' imported from ${code.path}`)
  // Other files may be asked for their place, to be read as data; only to load them as code is refused.
  REFUSED.add(marked)
  return found(marked)
}

function found(url: string): ResolveFnOutput {
  return { url, format: formatOf(url), shortCircuit: true }
}

function isRequire({ conditions }: ResolveHookContext): boolean {
  return conditions?.includes("require") === true
}

function refusal(what: string): Error {
  return new Error(`${what} is not among the files that were approved`)
}

function formatOf(url: string): string {
  return FORMATS.get(extname(new URL(url).pathname)) ?? "module"
}
