// Runs git on a repository without its configuration, which can name programs in more ways than we could list: git runs
// in an empty repository of ours and reads only objects, index and files from theirs.
import { execFile } from "node:child_process"
import { statSync } from "node:fs"
import { devNull } from "node:os"
import { dirname, join } from "node:path"
import process from "node:process"
import { promisify } from "node:util"
import { parseDuration } from "../../base/duration.ts"
import { errorCode } from "../../base/system-error.ts"
import { packageFile } from "../../files/package-file.ts"
import { endsWithUs } from "./ends-with-us.ts"
import type { Repository } from "./repository.ts"

/** A prompt must not wait for a slow disk, unless `INCIPIT_GIT_LIMIT` says so. */
const LIMIT = "1s"
/** Enough for the names of tens of thousands of files; more are not counted. */
const MOST_BYTES = 1024 * 1024

export function configuredLimit(): number | undefined {
  return parseDuration(process.env.INCIPIT_GIT_LIMIT || LIMIT)
}

export const NO_LIMIT = "INCIPIT_GIT_LIMIT is not a length of time such as 5s"

/** Empty repositories that ship with Incipit, by hash algorithm. */
const EMPTY = packageFile("empty-repository")

export interface GitRun {
  readonly repository: Repository
  readonly limitMs: number
  readonly mostBytes?: number
}

/** What git prints. Throws what `execFile` throws. */
export async function git(
  program: string,
  args: readonly string[],
  { repository, limitMs, mostBytes = MOST_BYTES }: GitRun,
): Promise<string> {
  const { root, gitDir, commonDir, head } = repository
  const empty = join(EMPTY, head?.length === 64 ? "sha256" : "sha1")
  const shallow = join(commonDir, "shallow")
  const env = {
    ...QUIET,
    PATH: dirname(program),
    // Not even the user's own configuration: it may define filters, and a repository's attributes choose among them.
    ...{ HOME: empty, XDG_CONFIG_HOME: empty, GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: "1" },
    ...{ GIT_DIR: empty, GIT_COMMON_DIR: empty, GIT_WORK_TREE: root },
    ...{ GIT_OBJECT_DIRECTORY: join(commonDir, "objects"), GIT_INDEX_FILE: join(gitDir, "index") },
    ...(isFile(shallow) && { GIT_SHALLOW_FILE: shallow }),
  }
  // Not `timeout`: if it fires after git has ended but before its output was read, the output is lost without an error.
  const signal = AbortSignal.timeout(limitMs)
  const limits = { signal, killSignal: "SIGKILL", maxBuffer: mostBytes } as const
  const options = { cwd: root, env, encoding: "utf8", ...limits } as const
  const running = run(program, ["--no-pager", ...READS, ...HERE, ...args], options)
  endsWithUs(running.child)
  const { stdout } = await running
  return stdout
}

const run = promisify(execFile)

/** Set explicitly, because a later git may do more by default. */
const QUIET = {
  ...{ LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_ATTR_NOSYSTEM: "1", GIT_NO_REPLACE_OBJECTS: "1" },
  ...{ GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "" },
}

/** `diff` would write the times of unchanged files to the index, even without optional locks. */
const READS = ["--no-optional-locks", "-c", "diff.autoRefreshIndex=false"]

/** What `git init` detects about a disk and stores in the configuration; here, the usual value for each system. */
const HERE =
  process.platform === "win32"
    ? ["-c", "core.fileMode=false", "-c", "core.symlinks=false", "-c", "core.ignoreCase=true"]
    : process.platform === "darwin"
      ? ["-c", "core.ignoreCase=true", "-c", "core.precomposeUnicode=true"]
      : []

export function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
}
