// Finds the modules that `hooks:` names, and imports those whose digest is approved.
import type { Diagnostic } from "../base/diagnostic.ts"
import type { Digest } from "../base/digest.ts"
import { outcomeWithin, realTimer, type Timer } from "./call.ts"
import { type CodeModule, type FoundModule, findModule, notLoaded } from "./code-module.ts"
import type { NamedHooks } from "./hooks.ts"
import { importModule } from "./import-module.ts"
import { hooksOf } from "./module-hooks.ts"

export interface LoadedHooks extends NamedHooks {
  readonly module: CodeModule
}

export interface LoadOptions {
  /** The workspace. */
  readonly root: string
  readonly approved: (digest: Digest, module: CodeModule) => boolean
  /** How long an import may take. */
  readonly limitMs?: number
  readonly timer?: Timer
}

export interface HooksFound {
  readonly modules: readonly CodeModule[]
  /** The same, with their files. */
  readonly found: readonly FoundModule[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface HooksLoaded {
  /** In the order in which they run. */
  readonly hooks: readonly LoadedHooks[]
  /** Not approved, or changed since the approval. */
  readonly waiting: readonly CodeModule[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Inspects the modules without running any of them. */
export function findHooks(names: readonly string[], root: string): HooksFound {
  const { found, diagnostics } = findAll(names, root)
  return { modules: found.map(({ module }) => module), found, diagnostics }
}

/** Imports the approved modules. Reports those that cannot be used, and loads the rest. */
export async function loadHooks(names: readonly string[], options: LoadOptions): Promise<HooksLoaded> {
  const { found, diagnostics: missing } = findAll(names, options.root)
  const diagnostics = [...missing]
  const hooks: LoadedHooks[] = []
  const waiting: CodeModule[] = []
  for (const one of found) {
    const { module } = one
    if (!options.approved(module.digest, module)) {
      waiting.push(module)
      continue
    }
    const loaded = await importHooks(one, options)
    diagnostics.push(...loaded.diagnostics)
    if (loaded.hooks === undefined) continue
    const name = [loaded.hooks.name, module.name].find((free) => hooks.every((other) => other.name !== free))
    hooks.push({ ...loaded.hooks, name: name ?? module.given, module })
  }
  return { hooks, waiting, diagnostics }
}

const DEFAULT_LIMIT_MS = 10_000

async function importHooks(
  found: FoundModule,
  { limitMs = DEFAULT_LIMIT_MS, timer = realTimer }: LoadOptions,
) {
  const { given, name } = found.module
  const outcome = await outcomeWithin(() => importModule(found), { limitMs, timer })
  if (outcome.kind === "answered") return hooksOf(outcome.value, { path: given, name })
  const reason = outcome.kind === "failed" ? outcome.error : "stopped"
  return { hooks: undefined, diagnostics: [notLoaded(given, reason)] }
}

function findAll(names: readonly string[], root: string) {
  const found: FoundModule[] = []
  const diagnostics: Diagnostic[] = []
  for (const given of names) {
    const one = findModule(given, root)
    if ("code" in one) diagnostics.push(one)
    else if (found.some(({ module }) => module.path === one.module.path))
      diagnostics.push({ code: "hook-named-twice", path: given, needs: "full" })
    else {
      const isTaken = found.some(({ module }) => module.name === one.module.name)
      found.push(isTaken ? { ...one, module: { ...one.module, name: given } } : one)
    }
  }
  return { found, diagnostics }
}
