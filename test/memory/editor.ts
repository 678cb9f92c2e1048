// A process of its own that changes files as it is told, one change for each message, and says when it is done.
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { dirname } from "node:path"

export type Edit =
  | { readonly kind: "write" | "replace" | "in-place"; readonly path: string; readonly text: string }
  | { readonly kind: "remove" | "touch" | "make-folder"; readonly path: string }
  | { readonly kind: "rename" | "link" | "symlink"; readonly path: string; readonly to: string }

process.on("message", (edit: Edit) => {
  try {
    make(edit)
  } catch (error) {
    // Nothing to rename, a folder where a file should go: then nothing changes.
    if (!(error instanceof Error && "code" in error)) throw error
  }
  process.send?.("done")
})

function make(edit: Edit): void {
  if (edit.kind === "write") {
    mkdirSync(dirname(edit.path), { recursive: true })
    writeFileSync(edit.path, edit.text)
  }
  if (edit.kind === "replace") {
    writeFileSync(`${edit.path}~`, edit.text)
    renameSync(`${edit.path}~`, edit.path)
  }
  if (edit.kind === "in-place") overwrite(edit.path, edit.text)
  if (edit.kind === "remove") rmSync(edit.path, { recursive: true, force: true })
  if (edit.kind === "touch")
    chmodSync(edit.path, existsSync(edit.path) && statSync(edit.path).isFile() ? 0o600 : 0o700)
  if (edit.kind === "make-folder") mkdirSync(edit.path, { recursive: true })
  if (edit.kind === "rename") renameSync(edit.path, edit.to)
  if (edit.kind === "link") linkSync(edit.path, edit.to)
  if (edit.kind === "symlink") symlinkSync(edit.path, edit.to)
}

/** Same file, same size if the text is as long, and the same time of the text. */
function overwrite(path: string, text: string): void {
  const { atime, mtime } = statSync(path)
  const handle = openSync(path, "r+")
  writeSync(handle, text, 0)
  closeSync(handle)
  utimesSync(path, atime, mtime)
}
