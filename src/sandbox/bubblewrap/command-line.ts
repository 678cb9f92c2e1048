// The command line of bubblewrap for one command: every namespace of its own, no capabilities, a root folder with only
// what is named here. Pure: what exists on the machine is looked up before.
import type { SandboxLimits } from "../settings.ts"
import type { View } from "../view.ts"
import type { SystemPlaces } from "../visible/system-places.ts"

export interface BubblewrapFacts {
  readonly view: View
  readonly system: SystemPlaces
  /** Folders of programs that are elsewhere. */
  readonly programs: readonly string[]
  /** The folder that becomes /tmp. */
  readonly tmp: string
  readonly env: Readonly<Record<string, string>>
  readonly network: SandboxNetwork
  /** A session of its own keeps a command from typing into the user's terminal; a shell for the user needs it. */
  readonly hasTerminal: boolean
  /** More files, under another path. */
  readonly files: readonly { readonly path: string; readonly inside: string }[]
}

/** `relay`: only what goes through the socket of a proxy on the host. */
export type SandboxNetwork =
  | { readonly kind: "off" }
  | { readonly kind: "host" }
  | { readonly kind: "relay"; readonly socket: string }

/** Where the proxy's socket is inside. */
const INNER_SOCKET = "/run/incipit/proxy.sock"

const SHARED_MEMORY_BYTES = 64 * 1024 * 1024

const NAMESPACES = ["user", "ipc", "pid", "uts"].map((name) => `--unshare-${name}`)

export function bubblewrapArguments(facts: BubblewrapFacts): readonly string[] {
  const { view, env, network, tmp, files, hasTerminal } = facts
  return [
    ...[...NAMESPACES, "--unshare-cgroup-try", ...(network.kind === "host" ? [] : ["--unshare-net"])],
    // Further user namespaces would give their creator capabilities, and with them more of the kernel to attack.
    ...["--disable-userns", "--cap-drop", "ALL", "--die-with-parent", "--hostname", "sandbox"],
    ...(hasTerminal ? [] : ["--new-session"]),
    "--clearenv",
    ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
    ...systemArguments(facts),
    ...["--proc", "/proc", ...facts.system.kernel.flatMap((path) => ["--ro-bind", path, path])],
    ...["--dev", "/dev", "--size", `${SHARED_MEMORY_BYTES}`, "--tmpfs", "/dev/shm"],
    ...["--remount-ro", "/dev", "--bind", tmp, "/tmp", "--symlink", "/tmp", "/var/tmp"],
    ...(network.kind === "relay" ? ["--ro-bind", network.socket, INNER_SOCKET] : []),
    ...files.flatMap(({ path, inside }) => ["--ro-bind", path, inside]),
    ...viewArguments(view),
    // Last: until here, places for mounts are made in it.
    ...["--remount-ro", "/", "--chdir", view.directory],
  ]
}

function systemArguments({ system, programs }: BubblewrapFacts): readonly string[] {
  return [
    ...[...system.folders, ...programs].flatMap((path) => ["--ro-bind", path, path]),
    ...system.links.flatMap(([path, target]) => ["--symlink", target, path]),
    ...system.files.flatMap(([path, real]) => ["--ro-bind", real, path]),
  ]
}

/** Parents first: a later mount hides an earlier one below it. */
function viewArguments({ folders, fixed, held, hidden }: View): readonly string[] {
  const mounts = [
    ...folders.map(({ path, isWritable }) => ({ path, rank: 0, kind: isWritable ? "--bind" : "--ro-bind" })),
    ...held.map((path) => ({ path, rank: 1, kind: "--bind" })),
    ...fixed.map((path) => ({ path, rank: 2, kind: "--ro-bind" })),
  ]
  const depth = (path: string) => path.split("/").length
  return [
    ...mounts
      .toSorted((a, b) => depth(a.path) - depth(b.path) || a.rank - b.rank)
      .flatMap(({ path, kind }) => [kind, path, path]),
    ...hidden.flatMap((path) => ["--perms", "0500", "--size", "4096", "--tmpfs", path, "--remount-ro", path]),
  ]
}

export interface Launch {
  /** For the relay. */
  readonly shell: string
  /** The program to run, with its arguments. */
  readonly argv: readonly string[]
  /** util-linux's prlimit. */
  readonly prlimit: string
  readonly limits: SandboxLimits
  /** The relay to the proxy, and the port that it listens on. */
  readonly relay?: { readonly socat: string; readonly port: number }
}

/** What bubblewrap runs: the limits of each process, the relay, and then the command. */
export function launchArguments({ shell, argv, prlimit, limits, relay }: Launch): readonly string[] {
  const { memoryBytes, processes, fileBytes } = limits
  return [
    prlimit,
    // What a process has for itself, and not its address space: engines reserve far more of that than they use.
    ...[`--data=${memoryBytes}`, `--nproc=${processes}`, `--fsize=${fileBytes}`, "--core=0", "--"],
    ...(relay === undefined ? argv : [shell, "-c", relayScript(relay), "relay", ...argv]),
  ]
}

/** Waits until the relay listens, so that the first request of the command does not fail. */
function relayScript({ socat, port }: NonNullable<Launch["relay"]>): string {
  const listen = `TCP-LISTEN:${port},bind=127.0.0.1,fork,reuseaddr`
  return [
    `${socat} ${listen} UNIX-CONNECT:${INNER_SOCKET} >/dev/null 2>&1 </dev/null &`,
    `until (exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null; do :; done`,
    'exec "$@"',
  ].join("\n")
}
