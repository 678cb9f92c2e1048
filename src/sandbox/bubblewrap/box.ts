// A box: what the commands of one scope share, which is their /tmp. A process that runs nothing holds a mount namespace
// with a file system of limited size; each command starts from there, in namespaces of its own.
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { IncipitError } from "../../base/error.ts"
import { requireRealPath } from "../../files/real-path.ts"
import type { SandboxLimits } from "../settings.ts"
import { type ControlGroup, makeControlGroup } from "./control-group.ts"
import type { SandboxPrograms } from "./programs.ts"
import { systemCallFilter } from "./system-call-filter.ts"

export interface Box {
  /** On the host, only for its user: the proxy's socket and other files of the box. */
  readonly folder: string
  /** What is /tmp inside. Only in the box's own mount namespace. */
  readonly tmp: string
  /** Undefined where groups cannot be made. */
  readonly group: ControlGroup | undefined
  /** The host's command line that starts bubblewrap in the box, with the filter of system calls. */
  readonly enter: readonly string[]
  /** Whether it still runs. */
  isOpen(): boolean
  /** Ends everything that runs in it, and removes what was written. */
  close(): Promise<void>
}

/** The descriptor of the filter. */
const FILTER = "9"

/**
 * Closes what this process has inherited from its own parent, opens the filter, joins the control groups and runs the
 * rest. Shells other than bash know descriptors of one digit only.
 */
const START = [
  'cd /proc/self/fd && for f in *; do case $f in [012]) ;; ?) eval "exec $f>&-";;',
  '*) [ -z "$BASH_VERSION" ] || eval "exec $f>&-";; esac; done; cd /',
  `exec ${FILTER}<"$1"; shift`,
  'while [ "$1" != -- ]; do echo $$ > "$1" || exit 125; shift; done; shift; exec "$@"',
].join("\n")

export async function openBox(programs: SandboxPrograms, limits: SandboxLimits): Promise<Box> {
  const folder = requireRealPath(mkdtempSync(join(tmpdir(), "incipit-sandbox-")))
  const tmp = join(folder, "tmp")
  mkdirSync(tmp)
  const child = spawn(programs.bwrap, holderArguments(tmp, limits), {
    // `cat` ends when our end of its input is closed, also if this process is killed.
    stdio: ["pipe", "ignore", "pipe", "pipe"],
    env: {},
    cwd: "/",
  })
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve())
    child.once("error", () => resolve())
  })
  let pid: number
  try {
    pid = await innerPid(child)
  } catch (error) {
    child.kill("SIGKILL")
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  child.unref()
  const group = makeControlGroup(limits)
  const filter = systemCallFilter()
  const filterFile = join(folder, "filter")
  writeFileSync(filterFile, filter ?? "")
  return {
    ...{ folder, tmp, group },
    enter: [
      ...[programs.shell, "-c", START, "start", filterFile, ...(group?.files ?? []), "--"],
      ...[programs.nsenter, "--target", `${pid}`, "--user", "--preserve-credentials", "--mount", "--"],
      ...[programs.bwrap, ...(filter === undefined ? [] : ["--seccomp", FILTER])],
    ],
    isOpen: () => child.exitCode === null && child.signalCode === null,
    async close() {
      // Nothing else may keep the program waiting for its end.
      child.ref()
      child.kill("SIGKILL")
      child.stdin?.destroy()
      await exited
      await group?.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Everything of the host as it is, but for the one folder: the commands' own bubblewrap chooses from it. */
function holderArguments(tmp: string, { tmpBytes }: SandboxLimits): readonly string[] {
  return [
    ...["--unshare-user", "--die-with-parent", "--dev-bind", "/", "/"],
    ...["--perms", "0700", "--size", `${tmpBytes}`, "--tmpfs", tmp, "--info-fd", "3", "--", "cat"],
  ]
}

/** Bubblewrap tells the id of the process that it has started once its namespaces exist. */
async function innerPid(child: ChildProcess): Promise<number> {
  const [told, why] = await Promise.all([textOf(child.stdio[3]), startError(child)])
  const [, pid] = /"child-pid": (\d+)/.exec(told) ?? []
  if (pid === undefined)
    throw new IncipitError("sandbox-missing", `bubblewrap cannot make a sandbox here: ${why || "it ended"}`)
  return Number(pid)
}

/** Until the other side closes it, or for its error output, until it has started. */
function textOf(stream: ChildProcess["stdio"][number] | undefined): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let text = ""
  if (stream === null || stream === undefined || !("setEncoding" in stream)) return Promise.resolve(text)
  stream.setEncoding("utf8")
  stream.on("data", (more: string) => {
    text += more
    if (text.includes("}")) resolve(text)
  })
  stream.once("close", () => resolve(text))
  stream.once("error", () => resolve(text))
  return promise
}

function startError(child: ChildProcess): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let text = ""
  child.stderr?.setEncoding("utf8").on("data", (more: string) => {
    text = `${text}${more}`.slice(0, 500)
  })
  child.once("error", (error) => resolve(error.message))
  child.once("exit", () => setImmediate(() => resolve(text.trim().replaceAll(/\s+/g, " "))))
  child.stdio[3]?.once("data", () => resolve(""))
  return promise
}
