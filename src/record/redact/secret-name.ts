// Decides whether a variable holds a secret, by its name and by what its value looks like. The one place for it: what
// a command is not given and what is taken out of texts follow from the same answer.

/** Parts of names that hold keys, tokens and passwords, wherever they stand. */
const SECRET = /key|token|secret|passw|passphrase|passcode|credential|private|cookie/i
/** Short ones count only as whole words; PWD itself is the working directory. */
const SECRET_WORD = /(?:^|_)(?:pass|auth|pat|jwt|dsn)(?:_|$)|_pwd$/i
const HARMLESS: ReadonlySet<string> = new Set(["SSH_AUTH_SOCK"])
/** A user and a password in an address. */
const SECRET_VALUE = /\/\/[^/\s:@]*:[^/\s@]+@/

export function isSecretVariable(name: string, value: string): boolean {
  if (HARMLESS.has(name)) return false
  return isSecretName(name) || SECRET_VALUE.test(value)
}

export function isSecretName(name: string): boolean {
  return SECRET.test(name) || SECRET_WORD.test(name.replaceAll("-", "_"))
}
