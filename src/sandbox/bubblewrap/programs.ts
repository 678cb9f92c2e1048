// The programs that a sandbox by bubblewrap needs, as absolute paths outside of the agent's folders.
import { existsSync } from "node:fs"
import { findProgram } from "../../files/program.ts"

export interface SandboxPrograms {
  readonly bwrap: string
  /** These three come with util-linux. */
  readonly nsenter: string
  readonly prlimit: string
  readonly sh: string
  /** The shell that runs commands. */
  readonly shell: string
  /** The same with its flags outside: with a socket as its input, bash would read ~/.bashrc. */
  readonly outerShell: readonly string[]
  /** Only allow-lists need it, and bash. */
  readonly socat: string | undefined
  readonly git: string | undefined
}

/** Not the agent's PATH: these run outside, before anything is enforced. */
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

/** Returns what is missing, as one line, if something is. */
export function findSandboxPrograms(notIn: string): SandboxPrograms | { readonly missing: string } {
  if (process.platform !== "linux") return { missing: "bubblewrap only works on Linux" }
  const find = (name: string) => findProgram(name, { path: PATH, notIn })
  const [bwrap, nsenter, prlimit, sh, bash] = ["bwrap", "nsenter", "prlimit", "sh", "bash"].map(find)
  if (bwrap === undefined)
    return { missing: "bubblewrap is not installed (on Debian and Ubuntu: apt-get install bubblewrap)" }
  if (nsenter === undefined || prlimit === undefined || sh === undefined || !existsSync("/proc/self/ns"))
    return { missing: "nsenter and prlimit of util-linux are not installed" }
  const socat = bash === undefined ? undefined : find("socat")
  const outerShell = bash === undefined ? [sh] : [bash, "--norc"]
  return { bwrap, nsenter, prlimit, sh, shell: bash ?? sh, outerShell, socat, git: find("git") }
}
