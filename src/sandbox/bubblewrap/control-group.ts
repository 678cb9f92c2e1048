// Limits for all processes of a box together. The kernel does not count processes of root, so for root only a control
// group limits them; other users are limited without one. Uses what the machine allows, and makes nothing elsewhere.
import { randomBytes } from "node:crypto"
import { accessSync, constants, mkdirSync, rmdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { setTimeout as pause } from "node:timers/promises"
import { errorCode } from "../../base/system-error.ts"
import { existingPathOf } from "../../files/real-path.ts"
import type { SandboxLimits } from "../settings.ts"

export interface ControlGroup {
  readonly limits: readonly ("memory" | "processes")[]
  /** A process whose id is written to one of these joins the group. */
  readonly files: readonly string[]
  remove(): Promise<void>
}

const ROOT = "/sys/fs/cgroup"
/** The kernel lets go of ended processes a little later. */
const TRIES = 50
const TRY_MS = 20

/** Returns undefined for a user other than root, or where the machine does not allow it. */
export function makeControlGroup({ memoryBytes, processes }: SandboxLimits): ControlGroup | undefined {
  if (process.getuid?.() !== 0) return undefined
  const name = `incipit-${randomBytes(8).toString("hex")}`
  const isOne = existingPathOf(join(ROOT, "cgroup.controllers")) !== undefined
  const made = isOne
    ? [madeIn(join(ROOT, name), { "pids.max": processes, "memory.max": memoryBytes })]
    : [
        madeIn(join(ROOT, "pids", name), { "pids.max": processes }),
        madeIn(join(ROOT, "memory", name), { "memory.limit_in_bytes": memoryBytes }),
      ]
  const groups = made.filter((one) => one !== undefined)
  if (groups.length === 0) return undefined
  return {
    limits: groups.flatMap(({ files }) =>
      files.map((file) => (file.startsWith("pids") ? ("processes" as const) : ("memory" as const))),
    ),
    files: groups.map(({ path }) => join(path, "cgroup.procs")),
    async remove() {
      for (const { path } of groups) await removed(path)
    },
  }
}

function madeIn(path: string, limits: Readonly<Record<string, number>>) {
  try {
    mkdirSync(path)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return undefined
  }
  const files = Object.entries(limits).flatMap(([file, value]) =>
    isSet(join(path, file), value) ? [file] : [],
  )
  if (files.length > 0) return { path, files }
  rmdirSync(path)
  return undefined
}

/** Its controller may be off. */
function isSet(path: string, value: number): boolean {
  try {
    accessSync(path, constants.W_OK)
    writeFileSync(path, `${value}`)
    return true
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
}

async function removed(path: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      rmdirSync(path)
      return
    } catch (error) {
      if (errorCode(error) !== "EBUSY") return
      await pause(TRY_MS)
    }
  }
}
