// The files below a folder that the caller may read, without .gitignore matches, .git and node_modules. Does not follow
// links. Bounded in number and time; unreadable files do not count towards the limit and are not mentioned.
import { type Dirent, lstatSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { setImmediate as letOthersRun } from "node:timers/promises"
import { byCodePoint } from "../../base/order.ts"
import { errorCode } from "../../base/system-error.ts"
import { existingPathOf } from "../../files/real-path.ts"
import type { ActingContext } from "../acting.ts"
import { isSkipped, rulesAbove, rulesIn } from "./git-ignore.ts"

export interface Walk {
  /** Real paths, in order. */
  readonly files: readonly string[]
  /** Whether there may be more. */
  readonly isCut: boolean
}

const MOST_FILES = 100_000
const MOST_MS = 10_000

export async function walkFiles(start: string, { host, now }: ActingContext): Promise<Walk> {
  if (!lstatSync(start, { throwIfNoEntry: false })?.isDirectory()) return { files: [start], isCut: false }
  const end = now() + MOST_MS
  const found: string[] = []
  const waiting = [{ folder: start, rules: await rulesAbove(host.files, start) }]
  let isCut = false
  for (let next = waiting.pop(); next !== undefined && !isCut; next = waiting.pop()) {
    host.signal.throwIfAborted()
    await letOthersRun()
    const { folder } = next
    const rules = await rulesIn(host.files, next.rules, folder)
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name)
      if (!(entry.isFile() || entry.isDirectory())) continue
      if (isSkipped(rules, path, entry.isDirectory()) || !host.files.mayRead(path)) continue
      isCut = found.length >= MOST_FILES || now() > end
      if (isCut) break
      if (entry.isDirectory()) waiting.push({ folder: path, rules })
      else found.push(path)
    }
  }
  return { files: found.sort(byCodePoint), isCut }
}

/** The entries of a folder in order; none if it is not where it seems to be. */
export function entriesOf(folder: string): readonly Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    // Checked afterwards: if the folder was swapped for a link, these names are from elsewhere.
    if (existingPathOf(folder) !== folder) return []
    return entries.sort((a, b) => byCodePoint(a.name, b.name))
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}
