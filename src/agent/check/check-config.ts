// The checks of `incipit check` on incipit.yaml as a whole: every user, situation and room, not only the prompt's
// audience, and what only a running agent would look for. Reads file names and opens no file.
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Diagnostic } from "../../base/diagnostic.ts"
import { IncipitError } from "../../base/error.ts"
import { NO_CACHE } from "../../render/cache/cache-rules.ts"
import type { Config } from "../../sources/config/config-schema.ts"
import { type AudienceQuery, resolveAudience } from "../../sources/config/policy.ts"
import type { Workspace } from "../../sources/workspace.ts"
import { providerFor } from "../models/providers.ts"
import { ruleOf } from "../models/terms.ts"

export function checkConfig(workspace: Workspace): readonly Diagnostic[] {
  const { config, root } = workspace
  return [
    ...audiences(config),
    ...missingOverlays(config, root),
    ...missingFiles(workspace),
    ...modelProblems(config),
    ...fallbackProblems(config),
  ]
}

/** Asks the resolver itself about each name. */
function audiences(config: Config): readonly Diagnostic[] {
  const senders: readonly AudienceQuery[] = [
    ...Object.keys(config.users ?? {}).map((as) => ({ as })),
    ...Object.keys(config.situations ?? {}).map((situation) => ({ situation })),
    ...Object.keys(config.rooms ?? {}).map((channel) => ({ channel })),
  ]
  return senders.flatMap((sender) => resolveAudience(config, sender, "incipit.yaml").diagnostics)
}

function missingOverlays({ situations = {} }: Config, root: string): readonly Diagnostic[] {
  return Object.entries(situations).flatMap(([situation, { prompt_overlay: path }]): Diagnostic[] =>
    path === undefined || existsSync(join(root, path)) ? [] : [{ code: "overlay-missing", path, situation }],
  )
}

/** A message is a sentence; a single word with a file's extension was meant as a file. */
const FILE_NAME = /^\S+\.(?:md|txt)$/

function missingFiles({ config, root, folder }: Workspace): readonly Diagnostic[] {
  // The schedule belongs to the workspace's main agent, not to further ones.
  const { prompt, schedule } = config
  const scheduled = folder === root ? (schedule ?? []) : []
  const isMissing = (path: string) => !existsSync(join(folder, path))
  const listed = prompt?.files?.filter(({ per_user, path }) => per_user !== true && isMissing(path)) ?? []
  const run = scheduled.map((entry) => entry.run).filter((text) => FILE_NAME.test(text) && isMissing(text))
  return [
    ...listed.map(({ path }): Diagnostic => ({ code: "prompt-file-missing", path, needs: "full" })),
    ...run.map((path): Diagnostic => ({ code: "schedule-file-missing", path, needs: "full" })),
  ]
}

function fallbackProblems(config: Config): readonly Diagnostic[] {
  const { model, fallback_model: second } = config
  if (second === undefined) return []
  if (second === model) return [{ code: "same-fallback", model: second, needs: "full" }]
  return providerProblem(second, config, "fallback_model: ")
}

/** `key`: its setting, if that is not `model`. */
function providerProblem(model: string, config: Config, key = ""): readonly Diagnostic[] {
  try {
    providerFor(model, config)
    return []
  } catch (error) {
    if (!(error instanceof IncipitError)) throw error
    return [{ code: "unknown-provider", problem: `${key}${error.message}`, needs: "full" }]
  }
}

function modelProblems(config: Config): readonly Diagnostic[] {
  const { model } = config
  if (model === undefined || /^offline(?:\/|$)/.test(model)) return []
  const unknown = providerProblem(model, config)
  if (unknown.length > 0) return unknown
  // A custom provider has no cache marks, whatever the model.
  const isCustom = Object.hasOwn(config.providers ?? {}, model.split("/")[0] ?? "")
  const isUnknown = !isCustom && ruleOf(model, config) === NO_CACHE
  return isUnknown ? [{ code: "no-cache-rule", model, needs: "full" }] : []
}
