// A change of What If as a patch of the workspace's files, and its application. The same change to the same files gives
// the same patch, so what is applied is what was shown.
import type { Inspected } from "../../../agent/turn/prompt/inspected.ts"
import { byCodePoint } from "../../../base/order.ts"
import { errorCode } from "../../../base/system-error.ts"
import { unifiedHunks } from "../../../base/text/unified-diff.ts"
import { NotReplaced, replaceFile } from "../../../files/replace-file.ts"
import { formOf, inForm } from "../../../tools/files/text-file.ts"
import { SurfaceError } from "../../talk/surface-error.ts"
import { changedConfig } from "./changed-config.ts"
import { editableText, unreadable } from "./editable-file.ts"
import type { WhatIfApplied, WhatIfChanges, WhatIfPatch } from "./what-if-shown.ts"
import type { WorkspaceText } from "./workspace-text.ts"

interface FileChange {
  readonly file: WorkspaceText
  /** The whole new text. */
  readonly after: string
}

export function patchOf(found: Inspected, changes: WhatIfChanges): WhatIfPatch {
  const changed = changesOf(found, changes)
  return {
    patch: changed.map(unifiedDiff).join(""),
    files: changed.map(({ file: { path, bytes } }) => ({ path, isNew: bytes === undefined })),
  }
}

/** Writes all files, or none if one of them is not what it was. */
export function applyPatch(found: Inspected, changes: WhatIfChanges, shown: string): WhatIfApplied {
  const changed = changesOf(found, changes)
  if (changed.map(unifiedDiff).join("") !== shown)
    throw stale("The files have changed since the patch was shown")
  const written: string[] = []
  for (const change of changed) {
    write(change, written)
    written.push(change.file.path)
  }
  return { written }
}

function write({ file: { path, real, bytes }, after }: FileChange, written: readonly string[]): void {
  try {
    replaceFile({ path: real, before: bytes, after: inForm(after, formOf(bytes)) })
  } catch (error) {
    const done = written.length === 0 ? "" : ` Already written: ${written.join(", ")}.`
    if (error instanceof NotReplaced) throw stale(`${path} cannot be written: ${error.message}`, done)
    const code = errorCode(error)
    if (code === undefined) throw error
    throw new SurfaceError(422, "not-written", `${path} cannot be written (${code}).${done}`)
  }
}

function stale(what: string, done = " Nothing was written."): SurfaceError {
  return new SurfaceError(409, "stale-patch", `${what}.${done} Look at the new patch first.`)
}

function changesOf(found: Inspected, changes: WhatIfChanges): readonly FileChange[] {
  const { agent, session, workspace } = found
  const files = Object.entries(changes.files ?? {}).flatMap(([path, text]): FileChange[] => {
    const source = [...agent.files, ...session.files].find((one) => one.path === path)
    if (source === undefined) throw refused(`${path} is not a file of this prompt.`, `changes.files.${path}`)
    const file = editableText(source, workspace)
    if (typeof file === "string") throw refused(file, `changes.files.${path}`)
    const problem = unreadable(file, text)
    if (problem !== undefined) throw refused(problem, `changes.files.${path}`)
    return text === source.text ? [] : [{ file, after: `${file.before}${text}` }]
  })
  const config = changedConfig(workspace, changes)
  if (typeof config === "string") throw refused(config, "changes")
  return [...files, ...config.filter(({ file, after }) => file.text !== after)].toSorted((a, b) =>
    byCodePoint(a.file.path, b.file.path),
  )
}

function refused(message: string, field: string): SurfaceError {
  return new SurfaceError(422, "cannot-change", message, field)
}

/** As git reads it. Lines end as in the file, so that it applies to files with CRLF as well. */
function unifiedDiff({ file: { path, bytes }, after }: FileChange): string {
  const form = formOf(bytes)
  const [before, next] =
    bytes === undefined ? ["", after] : [bytes.toString("utf8"), `${inForm(after, form)}`]
  const [was, is] = [quoted("a", path), quoted("b", path)]
  const names = [
    `diff --git ${was} ${is}`,
    ...(bytes === undefined ? ["new file mode 100644"] : []),
    `--- ${bytes === undefined ? "/dev/null" : was}`,
    `+++ ${is}`,
  ]
  return `${names.join("\n")}\n${unifiedHunks(before, next)}`
}

/** Git quotes names with characters that are not plain. */
function quoted(side: "a" | "b", path: string): string {
  const name = `${side}/${path}`
  if (/^[\w./ @+,=-]+$/.test(name)) return name
  const bytes = [...Buffer.from(name)].map((byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\${byte.toString(8).padStart(3, "0")}`,
  )
  return `"${bytes.join("")}"`
}
