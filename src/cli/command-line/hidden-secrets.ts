// On Linux the environment that a process was started with can be read by every process of the same user, in
// /proc/<pid>/environ, for as long as it runs; to delete a variable changes nothing there. So a program that is about to
// run commands for an agent starts itself again, in the same process, with an environment that has no secrets, and gets
// those through a pipe. This hides our own copy only: the shell that we were started from may have another, and a
// debugger may read memory. Only a sandbox hides those.
import { accessSync, closeSync, constants, readFileSync } from "node:fs"
import { errorCode } from "../../base/system-error.ts"
import { withoutSecrets } from "../../tools/agent/shell-env.ts"

const HANDED = "INCIPIT_HANDED"
const DESCRIPTOR = "9"
const SHELL = "/bin/sh"
/** A shell keeps so much in a pipe, and may put more into a file. */
const MOST_BYTES = 32_768

/** The value is expanded once, and not read as code. */
export const SCRIPT = `exec ${DESCRIPTOR}<<END
$${HANDED}
END
${HANDED}=${DESCRIPTOR} exec "$@"`

/** Does not return if there was something to hide. */
export function hideSecrets({ platform, env, execPath, execArgv, argv, execve }: NodeJS.Process): void {
  if (platform !== "linux" || execve === undefined || !mayRun(SHELL) || !mayRun(execPath)) return
  const open = withoutSecrets(env)
  const secrets = Object.entries(env).filter(([name]) => !Object.hasOwn(open, name))
  const handed = JSON.stringify(Object.fromEntries(secrets))
  if (secrets.length === 0 || Buffer.byteLength(handed) > MOST_BYTES) return
  const program = [execPath, ...execArgv, ...argv.slice(1)]
  execve(SHELL, ["sh", "-c", SCRIPT, "sh", ...program], { ...open, [HANDED]: handed })
}

/** What was handed over is in the environment again, where only this process sees it. Says whether anything was. */
export function takeSecrets({ env }: NodeJS.Process): boolean {
  if (env[HANDED] !== DESCRIPTOR) return false
  delete env[HANDED]
  const descriptor = Number(DESCRIPTOR)
  const handed: unknown = JSON.parse(readFileSync(descriptor, "utf8"))
  closeSync(descriptor)
  Object.assign(env, handed)
  return true
}

/** A failed start could not be undone. */
function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
}
