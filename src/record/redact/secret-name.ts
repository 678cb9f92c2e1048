// Decides whether a variable holds a secret, by its name and its value. The only place for this: which variables a
// command does not get, and which values are redacted, follow from the same answer.

/** Parts of names that hold keys, tokens and passwords, at any position. */
const SECRET = /key|token|secret|passw|passphrase|passcode|credential|private|cookie/i
/** Short parts count only as whole words; PWD itself is the working directory. */
const SECRET_WORD = /(?:^|_)(?:pass|auth|pat|jwt|dsn)(?:_|$)|_pwd$/i
const HARMLESS: ReadonlySet<string> = new Set(["SSH_AUTH_SOCK"])
/** A user and a password in a URL. */
const SECRET_VALUE = /\/\/[^/\s:@]*:[^/\s@]+@/

export function isSecretVariable(name: string, value: string): boolean {
  if (HARMLESS.has(name)) return false
  return isSecretName(name) || SECRET_VALUE.test(value)
}

export function isSecretName(name: string): boolean {
  return SECRET.test(name) || SECRET_WORD.test(name.replaceAll("-", "_"))
}
