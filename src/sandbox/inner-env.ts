// The environment of a command inside: what any program needs, and the variables that the configuration names.
import { delimiter } from "node:path"
import { isInside } from "../files/inside.ts"
import { existingPathOf } from "../files/real-path.ts"

export interface InnerEnvOptions {
  /** The agent's environment. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Names that the configuration gives to commands. */
  readonly named: readonly string[]
  /** What commands see; other folders on PATH are left out. */
  readonly shown: readonly string[]
  /** The port of the relay to the proxy, if that is the only way out. */
  readonly proxyPort: number | undefined
}

/** Where git finds its settings inside, instead of the home folder. */
export const INNER_GIT_CONFIG = "/run/incipit/gitconfig"

const KEPT = /^(?:LANG|LANGUAGE|LC_\w+|TZ|TERM|COLORTERM|NO_COLOR|CI|USER|LOGNAME)$/
const USUAL_PATH = ["/usr/local/bin", "/usr/bin", "/bin"]

export function innerEnv({
  env,
  named,
  shown,
  proxyPort,
}: InnerEnvOptions): Readonly<Record<string, string>> {
  const given = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (KEPT.test(entry[0]) || named.includes(entry[0])),
  )
  return {
    PATH: innerPath(env.PATH, shown),
    // Private, and gone with the box.
    HOME: "/tmp",
    SHELL: "/bin/sh",
    GIT_CONFIG_GLOBAL: INNER_GIT_CONFIG,
    ...(proxyPort !== undefined && proxyVariables(proxyPort)),
    ...Object.fromEntries(given),
  }
}

function innerPath(path: string | undefined, shown: readonly string[]): string {
  const folders = (path ?? "").split(delimiter).filter((folder) => {
    const real = existingPathOf(folder)
    return folder.startsWith("/") && real !== undefined && shown.some((one) => isInside(real, one))
  })
  return [...new Set([...folders, ...USUAL_PATH])].join(delimiter)
}

function proxyVariables(port: number): Readonly<Record<string, string>> {
  const proxy = `http://127.0.0.1:${port}`
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"]
  return {
    ...Object.fromEntries(names.map((name) => [name, proxy])),
    // Node asks for a proxy only if told to.
    NODE_USE_ENV_PROXY: "1",
  }
}
