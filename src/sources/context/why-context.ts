// Explains why a file of project context is not in the prompt: it waits for a file to be touched, another file is read
// instead, or it belongs to a folder elsewhere. Takes the real path of one file, gathers again, and keeps nothing.
import { join } from "node:path"
import type { Unread } from "../../core/read/explain.ts"
import { isInside } from "../../files/inside.ts"
import { realPath } from "../../files/real-path.ts"
import { probe } from "../read/imports.ts"
import {
  type Context,
  type ContextOptions,
  contextFolderOf,
  contextFor,
  gatherContext,
  ruleAt,
} from "./context.ts"

export function whyContext(path: string, options: ContextOptions): Unread | undefined {
  const directory = realPath(options.directory)
  const rule = ruleAt(path, options)
  const isAbove = (folder: string) =>
    options.top !== undefined && folder !== options.top && isInside(options.top, folder)
  if (rule !== undefined) {
    const { folder, globs } = rule
    if (isAbove(folder)) return { kind: "above" }
    if (globs.length > 0) return { kind: "held-rule", globs, folder }
    return isInside(directory, folder) ? undefined : inOtherFolder(folder, directory)
  }
  const folder = contextFolderOf(path)
  const identity = probe(path)?.identity
  if (folder === undefined || identity === undefined) return undefined
  if (isAbove(folder)) return { kind: "above" }
  if (isInside(directory, folder)) return leftOut(gatherContext(options), identity)
  if (!isInside(folder, directory)) return { kind: "elsewhere", folder }
  return leftOut(contextFor(join(folder, "any"), options), identity) ?? { kind: "nested", folder }
}

function inOtherFolder(folder: string, directory: string): Unread {
  return isInside(folder, directory) ? { kind: "nested", folder } : { kind: "elsewhere", folder }
}

function leftOut(context: Context, identity: string): Unread | undefined {
  const found = context.leftOut.find((one) => one.identity === identity)
  if (found === undefined) return undefined
  const { by, isLost, isChoice } = found
  if (!isLost) return { kind: "repeats", by }
  return { kind: isChoice ? "shadowed" : "other-branch", by }
}
