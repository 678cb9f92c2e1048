// The command line of docker and podman for one command: a container without a network, rights or anything of the host
// but the agent's folders. Pure. Nothing is shared between two containers, so there is no scope.
import { userInfo } from "node:os"
import type { SandboxLimits } from "../settings.ts"
import type { View } from "../view.ts"

export interface ContainerFacts {
  readonly engine: "docker" | "podman"
  readonly image: string
  /** By which a container is ended. */
  readonly name: string
  readonly user: ContainerUser
  readonly view: View
  readonly network: "off" | "on"
  readonly env: Readonly<Record<string, string>>
  readonly limits: SandboxLimits
  /** The program to run, with its arguments. */
  readonly argv: readonly string[]
}

export interface ContainerUser {
  readonly uid: number
  readonly gid: number
}

export function containerUser(): ContainerUser {
  const { uid, gid } = userInfo()
  return { uid, gid }
}

export function containerArguments(facts: ContainerFacts): readonly string[] {
  const { engine, image, name, user, view, network, env, limits, argv } = facts
  return [
    ...[
      "run",
      "--rm",
      "--interactive",
      "--init",
      "--name",
      name,
      "--pull",
      "never",
      "--network",
      network === "on" ? "bridge" : "none",
    ],
    ...["--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--ipc", "private"],
    ...["--hostname", "sandbox", "--user", `${user.uid}:${user.gid}`],
    // Rootless podman maps other users by default, who could not write the workspace.
    ...(engine === "podman" && user.uid !== 0 ? ["--userns", "keep-id"] : []),
    ...limitArguments(limits),
    ...Object.entries(env).flatMap(([key, value]) => ["--env", `${key}=${value}`]),
    ...mountArguments(view),
    ...["--workdir", view.directory, "--entrypoint", argv[0] ?? "", image, ...argv.slice(1)],
  ]
}

function limitArguments({ memoryBytes, processes, fileBytes, tmpBytes }: SandboxLimits): readonly string[] {
  return [
    ...["--memory", `${memoryBytes}`, "--memory-swap", `${memoryBytes}`, "--pids-limit", `${processes}`],
    ...["--ulimit", `fsize=${fileBytes}`, "--ulimit", "core=0"],
    ...["--tmpfs", `/tmp:rw,exec,nosuid,nodev,size=${tmpBytes},mode=1777`],
  ]
}

/** Sorted by both engines themselves: parents are mounted first. */
function mountArguments({ folders, held, fixed, hidden }: View): readonly string[] {
  const bind = (path: string, isWritable: boolean) => [
    "--mount",
    `type=bind,${csv("source", path)},${csv("target", path)}${isWritable ? "" : ",readonly"}`,
  ]
  return [
    ...folders.flatMap(({ path, isWritable }) => bind(path, isWritable)),
    ...held.flatMap((path) => bind(path, true)),
    ...fixed.flatMap((path) => bind(path, false)),
    ...hidden.flatMap((path) => ["--tmpfs", `${path}:ro,size=4k`]),
  ]
}

/** A field of the engines' comma-separated form. */
function csv(key: string, value: string): string {
  const field = `${key}=${value}`
  return /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
