// The environment of a command: that of the agent, without what looks like a secret. A command that needs one has to be
// given it by its user.
import { isSecretVariable } from "../../record/redact/secret-name.ts"

type Environment = Readonly<Record<string, string | undefined>>

export function withoutSecrets(env: Environment): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !isSecretVariable(entry[0], entry[1]),
  )
  return Object.fromEntries(kept)
}
