// The memory stores of a workspace, and the trust that each requires.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import type { Diagnostic } from "../../base/diagnostic.ts"
import { byCodePoint } from "../../base/order.ts"
import { errorCode } from "../../base/system-error.ts"
import { isTrust, type Trust } from "../../base/trust.ts"
import { existingPathOf } from "../../files/real-path.ts"
import type { Gathered, Workspace } from "../workspace.ts"
import { DEFAULT_STORES } from "./defaults.ts"

/**
 * Known stores, configured stores, and every other folder found. The configuration does not cover the latter, so they
 * require full trust.
 */
export function memoryStores({
  config,
  folder,
  documents,
}: Pick<Workspace, "config" | "folder" | "documents">): Gathered<ReadonlyMap<string, Trust>> {
  const diagnostics: Diagnostic[] = []
  const names = new Set([
    ...Object.keys(DEFAULT_STORES),
    ...Object.keys(config.memory?.stores ?? {}),
    ...foldersIn(join(folder, "memory")),
    ...(documents === undefined ? [] : foldersIn(join(documents, "memory"))),
  ])
  const value = new Map(
    [...names].sort(byCodePoint).map((name): readonly [string, Trust] => {
      const configured = config.memory?.stores?.[name]
      if (configured === undefined)
        return [name, Object.hasOwn(DEFAULT_STORES, name) ? (DEFAULT_STORES[name] ?? "full") : "full"]
      if (isTrust(configured)) return [name, configured]
      diagnostics.push({
        code: "unknown-trust",
        path: "incipit.yaml",
        value: configured,
        used: "full",
        needs: "full",
      })
      return [name, "full"]
    }),
  )
  return { value, diagnostics }
}

function foldersIn(folder: string): readonly string[] {
  // Memory does not follow links.
  if (existingPathOf(folder) !== folder) return []
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}
