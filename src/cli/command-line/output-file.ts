// An output file that the user names. A folder from elsewhere may contain a link by that name, and writing through it
// would replace a file that the user did not name. Pipes and devices stay usable: /dev/stdout is a link to one.
import { constants, fchmodSync, fstatSync, lstatSync, openSync, statSync } from "node:fs"

/** Conversations are private, so the file is readable only by its owner, even if it replaces a shared one. */
export function openOutput(path: string): number {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  if (isLink) refuseLink(path)
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants
  const file = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | (isLink ? 0 : O_NOFOLLOW), 0o600)
  const stat = fstatSync(file)
  if (stat.isFile() && stat.uid === process.getuid?.() && (stat.mode & 0o077) !== 0) fchmodSync(file, 0o600)
  return file
}

function refuseLink(path: string): void {
  const target = statSync(path, { throwIfNoEntry: false })
  if (target !== undefined && !target.isFile()) return
  throw Object.assign(new Error("it is a link; name the file it points to"), { code: "EXDEV" })
}
