// The stores of memory that a workspace has, and what trust each needs.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import type { Diagnostic } from "../../base/diagnostic.ts"
import { byCodePoint } from "../../base/order.ts"
import { errorCode } from "../../base/system-error.ts"
import { isTrust, type Trust } from "../../base/trust.ts"
import { existingPathOf } from "../../files/real-path.ts"
import type { Gathered, Workspace } from "../workspace.ts"

const STORES: Readonly<Record<string, Trust>> = { private: "full", shared: "inner", social: "familiar" }

/** Known stores, configured ones, and any folder that is there: that one nobody vouched for, so it is the owner's. */
export function memoryStores({
  config,
  folder,
}: Pick<Workspace, "config" | "folder">): Gathered<ReadonlyMap<string, Trust>> {
  const diagnostics: Diagnostic[] = []
  const names = new Set([
    ...Object.keys(STORES),
    ...Object.keys(config.memory?.stores ?? {}),
    ...foldersIn(join(folder, "memory")),
  ])
  const value = new Map(
    [...names].sort(byCodePoint).map((name): readonly [string, Trust] => {
      const configured = config.memory?.stores?.[name]
      if (configured === undefined)
        return [name, Object.hasOwn(STORES, name) ? (STORES[name] ?? "full") : "full"]
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
  // Behind a link there is no memory.
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
