// Which files of a prompt can be edited in the page: those whose text is sent as it is in the file. Says of each other
// file why it cannot.

import { countNewlines } from "../../../core/model/content.ts"
import type { SourceFile } from "../../../core/model/source.ts"
import { splitFrontMatter } from "../../../sources/read/frontmatter.ts"
import { inspectText } from "../../../sources/read/inspect.ts"
import { leadingComments } from "../../../sources/read/source-file.ts"
import type { Workspace } from "../../../sources/workspace.ts"
import type { WhatIfFile } from "./what-if-shown.ts"
import { type WorkspaceText, workspaceText } from "./workspace-text.ts"

export interface EditableText extends WorkspaceText {
  /** What comes before the text that is sent. */
  readonly before: string
}

/** Each file once. */
export function editableFiles(files: readonly SourceFile[], workspace: Workspace): readonly WhatIfFile[] {
  const byPath = Map.groupBy(files, ({ path }) => path)
  return [...byPath].map(([path, [first, ...others]]): WhatIfFile => {
    const found = first === undefined ? `${path} has no text.` : editableText(first, workspace)
    if (typeof found === "string") return { path, kind: "fixed", why: found }
    if (others.some(({ text }) => text !== first?.text))
      return { path, kind: "fixed", why: `${path} is in the prompt in several parts.` }
    return { path, kind: "editable", before: found.before }
  })
}

/** The file that a gathered text comes from, or a sentence that says why it cannot be edited. */
export function editableText(file: SourceFile, workspace: Workspace): EditableText | string {
  const { path, lines, unavailable } = file
  if (unavailable !== undefined) return `${path} cannot be read right now.`
  if (lines !== undefined) return `${path} is data, and only its values are sent.`
  const found = workspaceText(workspace, path)
  if (typeof found === "string") return found
  const before = found.text.slice(0, found.text.length - file.text.length)
  const isWhole = `${before}${file.text}` === found.text
  if (found.bytes === undefined || !isWhole || countNewlines(before, 0, before.length) !== file.firstLine - 1)
    return `${path} is not sent as it is: something in it is left out or replaced.`
  return { ...found, before }
}

/** A sentence that says why a new text would not be read as it is; undefined if it would. */
export function unreadable({ path, before, text }: EditableText, next: string): string | undefined {
  const whole = `${before}${next}`
  if (inspectText(whole, { path, firstLine: 1, isOwn: true }).text !== whole)
    return `The new text of ${path} has invisible or control characters, which are not sent.`
  const was = splitFrontMatter(text, path).body
  const is = splitFrontMatter(whole, path).body
  if (text.slice(0, text.length - was.length) !== whole.slice(0, whole.length - is.length))
    return `The new text of ${path} begins with ---, which would be read as settings of the file.`
  if (leadingComments(was) !== leadingComments(is))
    return `The new text of ${path} begins with a comment, which may not be sent.`
  return undefined
}
