// The operating system's error codes, in words for people. Doesn't decide which errors are system errors.
import { IncipitError } from "./error.ts"

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  ENOTDIR: "part of the path is not a folder",
  EISDIR: "it is a folder",
  EEXIST: "a file is in the way",
  ELOOP: "a link is in the way",
  ENAMETOOLONG: "the name is too long",
  EACCES: "no permission",
  EPERM: "no permission",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  ENXIO: "it is not a file",
  EFBIG: "it is too large",
  EADDRINUSE: "another program uses this port",
  EADDRNOTAVAIL: "this machine does not have that address",
  ENOTFOUND: "there is no host of that name",
}

/** Why something failed. Codes without an entry in `WORDS` keep the error's own message. */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = "code" in error ? String(error.code) : ""
  return WORDS[code] ?? error.message
}

/** The same for the code alone, as of a file that cannot be read. */
export function reasonOf(code: string): string {
  return code === "ELOOP" ? "its links lead in a circle" : (WORDS[code] ?? code)
}

export function unreadable(path: string, cause: unknown): IncipitError {
  return new IncipitError("unreadable-file", `cannot read ${path}: ${systemReason(cause)}`, { cause })
}

export function unwritable(path: string, cause: unknown): IncipitError {
  return new IncipitError("unwritable-file", `cannot write ${path}: ${systemReason(cause)}`, { cause })
}

/** The code of a system error, such as ENOENT. Returns undefined for any other error. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined
}
