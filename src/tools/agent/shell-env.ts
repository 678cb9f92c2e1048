// The environment of a command: the agent's, without what looks like a secret. If a command needs a secret, the user
// has to provide it.
import { isSecretVariable } from "../../record/redact/secret-name.ts"

type Environment = Readonly<Record<string, string | undefined>>

export function withoutSecrets(env: Environment): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !isSecretVariable(entry[0], entry[1]),
  )
  return Object.fromEntries(kept)
}
