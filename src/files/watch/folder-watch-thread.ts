// The worker thread of a folder watch. It collects the paths of changed entries and hands them over when the bell
// rings. Some changes raise no event, such as a write through a memory map, so it also checks every entry from time to
// time.
import { lstatSync, readdirSync, statfsSync, watch } from "node:fs"
import { join } from "node:path"
import { setImmediate, setInterval } from "node:timers/promises"
import { parentPort, workerData } from "node:worker_threads"
import type { WatchAnswer, WatchThreadData } from "./folder-watch.ts"

/**
 * File systems on which all changes go through this kernel: ext4, xfs, btrfs, tmpfs, f2fs, zfs, overlay, bcachefs. On a
 * network or shared folder, other machines change files without raising an event here.
 */
const LOCAL: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0xf2f52010, 0x2fc12fc1, 0x794c7630, 0xca451a4e,
])
/** Entries checked between two answers. */
const SLICE = 200

// Only `FolderWatch` sets it.
const { folders, bell, asked, answered, answers, mostEvents, sweepMs } = workerData as WatchThreadData
const changed = new Set<string>()
let events = 0

for (const folder of folders) {
  if (!LOCAL.has(statfsSync(folder).type)) throw new Error(`${folder} is not on a local file system`)
  watch(folder, (_event, name) => note(name === null ? folder : join(folder, name)))
}
watch(bell, answer)
let last = await sweep()
parentPort?.postMessage("watching")
for await (const _ of setInterval(sweepMs)) {
  const now = await sweep()
  for (const path of new Set([...last.keys(), ...now.keys()]))
    if (last.get(path) !== now.get(path)) changed.add(path)
  last = now
}

function note(path: string): void {
  events += 1
  changed.add(path)
}

function answer(): void {
  const question = Atomics.load(asked, 0)
  const said: WatchAnswer = events > mostEvents ? "too-many" : [...changed]
  changed.clear()
  events = 0
  answers.postMessage(said)
  Atomics.store(answered, 0, question)
  Atomics.notify(answered, 0)
}

/** The current state of every entry. */
async function sweep(): Promise<ReadonlyMap<string, string>> {
  const seen = new Map<string, string>()
  for (const folder of folders)
    for (const [at, name] of namesIn(folder).entries()) {
      if (at % SLICE === 0) await setImmediate()
      const path = join(folder, name)
      seen.set(path, stateOf(path))
    }
  return seen
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // The folder is gone or unreadable, and so are its entries.
    return []
  }
}

function stateOf(path: string): string {
  try {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    return stat === undefined ? "" : [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(":")
  } catch {
    return ""
  }
}
