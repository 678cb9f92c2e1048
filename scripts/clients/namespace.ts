// A network with loopback only, so that no client can reach anything but the fake provider.
import { spawn, spawnSync } from "node:child_process"
import process from "node:process"

const INSIDE = "INCIPIT_CLIENTS_OFFLINE"

/** Whether this process already runs in one. */
export function isOffline(): boolean {
  return process.env[INSIDE] === "1"
}

/** Starts this program again in a network namespace and returns its exit status; undefined if that isn't permitted. */
export async function runOffline(): Promise<number | undefined> {
  const unshare = ["--net", ...(process.getuid?.() === 0 ? [] : ["--map-root-user"])]
  const setUp = "ip link set lo up"
  if (spawnSync("unshare", [...unshare, "sh", "-c", setUp], { stdio: "ignore" }).status !== 0)
    return undefined
  const child = spawn(
    "unshare",
    [...unshare, "sh", "-c", `${setUp} && exec "$@"`, "sh", process.execPath, ...process.argv.slice(1)],
    { stdio: "inherit", env: { ...process.env, [INSIDE]: "1" } },
  )
  return new Promise((resolve) => child.on("close", (status) => resolve(status ?? 1)))
}
