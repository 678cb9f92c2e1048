// incipit.yaml as it is now: trust follows from it, so a change counts from the next request on.
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import type { PeopleLimit } from "../../approval/approved-people.ts"
import { IncipitError } from "../../base/error.ts"
import { stampAt } from "../../files/identity.ts"
import { loadConfig } from "../../sources/config/config.ts"
import type { Config } from "../../sources/config/config-schema.ts"

/**
 * Reads the file again when it changes. While it has errors, the last version without one counts. `warn` hears of errors,
 * and of changes that need approval: those to `serve:` count after a restart, and with `people` nobody gets more trust
 * before they are approved.
 */
export function currentConfig(
  workspace: string,
  warn: (line: string) => void = () => {},
  people?: PeopleLimit,
): () => Config {
  const path = join(workspace, "incipit.yaml")
  const stampNow = () => `${stampAt(path)} ${people?.stamp()}`
  const limited = (read: Config) => people?.limit(read) ?? read
  let stamp = stampNow()
  let read = loadConfig(path, "incipit.yaml").config
  let config = limited(read)
  return () => {
    const now = stampNow()
    if (now === stamp) return config
    stamp = now
    try {
      const { serve } = read
      read = loadConfig(path, "incipit.yaml").config
      config = limited(read)
      if (!isDeepStrictEqual(read.serve, serve)) warn(RESTART)
      if (config !== read) warn(APPROVE)
    } catch (error) {
      if (!(error instanceof IncipitError)) throw error
      warn(`${error.message}. The last version without an error counts until then.`)
    }
    return config
  }
}

const RESTART = "`serve` in incipit.yaml has changed. Restart `incipit serve` to use it."
const APPROVE =
  "`users`, `rooms` or `situations` in incipit.yaml have changed. Less trust counts now; for more trust, run `incipit hooks approve serve`."
