// incipit.yaml as it is now: trust follows from it, so a change counts from the next request on.
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { IncipitError } from "../../base/error.ts"
import { stampAt } from "../../files/identity.ts"
import { loadConfig } from "../../sources/config/config.ts"
import type { Config } from "../../sources/config/config-schema.ts"

/**
 * Reads the file again when it changes. While it has errors, the last version without one counts. `warn` hears of errors,
 * and of changes to `serve:`, which count after a restart: they may need approval.
 */
export function currentConfig(workspace: string, warn: (line: string) => void = () => {}): () => Config {
  const path = join(workspace, "incipit.yaml")
  let stamp = stampAt(path)
  let { config } = loadConfig(path, "incipit.yaml")
  return () => {
    const now = stampAt(path)
    if (now === stamp) return config
    stamp = now
    try {
      const { serve } = config
      config = loadConfig(path, "incipit.yaml").config
      if (!isDeepStrictEqual(config.serve, serve)) warn(RESTART)
    } catch (error) {
      if (!(error instanceof IncipitError)) throw error
      warn(`${error.message}. The last version without an error counts until then.`)
    }
    return config
  }
}

const RESTART = "`serve` in incipit.yaml has changed. Restart `incipit serve` to use it."
