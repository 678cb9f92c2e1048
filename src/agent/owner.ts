// Which process works on a session. On one machine a process that is gone is seen to be gone at once; for others a
// lease runs out.
import { readFileSync } from "node:fs"
import { hostname } from "node:os"
import process from "node:process"

/** This process, as others can check it: machine, number and the moment it began, as numbers are used again. */
export function thisProcess(): string {
  return `${hostname()}:${process.pid}:${startOf(process.pid) ?? ""}`
}

/** False only if it is known to be gone. */
export function mayBeAlive(owner: string): boolean {
  const [machine, id = "", began] = owner.split(":")
  if (machine !== hostname()) return true
  const pid = Number(id)
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it is there and somebody else's.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
  const now = startOf(pid)
  return began === "" || now === undefined || began === now
}

/** In ticks since the machine began; nothing where there is no such file. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The name of the program stands in brackets and may hold anything.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined
    throw error
  }
}
