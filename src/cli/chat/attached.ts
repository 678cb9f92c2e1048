// `@path` in a message of a chat: the file goes with it. Only what was typed counts, since a pasted text may name files
// that nobody meant to send.
import { type Dirent, readdirSync } from "node:fs"
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import type { SentFile } from "../../agent/setup/agent.ts"
import { bytesText } from "../../base/data-size.ts"
import { IncipitError } from "../../base/error.ts"
import { byCodePoint } from "../../base/order.ts"
import { errorCode } from "../../base/system-error.ts"
import { statAt } from "../../files/identity.ts"
import { readRegular } from "../../files/read-regular.ts"
import { attachmentOf, MOST_BYTES } from "../command-line/attachment.ts"
import type { Unit } from "./screen/input.ts"
import { visible } from "./screen/visible.ts"

export interface Attached {
  readonly files: readonly SentFile[]
  /** What goes with the message, in words. */
  readonly lines: readonly string[]
}

const MENTION = /(?:^|\s)@(?:"([^"\n]+)"|(\S+))/g

/** A name without a file stays a word, as in `@bob`. Throws if a file cannot be sent. */
export function attachedTo(units: readonly Unit[], directory: string): Attached {
  const typed = units.map(({ text, shown }) => (shown === undefined ? text : "\n")).join("")
  const named = [...typed.matchAll(MENTION)].flatMap(([, quoted, word = ""]) => {
    const found = [quoted, word, word.replace(/[.,;:!?)]+$/, "")].find(
      (name) => name !== undefined && name !== "" && isFile(pathOf(name, directory)),
    )
    return found === undefined ? [] : [found]
  })
  const read = [...new Set(named)].map((name) => ({ name, bytes: bytesIn(pathOf(name, directory), name) }))
  return {
    files: read.map(({ name, bytes }) => attachmentOf(bytes, name)),
    lines: read.map(({ name, bytes }) => `with ${visible(name)} (${bytesText(bytes.length)})`),
  }
}

function pathOf(name: string, directory: string): string {
  return name.startsWith("~/") ? join(homedir(), name.slice(2)) : resolve(directory, name)
}

function isFile(path: string): boolean {
  return statAt(path)?.isFile() === true
}

function bytesIn(path: string, name: string): Buffer {
  const found = readRegular(path, MOST_BYTES)
  if (found.kind === "read") return found.bytes
  throw new IncipitError("unreadable-file", `${name} cannot be sent: it is ${found.why}`)
}

const MOST_CHOICES = 200

/** The paths that begin with this one. Hidden files only if the name begins with a dot. */
export function pathsFrom(start: string, directory: string): readonly string[] {
  const folder = start.includes("/") ? start.slice(0, start.lastIndexOf("/") + 1) : ""
  const name = start.slice(folder.length)
  const at = pathOf(folder === "" ? "." : folder, directory)
  return namesIn(at)
    .filter((one) => one.startsWith(name) && (name.startsWith(".") || !one.startsWith(".")))
    .toSorted(byCodePoint)
    .slice(0, MOST_CHOICES)
    .map((one) => `${folder}${one}`)
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return []
  }
}

/** Folders end with a slash. Empty if it cannot be read. */
function namesIn(folder: string): readonly string[] {
  return entriesIn(folder)
    .filter((entry) => !/[\s"]/.test(entry.name))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
}
