// A text file of the workspace that What If may change: inside the folder, no link, none of the agent's own state, and
// with a text that can be written back as it was.
import { resolve } from "node:path"
import { isInside } from "../../../files/inside.ts"
import { isWrittenByUs } from "../../../files/paths.ts"
import { writeTarget } from "../../../files/real-path.ts"
import { readBytes, withSafeFile } from "../../../files/safe-file.ts"
import { FIXED, isFixed, readPlace } from "../../../sources/documents.ts"
import { MAX_BYTES } from "../../../sources/read/file.ts"
import type { Workspace } from "../../../sources/workspace.ts"
import { formOf, inForm, plainLines, textIn } from "../../../tools/files/text-file.ts"

export interface WorkspaceText {
  /** Relative to the workspace. */
  readonly path: string
  /** The real path. */
  readonly real: string
  /** What the file has now; undefined if there is none. */
  readonly bytes: Buffer | undefined
  /** The same as text, with LF line ends and without a byte order mark. */
  readonly text: string
}

/** The file, or a sentence that says why it cannot be changed here. */
export function workspaceText(workspace: Workspace, path: string): WorkspaceText | string {
  const { root } = workspace
  const real = resolve(root, path)
  if (path.startsWith("~") || !isInside(real, root) || real === root)
    return `${path} is outside the workspace.`
  if (isState(workspace, real)) return `${path} belongs to the agent's state.`
  if (readPlace(workspace, real) !== real) return `${path} is kept in the database.`
  if (isFixed(workspace, real)) return `${path} cannot be written here: ${FIXED}.`
  if (writeTarget(real) !== real) return `${path} is a link, or in a folder that is one.`
  const opened = withSafeFile(real, { roots: [root], followsLinks: false, mostBytes: MAX_BYTES }, readBytes)
  if (opened.kind === "absent") return { path, real, bytes: undefined, text: "" }
  if (opened.kind !== "opened") return `${path} cannot be read.`
  const bytes = opened.value
  const text = textIn(bytes)
  if (text === undefined) return `${path} is not a text file.`
  const plain = plainLines(text)
  if (!inForm(plain, formOf(bytes)).equals(bytes)) return `${path} has line ends of both kinds.`
  return { path, real, bytes, text: plain }
}

function isState({ state, documents }: Workspace, real: string): boolean {
  const folders = documents === undefined ? state : [...state, documents]
  return isWrittenByUs(real) || folders.some((folder) => isInside(real, folder))
}
