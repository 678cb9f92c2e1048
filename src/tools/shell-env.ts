// The environment of a command: that of the agent, without what looks like a secret. A command that needs one has to be
// given it by its user.

type Environment = Readonly<Record<string, string | undefined>>

/** Parts of names that hold keys, tokens and passwords, wherever they stand. */
const SECRET = /key|token|secret|passw|passphrase|passcode|credential|private|cookie/i
/** Short ones count only as whole words; PWD itself is the working directory. */
const SECRET_WORD = /(?:^|_)(?:pass|auth|pat|jwt|dsn)(?:_|$)|_pwd$/i
const HARMLESS: ReadonlySet<string> = new Set(["SSH_AUTH_SOCK"])
/** A user and a password in an address. */
const SECRET_VALUE = /\/\/[^/\s:@]*:[^/\s@]+@/

export function withoutSecrets(env: Environment): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !isSecret(entry[0], entry[1]),
  )
  return Object.fromEntries(kept)
}

function isSecret(name: string, value: string): boolean {
  if (HARMLESS.has(name)) return false
  return SECRET.test(name) || SECRET_WORD.test(name) || SECRET_VALUE.test(value)
}
