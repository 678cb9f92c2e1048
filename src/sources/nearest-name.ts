// The file that was probably meant by one that doesn't exist: a name beside it in another case, or with a typing error.
import { readdirSync } from "node:fs"
import { basename, dirname, extname } from "node:path"
import { misspelled } from "../base/nearest.ts"
import { errorCode } from "../base/system-error.ts"
import type { AbsentFile } from "../core/model/source.ts"

/** The names in a folder, which is read once. */
export type NamesBeside = (folder: string) => readonly string[]

/** A folder with more names is nobody's folder of instructions. */
const MAX_NAMES = 500
/** Names with a meaning of their own are no misspellings. */
const KNOWN: readonly string[] = [
  ...["AGENTS.md", "CLAUDE.md", "GEMINI.md", "HEARTBEAT.md", "IDENTITY.md", "MEMORY.md", "README.md"],
  ...["SKILL.md", "SOUL.md", "SYSTEM.md", "APPEND_SYSTEM.md", "TOOLS.md", "USER.md"],
]

export function namesBeside(): NamesBeside {
  const known = new Map<string, readonly string[]>()
  return (folder) => {
    const names = known.get(folder) ?? namesIn(folder)
    known.set(folder, names)
    return names
  }
}

/** `shown`: the path as a person would write it. */
export function nearestTo(path: string, shown: string, names: NamesBeside): Pick<AbsentFile, "nearest"> {
  const [name, extension] = [basename(path), extname(path)]
  const stem = (text: string) => basename(text, extname(text))
  const candidates = names(dirname(path)).filter(
    (one) => extname(one).toLowerCase() === extension && one !== name && !KNOWN.includes(one),
  )
  const sameLetters = candidates.find((one) => one.toLowerCase() === name.toLowerCase())
  const near = sameLetters ?? nearestStem(stem(name), candidates)
  return near === undefined ? {} : { nearest: `${shown.slice(0, -name.length)}${near}` }
}

function nearestStem(wanted: string, candidates: readonly string[]): string | undefined {
  const stems = candidates.map((one) => basename(one, extname(one)))
  const found = misspelled(wanted, stems)
  return found === undefined ? undefined : candidates[stems.indexOf(found)]
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).slice(0, MAX_NAMES)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}
