// incipit.yaml as it is now: trust follows from it, so a change counts from the next request on.
import { join } from "node:path"
import { IncipitError } from "../../base/error.ts"
import { stampAt } from "../../files/identity.ts"
import { loadConfig } from "../../sources/config/config.ts"
import type { Config } from "../../sources/config/config-schema.ts"

/** Reads the file again when it changes. While it has errors, the last version without one counts. */
export function currentConfig(workspace: string): () => Config {
  const path = join(workspace, "incipit.yaml")
  let stamp = stampAt(path)
  let { config } = loadConfig(path, "incipit.yaml")
  return () => {
    const now = stampAt(path)
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
