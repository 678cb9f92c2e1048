// Who commits: the user's name and address from git's settings of the machine, and nothing else of them. They may name
// programs and hold passwords.
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { errorCode } from "../base/system-error.ts"

const LIMIT_MS = 5_000

/** Git's settings for commands, as the text of a file. Empty if the user has no name. */
export async function gitIdentity(
  git: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  if (git === undefined) return ""
  const { HOME, XDG_CONFIG_HOME } = env
  const names = ["name", "email"]
  const values = await Promise.all(
    names.map((name) => globalSetting(git, `user.${name}`, { HOME, XDG_CONFIG_HOME })),
  )
  const lines = values.flatMap((value, at) =>
    value === undefined ? [] : [`\t${names[at]} = ${quoted(value)}`],
  )
  return lines.length === 0 ? "" : `[user]\n${lines.join("\n")}\n`
}

/** Outside of any repository: what an opened folder says about its user does not count. */
async function globalSetting(git: string, key: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  try {
    const options = { cwd: "/", env, timeout: LIMIT_MS }
    const { stdout } = await promisify(execFile)(git, ["config", "--global", "--get", key], options)
    return stdout.trimEnd() || undefined
  } catch (error) {
    // Not set is exit code 1; a git that does not answer sets nothing either.
    if (errorCode(error) === undefined && !(error instanceof Error && "code" in error)) throw error
    return undefined
  }
}

function quoted(value: string): string {
  return `"${value.replaceAll(/[\\"]/g, "\\$&").replaceAll(/[\n\r]/g, " ")}"`
}
