// Proves what a sandbox protects from beside the lines of the prompt, each by an attempt that fails. An attempt that
// succeeded would change nothing either.

import { INCIPIT_FOLDER } from "../../files/paths.ts"
import type { Sandbox } from "../sandbox-state.ts"
import { answer, quoted } from "./answer.ts"
import type { Proof } from "./proofs.ts"

interface Attempt {
  readonly fact: string
  /** Prints what it reaches, and nothing if it reaches nothing. */
  readonly command: string
}

const PRIVATE = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".kube",
  ".docker",
  ".netrc",
  ".config",
  ".bash_history",
  INCIPIT_FOLDER,
]
const GIVEN =
  "PATH|HOME|SHELL|PWD|OLDPWD|SHLVL|_|LANG|LANGUAGE|LC_[A-Z]*|TZ|TERM|COLORTERM|NO_COLOR|CI|USER|LOGNAME"
const SET_BY_US = "GIT_CONFIG_GLOBAL|NODE_USE_ENV_PROXY|[Hh][Tt][Tt][Pp][Ss]?_[A-Za-z]*"

/** None for a container: what is in its image is not ours to judge. */
export async function protections(sandbox: Sandbox, home: string | undefined): Promise<readonly Proof[]> {
  if (sandbox.facts.backend !== "bubblewrap") return []
  const proofs: Proof[] = []
  for (const { fact, command } of attempts(sandbox, home)) {
    const reached = (await answer(sandbox, `{ ${command}; } 2>/dev/null`)).split("\n").slice(0, 3).join(", ")
    const found = reached === "" ? HELD : `reached: ${reached}`
    proofs.push({ fact, said: HELD, found, how: command })
  }
  return [...proofs, ...(await limits(sandbox))]
}

const HELD = "out of reach"

function attempts({ settings }: Sandbox, home: string | undefined): readonly Attempt[] {
  const names = [GIVEN, SET_BY_US, ...settings.env].join("|")
  return [
    { fact: "home folder", command: `cd '${quoted(home ?? "/root")}' && ls -d ${PRIVATE.join(" ")}` },
    { fact: "keys of the machine", command: "ls /etc/shadow /etc/ssh /etc/ssl/private /etc/gshadow" },
    { fact: "sockets of the machine", command: "ls -d /run/user /run/dbus /run/docker.sock /run/containerd" },
    {
      fact: "environment of the agent",
      command: `cat /proc/[0-9]*/environ | tr '\\0' '\\n' | cut -d= -f1 | grep -vxE '${names}'`,
    },
    { fact: "settings of the kernel", command: "find /proc/sys /proc/irq -writable -type f | head -1" },
    { fact: "mounts", command: "mount -t tmpfs none /tmp && echo mounted && umount /tmp" },
    { fact: "further namespaces", command: "unshare --user true && echo made" },
    { fact: "programs of the machine", command: "find /usr /etc -writable ! -type l | head -1" },
    { fact: "processes of the machine", command: `ls -d /proc/${process.pid}` },
  ]
}

/** More are not started to try a limit. */
const MOST_STARTED = 5_000

async function limits(sandbox: Sandbox): Promise<readonly Proof[]> {
  const { memoryBytes, fileBytes, processes, tmpBytes } = sandbox.settings.limits
  const shown = await answer(sandbox, "cat /proc/self/limits")
  const line = (name: string) => new RegExp(`^${name} +(\\d+)`, "m").exec(shown)?.[1] ?? "none"
  const size = Number(await answer(sandbox, "df --output=size --block-size=1 /tmp | tail -1"))
  // File systems are made of whole pages.
  const tmp = Math.abs(size - tmpBytes) < 65_536 ? tmpBytes : size
  const how = "read the limit of a process"
  return [
    { fact: "memory of a process", said: `${memoryBytes}`, found: line("Max data size"), how },
    { fact: "size of a file", said: `${fileBytes}`, found: line("Max file size"), how },
    {
      fact: "size of /tmp",
      said: `${tmpBytes}`,
      found: `${tmp}`,
      how: "asked for the size of its file system",
    },
    ...(processes > MOST_STARTED ? [] : [await processProof(sandbox, processes)]),
  ]
}

/** A limit that is set need not hold: the kernel does not count processes of root. */
async function processProof(sandbox: Sandbox, most: number): Promise<Proof> {
  const script = `i=0; while [ $i -lt ${most} ]; do sleep 60 & i=$((i+1)); done; echo reached`
  const text = await answer(sandbox, `sh -c '${script}'`)
  const found = /fork|Resource temporarily/i.test(text) ? `${most}` : "no limit"
  return { fact: "processes", said: `${most}`, found, how: "started more of them" }
}
