// Identifies who works on a session: an open agent, in a process, on a machine. An owner on this machine is recognised
// as gone at once; for other machines the lease has to run out.
import { randomBytes } from "node:crypto"
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import process from "node:process"
import { errorCode } from "../../base/system-error.ts"

/**
 * Where process ids mean the same. Two containers may have one name, and each has processes of its own, so the name of
 * the host alone would make one take a living process of the other for a dead one.
 */
const MACHINE = [
  hostname(),
  readQuietly(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8)),
  readQuietly(() => readlinkSync("/proc/self/ns/pid").replaceAll(/\D/g, "")),
].join("/")

/** The open agents of this process. Two agents in one process are as separate as two processes. */
const OPEN = new Set<string>()

/**
 * Registers an agent of this process under an id that other processes can check: the machine, the process id and its
 * start time (process ids are reused), and random characters. It counts as alive until `leave`.
 */
export function enter(): string {
  const owner = `${MACHINE}:${process.pid}:${startOf(process.pid) ?? ""}:${randomBytes(6).toString("hex")}`
  OPEN.add(owner)
  return owner
}

export function leave(owner: string): void {
  OPEN.delete(owner)
}

/** Only owners on this machine can be checked. */
export function isOfThisMachine(owner: string): boolean {
  return owner.startsWith(`${MACHINE}:`)
}

/** Empty on systems without the file. */
function readQuietly(read: () => string): string {
  try {
    return read()
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return ""
  }
}

/** False only if the owner is known to be gone. */
export function mayBeAlive(owner: string): boolean {
  if (!isOfThisMachine(owner)) return true
  const [, id = "", began = ""] = owner.split(":")
  const pid = Number(id)
  if (pid === process.pid) return OPEN.has(owner)
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return errorCode(error) === "EPERM"
  }
  const now = startOf(pid)
  return began === "" || now === undefined || began === now
}

/** In ticks since boot; undefined on systems without this file. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The program's name is in parentheses and may contain any character.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return undefined
  }
}
