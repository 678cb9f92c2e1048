// incipit.yaml as it is now: trust follows from it, so a change counts from the next request on.
import { statSync } from "node:fs"
import { join } from "node:path"
import { IncipitError } from "../../base/error.ts"
import { loadConfig } from "../../sources/config/config.ts"
import type { Config } from "../../sources/config/config-schema.ts"

/** Reads the file again when it changes. While it has errors, the last version without one counts. */
export function currentConfig(workspace: string): () => Config {
  const path = join(workspace, "incipit.yaml")
  let stamp = stampOf(path)
  let { config } = loadConfig(path, "incipit.yaml")
  return () => {
    const now = stampOf(path)
    if (now === stamp) return config
    stamp = now
    try {
      config = loadConfig(path, "incipit.yaml").config
    } catch (error) {
      // The agent reports it with the next message.
      if (!(error instanceof IncipitError)) throw error
    }
    return config
  }
}

function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? "" : [found.ino, found.size, found.mtimeMs].join(" ")
}
