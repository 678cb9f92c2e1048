// A configuration whose users, rooms and situations were changed and not approved yet: it carries the approved one, and
// whoever asks it for trust gets the lower of the two.
import type { Config } from "./config-schema.ts"

/** A symbol, so that no file can set it; copies made with a spread keep it. */
const APPROVED = Symbol("approved")

interface Limited extends Config {
  readonly [APPROVED]?: Config
}

/** The same configuration, in which nobody has more trust than in the approved one. */
export function limitedTo(config: Config, approved: Config): Config {
  const limited: Limited = { ...config, [APPROVED]: approved }
  return limited
}

/** What it is limited to, if it is. */
export function limitOf(config: Limited): Config | undefined {
  return config[APPROVED]
}
