// Imports an approved module. The code that runs is the text that was digested: Node gets it from memory, and each
// import resolves as it did when it was digested. A file that was not digested cannot be loaded with it.
import { existsSync } from "node:fs"
import { isBuiltin, type ResolveFnOutput, type ResolveHookContext, registerHooks } from "node:module"
import { extname } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import type { FoundModule } from "./code-module.ts"
import { FORMATS } from "./module-files.ts"
import { addressOf, isIncipit, isPath } from "./module-names.ts"

/** What the module exports. Runs its code: the caller has checked that its digest is approved. */
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
  // Node itself imports a data: URL, even if a bundler or test runner has replaced `import`.
  const source = `export * as module from ${JSON.stringify(urlOf(module.path))}`
  const wrapper: { readonly module: Readonly<Record<string, unknown>> } = await import(
    `data:text/javascript,${encodeURIComponent(source)}`
  )
  return wrapper.module
}

interface Code {
  readonly text: string
  readonly path: string
  /** By specifier. */
  readonly imports: ReadonlyMap<string, string>
}

/** What Node may import as a part of approved modules, by URL. Lives as long as Node's module table. */
const CODE = new Map<string, Code>()
/** URLs of the same files without the mark: `require` uses them as its parent. */
const PATHS = new Set<string>()
/** URLs that approved code requested, of files that were not digested with it. */
const REFUSED = new Set<string>()

/** Marks the URL of a module whose text is kept here. It includes the digest, so that a changed module is a new one. */
const MARK = "incipit-hooks"

function markedUrl(path: string, digest: string): string {
  return `${pathToFileURL(path).href}?${MARK}=${digest}`
}

/** Node modules that can run files as code without the hooks below. */
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
  // Always resolves to ours: a package of that name in the workspace is ignored.
  if (isIncipit(specifier)) return next(specifier, { ...context, parentURL: import.meta.url })
  if (LOADERS.test(specifier))
    throw new Error(`${specifier} can load code that was not approved, so approved code cannot import it`)
  if (isBuiltin(specifier)) return next(specifier, context)
  const url = isPath(specifier) ? addressOf(specifier, code.path) : undefined
  if (url?.protocol !== "file:") throw refusal(specifier)
  const path = fileURLToPath(url)
  const marked = markedUrl(path, new URL(context.parentURL ?? "").searchParams.get(MARK) ?? "")
  if (CODE.has(marked)) return found(marked)
  if (!existsSync(path)) throw new Error(`Cannot find module '${path}' imported from ${code.path}`)
  // Other files may be resolved, to be read as data; only loading them as code is refused.
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
