// The history of sent messages: one JSON string per line, so that a text may have several lines. It is optional: if the
// file cannot be read or written, there is no history.
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  writeFileSync,
} from "node:fs"
import { basename, dirname, join } from "node:path"
import { errorCode } from "../../../base/system-error.ts"
import { MAX_DATA_BYTES, readHandleBounded } from "../../../files/read-bounded.ts"
import { realPath } from "../../../files/real-path.ts"
import { NotReplaced, replaceFile } from "../../../files/replace-file.ts"

const MAX_ENTRIES = 1_000
/** The file is rewritten once it has this many entries too many. */
const SPARE_ENTRIES = 200
/** A longer text is remembered for this chat, but not in the file. */
const MAX_CHARACTERS = 20_000

export interface History {
  /** Oldest first. */
  readonly entries: readonly string[]
  add(text: string): void
}

export function openHistory(path: string): History {
  const entries = readEntries(path)
  if (entries.length > MAX_ENTRIES + SPARE_ENTRIES) keep(() => rewrite(path, entries.slice(-MAX_ENTRIES)))
  return {
    get entries() {
      return entries.slice(-MAX_ENTRIES)
    },
    add(text) {
      if (!isKept(text) || text === entries.at(-1)) return
      entries.push(text)
      if (text.length <= MAX_CHARACTERS) keep(() => append(path, text))
    },
  }
}

/** A text that begins with a blank is not stored, as in a shell. */
function isKept(text: string): boolean {
  return text.trim() !== "" && !text.startsWith(" ")
}

function readEntries(path: string): string[] {
  const text =
    keep(() => withFile(path, constants.O_RDONLY, (file) => readHandleBounded(file, MAX_DATA_BYTES))) ?? ""
  return text.split("\n").flatMap((line) => {
    const entry = parseEntry(line)
    return typeof entry === "string" && isKept(entry) ? [entry] : []
  })
}

/** Skips half a line, left by a process that died while writing. */
function parseEntry(line: string): unknown {
  try {
    return line === "" ? undefined : JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function append(path: string, text: string): void {
  // Creates only this folder: the one above it may have been moved away.
  if (!existsSync(dirname(path))) mkdirSync(dirname(path))
  withFile(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, (file) => {
    writeFileSync(file, `${JSON.stringify(text)}\n`)
    // The file may exist with wider permissions.
    fchmodSync(file, 0o600)
  })
}

function rewrite(path: string, entries: readonly string[]): void {
  if (isFolderLinked(path)) return
  const after = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""))
  replaceFile({ path: join(realPath(dirname(path)), basename(path)), before: "any", after, mode: 0o600 })
}

/** The folder may come from elsewhere, with a link to any of the user's files, or a pipe that never ends. */
function withFile<T>(path: string, flags: number, use: (file: number) => T): T | undefined {
  if (isFolderLinked(path)) return undefined
  const file = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600)
  try {
    return fstatSync(file).isFile() ? use(file) : undefined
  } finally {
    closeSync(file)
  }
}

function isFolderLinked(path: string): boolean {
  return lstatSync(dirname(path)).isSymbolicLink()
}

function keep<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof NotReplaced || errorCode(error) !== undefined) return undefined
    throw error
  }
}
