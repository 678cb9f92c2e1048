// Hides secrets from other processes. On Linux, every process of the same user can read the initial environment of a
// process in /proc/<pid>/environ for as long as it runs, even after a variable is deleted. So a program that will run
// commands for an agent executes itself again, in the same process, with an environment without secrets, and receives
// them through a pipe.
// This hides only our own copy: the parent shell may have another, and a debugger can read memory. Only a sandbox hides
// those.
import { accessSync, closeSync, constants, readFileSync } from "node:fs"
import { errorCode } from "../../base/system-error.ts"
import { withoutSecrets } from "../../tools/agent/shell-env.ts"

const SECRETS_VARIABLE = "INCIPIT_HANDED"
const DESCRIPTOR = "9"
const SHELL = "/bin/sh"
/** A shell keeps this much in a pipe, and may put more into a file. */
const MAX_BYTES = 32_768

/** The value is expanded once and not evaluated as code. */
export const SCRIPT = `exec ${DESCRIPTOR}<<END
$${SECRETS_VARIABLE}
END
${SECRETS_VARIABLE}=${DESCRIPTOR} exec "$@"`

/** Does not return if there was something to hide. */
export function hideSecrets({ platform, env, execPath, execArgv, argv, execve }: NodeJS.Process): void {
  if (platform !== "linux" || execve === undefined || !mayRun(SHELL) || !mayRun(execPath)) return
  const open = withoutSecrets(env)
  const secrets = Object.entries(env).filter(([name]) => !Object.hasOwn(open, name))
  const handed = JSON.stringify(Object.fromEntries(secrets))
  if (secrets.length === 0 || Buffer.byteLength(handed) > MAX_BYTES) return
  const program = [execPath, ...execArgv, ...argv.slice(1)]
  execve(SHELL, ["sh", "-c", SCRIPT, "sh", ...program], { ...open, [SECRETS_VARIABLE]: handed })
}

/** Puts the secrets back into the environment, where only this process sees them. Returns whether there were any. */
export function takeSecrets({ env }: NodeJS.Process): boolean {
  if (env[SECRETS_VARIABLE] !== DESCRIPTOR) return false
  delete env[SECRETS_VARIABLE]
  const descriptor = Number(DESCRIPTOR)
  const handed: unknown = JSON.parse(readFileSync(descriptor, "utf8"))
  closeSync(descriptor)
  Object.assign(env, handed)
  return true
}

/** Checked first, because a failed `execve` cannot be undone. */
function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
}
