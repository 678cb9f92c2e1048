// A change to one file, as made by `write` and `edit`: checked, approved, then applied if nothing has changed since.
import { resolve } from "node:path"
import { errorCode } from "../../base/system-error.ts"
import { fromHome, writeTarget } from "../../files/real-path.ts"
import { NotReplaced, replaceFile } from "../../files/replace-file.ts"
import { readBytes } from "../../files/safe-file.ts"
import { isRedacted } from "../../record/redact/mark.ts"
import type { ActingContext } from "../acting.ts"
import { type ApprovalRequest, type FileAccess, ToolFailure } from "../host.ts"
import { requireApproval } from "../require-approval.ts"
import { type OpenFile, shownName, shownPath } from "./open-file.ts"
import { MOST_TEXT_BYTES, textIn } from "./text-file.ts"

export interface Change {
  /** A real path inside an allowed folder. */
  readonly path: string
  readonly before: Buffer | undefined
  readonly after: Buffer
}

/** The real path of a file to write, whether or not it exists. */
export function writablePath(files: FileAccess, given: string): string {
  const path = writeTarget(resolve(files.directory, fromHome(given, files.home)))
  if (path === undefined || !files.mayWrite(path)) throw notWritable(files, path, shownName(given))
  return path
}

export function notWritable(files: FileAccess, path: string | undefined, name: string): ToolFailure {
  const why = path === undefined ? undefined : files.fixed?.(path)
  return new ToolFailure(
    why === undefined ? `${name} may not be written.` : `${name} was not written: ${why}.`,
  )
}

/** The bytes of a file that can be changed as text. */
export function changeableBytes(files: FileAccess, file: OpenFile): Buffer {
  const bytes = file.size > MOST_TEXT_BYTES ? undefined : readBytes(file)
  if (bytes === undefined || textIn(bytes) === undefined)
    throw new ToolFailure(`${shownPath(files, file.path)} is not a text file, or is too large to edit.`)
  return bytes
}

/** Redaction marks must not be written back as if they were the original text. */
export function refuseRedacted(...texts: readonly string[]): void {
  if (texts.some(isRedacted))
    throw new ToolFailure("The text has redacted parts, and writing them would overwrite the real text.")
}

/** Asks for approval first. Returns only if the change was made. */
export async function changeFile(change: Change, { host }: ActingContext): Promise<void> {
  const { path, before } = change
  const name = shownPath(host.files, path)
  const after = textIn(change.after)
  // What cannot be shown cannot be approved.
  if (after === undefined) throw new ToolFailure("The text has a NUL character. Only text can be written.")
  const partOf = host.files.partOf(path)
  const request: ApprovalRequest = {
    // "Always" for edits does not cover a file that runs: it would allow any command.
    kind: host.files.isProtected(path) || partOf !== undefined ? "instructions" : "edit",
    ...(partOf !== undefined && { partOf }),
    path: name,
    before: before === undefined ? undefined : textIn(before),
    after,
  }
  await requireApproval(host, request, `The change to ${name} was not approved.`)
  if (writeTarget(path) !== path || !host.files.mayWrite(path)) throw notWritable(host.files, path, name)
  try {
    replaceFile(change)
  } catch (error) {
    if (error instanceof NotReplaced) throw new ToolFailure(NOT_REPLACED[error.why])
    const code = errorCode(error)
    if (code === undefined) throw error
    throw new ToolFailure(`${name} cannot be written (${code}).`)
  }
  host.files.touched(path)
}

const NOT_REPLACED: Readonly<Record<NotReplaced["why"], string>> = {
  "folder-moved": "The folder was moved in the meantime, so nothing was written.",
  "not-a-file": "There is something of that name that is not a regular file; nothing was written.",
  "file-changed": "The file was changed in the meantime, so nothing was written. Read it again.",
}
