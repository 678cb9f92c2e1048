// Where the tour takes place: a copy of the sample that is deleted when the program ends, or the user's own workspace,
// in which the change is undone.
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { IncipitError } from "../../base/error.ts"
import { errorCode, unwritable } from "../../base/system-error.ts"
import { packageFile } from "../../files/package-file.ts"
import { MAX_TEXT_BYTES } from "../../files/read-bounded.ts"
import { requireRealPath } from "../../files/real-path.ts"
import { NotReplaced, replaceFile } from "../../files/replace-file.ts"
import { readBytes, withSafeFile } from "../../files/safe-file.ts"
import type { Terminal } from "../terminal.ts"

const SAMPLE = packageFile("examples/lighthouse")

export interface TourPlace {
  readonly folder: string
  readonly isSample: boolean
  /** Where its conversation is kept; the sample's is deleted with it. */
  readonly state?: string
}

type Leaving = Pick<Terminal, "onExit">

/** `chance`: returns a random number below a million. */
export function copySample(terminal: Leaving, chance: () => number): TourPlace {
  if (!existsSync(SAMPLE))
    throw new IncipitError("unreadable-workspace", `the sample workspace is missing from ${SAMPLE}`)
  const parent = requireRealPath(tmpdir())
  for (;;) {
    // Six digits are always two tokens, so the folder's path always takes the same room in the prompt.
    const copy = join(parent, `incipit-tour-${String(chance()).padStart(6, "0")}`)
    if (!makePrivateFolder(copy)) continue
    terminal.onExit?.(() => rmSync(copy, { recursive: true, force: true }))
    const folder = join(copy, "lighthouse")
    cpSync(SAMPLE, folder, { recursive: true })
    return { folder, isSample: true, state: join(copy, "state") }
  }
}

function makePrivateFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 })
    return true
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false
    throw new IncipitError("unwritable-file", `cannot write ${path} (${errorCode(error) ?? "unknown"})`, {
      cause: error,
    })
  }
}

const LINE = "Answer in one sentence, and say where you looked."

export interface SoulChange {
  readonly path: string
  readonly before: Buffer
  readonly after: Buffer
  readonly line: string
}

/**
 * Adds a line at the start of SOUL.md, after its frontmatter. Returns undefined if the file does not exist or is a
 * link.
 */
export function soulChange({ folder }: TourPlace): SoulChange | undefined {
  const path = join(requireRealPath(folder), "SOUL.md")
  const opened = withSafeFile(path, { followsLinks: false, mostBytes: MAX_TEXT_BYTES }, (file) =>
    readBytes(file),
  )
  if (opened.kind !== "opened") return undefined
  const text = opened.value.toString()
  const [front = ""] = /^---\r?\n.*?\r?\n---\r?\n\s*/s.exec(text) ?? []
  const after = `${front}${LINE}\n\n${text.slice(front.length)}`
  return { path, before: opened.value, after: Buffer.from(after), line: LINE }
}

/** In the user's own workspace, undoes the change when the program ends, unless the file was changed again. */
export function makeChange({ path, before, after }: SoulChange, place: TourPlace, terminal: Leaving): void {
  try {
    replaceFile({ path, before, after })
  } catch (error) {
    throw error instanceof NotReplaced
      ? new IncipitError("unwritable-file", `cannot write ${path}: it was changed in the meantime`)
      : unwritable(path, error)
  }
  if (place.isSample) return
  terminal.onExit?.(() => {
    try {
      replaceFile({ path, before: after, after: before })
    } catch (error) {
      if (!(error instanceof NotReplaced)) throw error
    }
  })
}
