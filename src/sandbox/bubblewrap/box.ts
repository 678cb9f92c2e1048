// A box: what the commands of one scope share, which is their /tmp. A process that runs nothing holds a mount namespace
// with a file system of limited size; each command starts from there, in namespaces of its own.
import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
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
  /**
   * The host's command line that starts bubblewrap in the box, with the filter of system calls and these arguments. What
   * is to run comes behind it.
   */
  enter(args: readonly string[]): Entrance
  /** Whether it still runs. */
  isOpen(): boolean
  /** Ends everything that runs in it, and removes what was written. */
  close(): Promise<void>
}

export interface Entrance {
  readonly argv: readonly string[]
  /** To be called when it has started or ended. */
  release(): void
}

/** The descriptors of the filter and of the arguments. */
const [FILTER, ARGUMENTS] = ["9", "8"]

/**
 * Closes what this process has inherited from its own parent, opens the filter, joins the control groups and runs the
 * rest. Shells other than bash know descriptors of one digit only.
 */
const START = [
  'cd /proc/self/fd && for f in *; do case $f in [012]) ;; ?) eval "exec $f>&-";;',
  '*) [ -z "$BASH_VERSION" ] || eval "exec $f>&-";; esac; done; cd /',
  `exec ${FILTER}<"$1" ${ARGUMENTS}<"$2"; shift 2`,
  'while [ "$1" != -- ]; do echo $$ > "$1" || exit 125; shift; done; shift; exec "$@"',
].join("\n")

export async function openBox(programs: SandboxPrograms, limits: SandboxLimits): Promise<Box> {
  const folder = requireRealPath(mkdtempSync(join(tmpdir(), "incipit-sandbox-")))
  const tmp = join(folder, "tmp")
  mkdirSync(tmp)
  const child = spawn(programs.bwrap, holderArguments(programs.sh, tmp, limits), {
    // `cat` ends when our end of its input is closed, also if this process is killed.
    stdio: ["pipe", "pipe", "pipe", "pipe"],
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
  release(child)
  const group = makeControlGroup(limits)
  const filter = systemCallFilter()
  const filterFile = join(folder, "filter")
  writeFileSync(filterFile, filter ?? "")
  return {
    ...{ folder, tmp, group },
    enter(args) {
      const file = argumentsFile(folder, args)
      return {
        argv: [
          ...[...programs.outerShell, "-c", START, "start", filterFile, file, ...(group?.files ?? []), "--"],
          ...[programs.nsenter, "--target", `${pid}`, "--user", "--preserve-credentials", "--mount", "--"],
          ...[programs.bwrap, ...(filter === undefined ? [] : ["--seccomp", FILTER])],
          ...["--args", ARGUMENTS, "--"],
        ],
        release: () => rmSync(file, { force: true }),
      }
    },
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

/** Not on the command line, which every user of the machine can read: they hold the variables of commands. */
function argumentsFile(folder: string, args: readonly string[]): string {
  if (args.some((arg) => arg.includes("\0")))
    throw new IncipitError("sandbox-missing", "a path or variable of the sandbox has a NUL character")
  const file = join(folder, `arguments-${randomBytes(8).toString("hex")}`)
  writeFileSync(file, args.map((arg) => `${arg}\0`).join(""), { mode: 0o600 })
  return file
}

/** A box must not keep a program from exiting, which ends it. */
function release(child: ChildProcess): void {
  child.unref()
  for (const stream of [child.stdout, child.stderr, child.stdio[3]])
    if (stream instanceof Readable) stream.destroy()
  if (child.stdin instanceof Socket) child.stdin.unref()
}

/** Everything of the host as it is, but for the one folder: the commands' own bubblewrap chooses from it. */
function holderArguments(sh: string, tmp: string, { tmpBytes }: SandboxLimits): readonly string[] {
  return [
    ...["--unshare-user", "--die-with-parent", "--dev-bind", "/", "/"],
    ...[
      "--perms",
      "0700",
      "--size",
      `${tmpBytes}`,
      "--tmpfs",
      tmp,
      "--info-fd",
      "3",
      "--",
      sh,
      "-c",
      "echo ready; exec cat",
    ],
  ]
}

/** Bubblewrap tells the id of the process early. What it runs says when everything is in place. */
async function innerPid(child: ChildProcess): Promise<number> {
  const ended = startError(child)
  const [told, ready] = await Promise.race([
    Promise.all([firstText(child.stdio[3]), firstText(child.stdout)]),
    ended.then(() => ["", ""] as const),
  ])
  const [, pid] = /"child-pid": (\d+)/.exec(told) ?? []
  if (pid === undefined || ready === "")
    throw new IncipitError("sandbox-missing", `bubblewrap cannot make a sandbox here: ${await ended}`)
  return Number(pid)
}

/** What comes first; both write little enough to write it at once. Never resolves if nothing comes. */
function firstText(stream: ChildProcess["stdio"][number] | undefined): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  if (stream instanceof Readable) stream.setEncoding("utf8").once("data", resolve)
  return promise
}

/** Resolves when it has ended, with what it said. */
function startError(child: ChildProcess): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let text = ""
  child.stderr?.setEncoding("utf8").on("data", (more: string) => {
    text = `${text}${more}`.slice(0, 500)
  })
  child.once("error", (error) => resolve(error.message))
  child.once("close", () => resolve(text.trim().replaceAll(/\s+/g, " ") || "it ended"))
  return promise
}
