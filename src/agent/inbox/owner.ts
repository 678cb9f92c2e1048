// Who works on a session: an open agent, in a process, on a machine. On this machine one that is gone is seen to be gone
// at once; for others a lease runs out.
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { hostname } from "node:os"
import process from "node:process"
import { errorCode } from "../../base/system-error.ts"

/** Those of this process; two agents of one process are as foreign to each other as two processes. */
const OPEN = new Set<string>()

/**
 * An agent of this process, as others can check it: machine, number of the process and the moment it began, as numbers
 * are used again, and chance. It is there until `leave`.
 */
export function enter(): string {
  const owner = `${hostname()}:${process.pid}:${startOf(process.pid) ?? ""}:${randomBytes(6).toString("hex")}`
  OPEN.add(owner)
  return owner
}

export function leave(owner: string): void {
  OPEN.delete(owner)
}

/** Only of this machine's can it be seen whether they are there. */
export function isOfThisMachine(owner: string): boolean {
  return owner.startsWith(`${hostname()}:`)
}

/** False only if it is known to be gone. */
export function mayBeAlive(owner: string): boolean {
  if (!isOfThisMachine(owner)) return true
  const [, id = "", began = ""] = owner.split(":")
  const pid = Number(id)
  if (pid === process.pid) return OPEN.has(owner)
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it is there and somebody else's.
    return errorCode(error) === "EPERM"
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
    if (errorCode(error) === undefined) throw error
    return undefined
  }
}
